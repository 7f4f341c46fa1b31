internal import Foundation

/// Recovery, sleep, strain and the effort of a day, on scales from 0 to 100.
///
/// Not medical advice; a published-method score of this program, not a vendor's. The bands of recovery are those that WHOOP
/// publishes; the target effort follows T. J. Gabbett's range of load ratios (BJSM 2016;50:273), as a rule of thumb.
package struct DailyScores: Sendable, Equatable {
    /// Counted up when a formula of a score changes.
    package static let version: Int64 = 1
    /// The sleep that a day needs where the settings say nothing, in seconds.
    package static let sleepNeedSeconds = 28_800.0

    /// How ready the athlete is.
    package enum Band: String, Sendable {
        case green, amber, red

        /// What part of the CTL a day of this band may be.
        package var effortShare: Double {
            switch self {
            case .green: 1.3
            case .amber: 1.0
            case .red: 0.5
            }
        }
    }

    /// How the parts of recovery count, and where its bands begin, where the settings say nothing.
    package static let hrvWeight = 0.4
    package static let rhrWeight = 0.25
    package static let sleepWeight = 0.35
    package static let greenFrom = 67.0
    package static let amberFrom = 34.0

    package private(set) var recovery: Double?
    package private(set) var band: Band?
    package private(set) var sleep: Double?
    package private(set) var strain: Double?
    package private(set) var effortTarget: Double?

    /// - Parameters:
    ///   - variability: the standard score of the heart rate variability.
    ///   - restingHeartRate: the standard score of the resting heart rate.
    ///   - sleepRatio: sleep by the sleep needed.
    ///   - stress: the day's training stress.
    ///   - ctl: the day's fitness.
    package init(
        variability: Double?, restingHeartRate: Double?, sleepRatio: Double?, stress: Double?, ctl: Double?,
        _ settings: AthleteSettings.Score
    ) {
        sleep = sleepRatio.map { Self.clamped(100 * $0) }
        let parts = [
            variability.map { (settings.hrvWeight ?? Self.hrvWeight, Self.clamped(50 + 25 * $0)) },
            restingHeartRate.map { (settings.rhrWeight ?? Self.rhrWeight, Self.clamped(50 - 25 * $0)) },
            sleep.map { (settings.sleepWeight ?? Self.sleepWeight, $0) },
        ].compactMap(\.self)
        let total = parts.reduce(0) { $0 + $1.0 }
        if parts.count >= 2, total > 0 {
            let recovery = parts.reduce(0) { $0 + $1.0 * $1.1 } / total
            self.recovery = recovery
            let green = settings.greenFrom ?? Self.greenFrom
            let amber = settings.amberFrom ?? Self.amberFrom
            band = recovery >= green ? .green : recovery >= amber ? .amber : .red
        }
        strain = stress.map(Self.effort)
        if let band, let ctl { effortTarget = Self.effort(of: band.effortShare * ctl) }
    }

    /// 100·(1 − e^(−stress/100)).
    package static func effort(of stress: Double) -> Double { 100 * (1 - exp(-stress / 100)) }

    private static func clamped(_ value: Double) -> Double { min(100, max(0, value)) }
}
