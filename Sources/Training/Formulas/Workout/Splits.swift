/// Where a workout's kilometres or miles end, with how uncertain each instant is.
///
/// T_k is the earliest instant at which the distance curve reaches k lengths, linear within a record. A rest below 1 m is
/// added to the row before. The sum of the rows' active time is the workout's, that of their distance the curve's total.
package enum Splits {
    /// The length of a split in metres.
    package enum Length: String, Sendable, CaseIterable {
        case km, mile

        package var metres: Double { self == .km ? 1000 : 1609.344 }
    }

    /// From where the splits come.
    package enum Source: String, Sendable, CaseIterable {
        case distance, route, segments
    }

    /// How well the instant at a split's end is known.
    package enum Precision: String, Sendable, CaseIterable {
        case exact, good, coarse, unusable

        package init(uncertaintySeconds: Double) {
            self =
                uncertaintySeconds <= 5
                ? .exact : uncertaintySeconds <= 15 ? .good : uncertaintySeconds <= 60 ? .coarse : .unusable
        }

        /// Whether it is exact or good.
        package var isGood: Bool { self == .exact || self == .good }
    }

    /// A split: its stretch of time and distance.
    package struct Row: Sendable, Hashable {
        /// From the split before to its own end; pauses included.
        package var interval: Interval
        package var metres: Double?
        package var activeSeconds: Double
        /// Of its end; nil for a partial row and for Apple's segments.
        package var uncertaintySeconds: Double?
        package var isPartial: Bool
        /// Elapsed seconds minus the duration of Apple's segment; nil without one.
        package var appleDelta: Double?

        package var elapsedSeconds: Double { interval.seconds }
        package var precision: Precision? { uncertaintySeconds.map { Precision(uncertaintySeconds: $0) } }

        /// The place of its precision among all: the higher, the worse; 0 without one.
        var rank: Int { precision.flatMap { Precision.allCases.firstIndex(of: $0) } ?? 0 }

        /// Seconds of active time a kilometre; nil below 50 m.
        package var secondsPerKilometre: Double? {
            guard let metres, metres >= 50 else { return nil }
            return activeSeconds / metres * 1000
        }
    }

    /// Behind so many, the rest is one row: an export may state any distance.
    private static let mostRows = 10_000

    /// The rows of a distance curve.
    package static func rows(of curve: DistanceCurve, _ active: ActiveTime, _ length: Length) -> [Row] {
        let (total, metres) = (curve.total, length.metres)
        var rows: [Row] = []
        var start = active.workout.start
        var index = 1
        while index <= mostRows, Double(index) * metres <= total + DistanceCurve.tolerance,
            let crossing = curve.crossing(of: Double(index) * metres)
        {
            rows.append(
                Row(
                    interval: Interval(start, crossing.instant), metres: metres,
                    activeSeconds: active.seconds(in: Interval(start, crossing.instant)),
                    uncertaintySeconds: crossing.uncertaintySeconds, isPartial: false))
            start = crossing.instant
            index += 1
        }
        let rest = max(0, total - Double(rows.count) * metres)
        let interval = Interval(start, active.workout.end)
        let seconds = active.activeSeconds - active.seconds(until: start)
        if let last = rows.indices.last, rest < 1 {
            rows[last].interval.end = interval.end
            rows[last].metres = metres + rest
            rows[last].activeSeconds += seconds
        } else {
            rows.append(
                Row(interval: interval, metres: rest, activeSeconds: seconds, uncertaintySeconds: nil, isPartial: true))
        }
        return rows
    }

    /// The rows of Apple's own segments.
    package static func rows(ofSegments segments: [Interval], _ curve: DistanceCurve?, _ active: ActiveTime) -> [Row] {
        segments.map { segment in
            Row(
                interval: segment, metres: curve.map { $0.value(in: segment) },
                activeSeconds: active.seconds(in: segment), uncertaintySeconds: nil, isPartial: false, appleDelta: 0)
        }
    }
}
