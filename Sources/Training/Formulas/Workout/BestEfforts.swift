internal import Basics

/// The fastest stretches and the highest mean powers of a workout, as far as their bounds are known.
///
/// A stretch counts only where both of its bounds are known to 15 s: from condensed records there are none.
package enum BestEfforts {
    /// Metres.
    package static let distances: [Double] = [400, 1000, 5000, 10_000]
    /// Seconds.
    package static let durations = [60, 300, 1200]

    /// The fewest active seconds in which a distance was covered; nil where the workout is shorter, or where no such stretch
    /// has bounds that are known well enough.
    ///
    /// The fastest stretch begins or ends where a record does, because the curve is straight in between.
    /// - Complexity: O(records · log records).
    package static func fastest(_ metres: Double, _ curve: DistanceCurve, _ active: ActiveTime) -> Double? {
        guard curve.total >= metres else { return nil }
        var best: Double?
        func offer(from: Double) {
            guard from >= 0, from + metres <= curve.total + DistanceCurve.tolerance,
                var begin = curve.leaving(from), let end = curve.crossing(of: from + metres)
            else { return }
            // The first metre begins with its record.
            if from == 0 { begin.uncertaintySeconds = 0 }
            guard Splits.Precision(uncertaintySeconds: begin.uncertaintySeconds).isGood,
                Splits.Precision(uncertaintySeconds: end.uncertaintySeconds).isGood
            else { return }
            let seconds = active.seconds(in: Interval(begin.instant, end.instant))
            if seconds > 0, best.map({ seconds < $0 }) ?? true { best = seconds }
        }
        for piece in curve.pieces {
            offer(from: piece.from)
            offer(from: piece.to - metres)
        }
        return best
    }

    /// The highest mean power of some consecutive active seconds in W.
    ///
    /// - Returns: nil where no such stretch has values for 95 % of its seconds, or where a reading of more than 15 s reaches
    ///   over a bound of every one that has.
    package static func highest(_ seconds: Int, _ power: PowerFigures, _ readings: [Reading], _ active: ActiveTime)
        -> Double?
    {
        let coarse = readings.filter { $0.interval.seconds > 15 }.map(\.interval).united
        func isKnown(_ second: Int) -> Bool {
            let instant = active.instant(after: Double(second))
            let index = coarse.partitionPoint { $0.end <= instant }
            return index == coarse.count || coarse[index].start >= instant
        }
        return highest(seconds, power.watts) { isKnown($0) && isKnown($0 + seconds) }
    }

    /// The share of a stretch's seconds that must have a power value.
    package static let coverage = 0.95

    /// The highest mean of some consecutive seconds with values for 95 % of them; seconds without count as 0.
    ///
    /// - Parameters:
    ///   - watts: by active second; nil where there is no value.
    ///   - counts: whether the stretch that begins at a second counts.
    /// - Complexity: one pass.
    package static func highest(_ seconds: Int, _ watts: [Double?], counts: (Int) -> Bool = { _ in true }) -> Double? {
        guard watts.count >= seconds else { return nil }
        let needed = Int((coverage * Double(seconds)).rounded(.up))
        var sum = CompensatedSum()
        var covered = 0
        var best: Double?
        for index in watts.indices {
            if let value = watts[index] {
                sum.add(value)
                covered += 1
            }
            if index >= seconds, let left = watts[index - seconds] {
                sum.add(-left)
                covered -= 1
            }
            let mean = sum.value / Double(seconds)
            if index >= seconds - 1, covered >= needed, best.map({ mean > $0 }) ?? true, counts(index - seconds + 1) {
                best = mean
            }
        }
        return best
    }
}

extension DistanceCurve {
    /// The latest instant at which the curve has a value that it reaches: where a stretch begins that does not wait.
    package func leaving(_ value: Double) -> Crossing? {
        let index = pieces.partitionPoint { $0.to <= value + Self.tolerance }
        guard index < pieces.count else { return nil }
        let piece = pieces[index]
        guard piece.from < value, piece.interval.seconds > 0 else {
            // The instant belongs to the record that ends there, if one does.
            let before = index > 0 ? pieces[index - 1] : nil
            let ends = before.map { $0.interval.seconds > 0 && $0.interval.end == piece.interval.start } ?? false
            return Crossing(
                instant: piece.interval.start,
                uncertaintySeconds: ends ? piece.interval.start - (before?.record.start ?? piece.interval.start) : 0)
        }
        return piece.crossing(after: (value - piece.from) / (piece.to - piece.from))
    }
}
