internal import Foundation

/// Fitness and fatigue: exponentially weighted means of the daily stress over 42 and 7 days.
///
/// y = stress·(1 − e^(−1/N)) + y′·e^(−1/N), every calendar day, days without records too. Source: A. Coggan's performance
/// manager as GoldenCheetah, WKO and Elevate compute it.
package struct TrainingLoad: Sendable, Equatable {
    /// CTL, N = 42 days.
    package var ctl: Double
    /// ATL, N = 7 days.
    package var atl: Double
    /// CTL minus ATL of the day before.
    package var form: Double
    /// 1 − e^(−n/42) at the n-th day of the load: how much of the mean is measured and not its beginning.
    package var confidence: Double

    /// CTL minus ATL of the same day.
    package var tsb: Double { ctl - atl }
    /// Whether the load began so recently that its beginning still counts for more than 5 %.
    package var isWarmingUp: Bool { confidence < 0.95 }

    package static let longDays = 42.0
    package static let shortDays = 7.0

    /// The loads of consecutive days.
    ///
    /// - Parameters:
    ///   - stress: of each day from the one after the seed.
    ///   - seed: the load at the end of the day before; 0 without one.
    package static func series(_ stress: [Double], from seed: AthleteSettings.LoadSeed? = nil) -> [TrainingLoad] {
        let (long, short) = (exp(-1 / longDays), exp(-1 / shortDays))
        var (ctl, atl) = (seed?.ctl ?? 0, seed?.atl ?? 0)
        return stress.enumerated().map { index, stress in
            let form = ctl - atl
            ctl = stress * (1 - long) + ctl * long
            atl = stress * (1 - short) + atl * short
            return TrainingLoad(
                ctl: ctl, atl: atl, form: form, confidence: 1 - exp(-Double(index + 1) / longDays))
        }
    }
}
