internal import Basics

/// D(t): how much of a cumulative series, in its unit, has come together by an instant of a workout.
///
/// Each reading is spread evenly over the active part of its interval. Of a reading that reaches beyond the workout the
/// share outside is left out; a reading without an active part is a step at its end. Readings that overlap count once:
/// in their order, each with the share of its interval that no earlier one covers, on the active part of that share. An
/// instant counts unless it lies inside covered time.
package struct DistanceCurve: Sendable {
    /// A stretch on which the curve is a straight line, or a step where its start is its end.
    struct Piece: Sendable {
        var interval: Interval
        /// The curve at its start and at its end.
        var from: Double
        var to: Double
        /// The reading it comes from.
        var record: Interval

        /// The crossing behind a share of the stretch.
        func crossing(after share: Double) -> Crossing {
            let instant = interval.start + interval.seconds * share
            return Crossing(instant: instant, uncertaintySeconds: max(instant - record.start, record.end - instant))
        }
    }

    let pieces: [Piece]
    /// The workout's start.
    private let start: Double
    /// Whether a share of a reading outside the workout was left out.
    package let isEdgeProrated: Bool

    /// Where the curve reaches a value.
    package struct Crossing: Sendable, Hashable {
        package var instant: Double
        /// How far the instant could lie from here: the longer way to an end of the record; 0 at a step.
        package var uncertaintySeconds: Double

        package init(instant: Double, uncertaintySeconds: Double) {
            (self.instant, self.uncertaintySeconds) = (instant, uncertaintySeconds)
        }
    }

    /// Differences of that size between sums of doubles do not count, in the unit of the series.
    package static let tolerance = 1e-6

    /// - Parameter readings: in the order of readings, without negative values.
    package init(_ readings: [Reading], _ active: ActiveTime) {
        var pieces: [Piece] = []
        pieces.reserveCapacity(readings.count)
        var sum = CompensatedSum()
        var covered = -Double.infinity
        var isEdgeProrated = false
        for reading in readings {
            if reading.interval.seconds <= 0 {
                guard reading.start >= covered, active.workout.contains(reading.start) else { continue }
                let from = sum.value
                sum.add(reading.value)
                pieces.append(
                    Piece(
                        interval: Interval(reading.start, reading.start), from: from, to: sum.value,
                        record: reading.interval))
                continue
            }
            guard let clipped = reading.interval.intersection(active.workout) else { continue }
            if clipped != reading.interval { isEdgeProrated = true }
            let rest = Interval(max(clipped.start, covered), clipped.end)
            covered = max(covered, clipped.end)
            guard rest.seconds > 0 else { continue }
            let value =
                rest == reading.interval ? reading.value : reading.value * (rest.seconds / reading.interval.seconds)
            let parts = active.parts(of: rest)
            let seconds = parts.seconds
            for part in parts.isEmpty ? [Interval(rest.end, rest.end)] : parts {
                let from = sum.value
                sum.add(parts.count < 2 ? value : value * (part.seconds / seconds))
                pieces.append(Piece(interval: part, from: from, to: sum.value, record: reading.interval))
            }
        }
        (self.pieces, start, self.isEdgeProrated) = (pieces, active.workout.start, isEdgeProrated)
    }

    /// Whether no reading counted.
    package var isEmpty: Bool { pieces.isEmpty }

    /// The curve at the workout's end.
    package var total: Double { pieces.last?.to ?? 0 }

    /// The curve at an instant; a step counts from its instant on.
    ///
    /// - Complexity: O(log of the readings).
    package func value(at instant: Double) -> Double {
        let index = pieces.partitionPoint { $0.interval.end <= instant }
        let before = index == 0 ? 0 : pieces[index - 1].to
        guard index < pieces.count, pieces[index].interval.start < instant else { return before }
        let piece = pieces[index]
        let share = (instant - piece.interval.start) / piece.interval.seconds
        return piece.from + (piece.to - piece.from) * share
    }

    /// What came together within an interval. A step at its start belongs to what is before; at the workout's start, where
    /// nothing is before, to the interval.
    package func value(in interval: Interval) -> Double {
        value(at: interval.end) - (interval.start > start ? value(at: interval.start) : 0)
    }

    /// The earliest instant at which the curve reaches a value above 0; nil where it never does.
    ///
    /// - Complexity: O(log of the readings).
    package func crossing(of value: Double) -> Crossing? {
        let index = pieces.partitionPoint { $0.to < value - Self.tolerance }
        guard index < pieces.count else { return nil }
        let piece = pieces[index]
        let climb = piece.to - piece.from
        guard piece.interval.seconds > 0, climb > 0 else {
            return Crossing(instant: piece.interval.end, uncertaintySeconds: 0)
        }
        return piece.crossing(after: min(1, max(0, (value - piece.from) / climb)))
    }
}

/// A running sum that keeps what each addition rounds away (Neumaier's summation).
package struct CompensatedSum: Sendable {
    private var sum = 0.0
    private var lost = 0.0

    package init() {}

    /// Adds a value.
    package mutating func add(_ value: Double) {
        let next = sum + value
        lost += sum.magnitude >= value.magnitude ? (sum - next) + value : (value - next) + sum
        sum = next
    }

    /// The sum so far.
    package var value: Double { sum + lost }
}
