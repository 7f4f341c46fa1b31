internal import Basics

/// How far a route climbs and descends, with a hysteresis of 3 m.
///
/// Source: the rule of GoldenCheetah's ride metrics: a change counts once it exceeds 3 m from where the last one ended.
package enum Elevation {
    private static let hysteresis = 3.0

    /// The metres climbed and descended.
    package static func climb(_ metres: [Double]) -> (gain: Double, loss: Double) {
        var (gain, loss) = (0.0, 0.0)
        guard var reference = metres.first else { return (0, 0) }
        for value in metres.dropFirst() {
            if value > reference + hysteresis {
                gain += value - reference
                reference = value
            } else if value < reference - hysteresis {
                loss += reference - value
                reference = value
            }
        }
        return (gain, loss)
    }

    /// The elevation at an instant, linear between points; nil outside them.
    package static func metres(at instant: Double, _ points: [(instant: Double, metres: Double)]) -> Double? {
        let index = points.partitionPoint { $0.instant < instant }
        guard index < points.count else { return nil }
        if points[index].instant == instant { return points[index].metres }
        guard index > 0 else { return nil }
        let (a, b) = (points[index - 1], points[index])
        return a.metres + (b.metres - a.metres) * (instant - a.instant) / (b.instant - a.instant)
    }
}
