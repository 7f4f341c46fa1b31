/// The stress of a workout on the scale on which an hour at the threshold is 100: of its power, or else of its heart rate.
///
/// Power (TSS, Coggan) needs power values for 80 % of the active time and a threshold power; heart rate (hrTSS) needs heart
/// rates for 80 %, a maximum and a resting heart rate. Where neither is there, there is no stress, and never the impulse in
/// its place: the two are on different scales.
package struct TrainingStress: Sendable, Equatable {
    /// What the stress was computed from.
    package enum Method: String, Sendable {
        case power, heartRate
    }

    /// The power of a workout: watts, and the active seconds with a power value.
    package typealias Power = (normalized: Double, coveredSeconds: Double)

    /// What an athlete's settings and records say of the day of a workout; nil for what nobody says.
    package struct Thresholds: Sendable, Equatable {
        /// Watts that the athlete can hold for an hour in this kind of activity.
        package var power: Double?
        /// The name of its setting.
        package var powerSetting = "ftpWatts"
        /// Beats per minute.
        package var maxHeartRate: Double?
        /// Whether the maximum is 220 minus the age.
        package var isMaxEstimated = false
        /// Beats per minute.
        package var restingHeartRate: Double?
        /// Beats per minute that the athlete can hold for an hour.
        package var thresholdHeartRate: Double?
        package var sex = AthleteSettings.Sex.unset
        /// Whether the threshold power is of a type that the observation did not read, or not whole.
        package var isPowerUnread = false
        /// Whether something that a heart rate is weighed with is.
        package var isHeartRateUnread = false

        package init() {}

        /// The settings that the heart-rate reserve needs and nothing says.
        var missingHeartRates: Set<String> {
            Set(
                [("maxHeartRate", maxHeartRate), ("restingHeartRate", restingHeartRate)].filter { $0.1 == nil }
                    .map(\.0))
        }
    }

    package private(set) var value: Double?
    package private(set) var method: Method?
    /// The stress of the heart rate, whichever method counts.
    package private(set) var heartRateValue: Double?
    /// The impulse of the heart rate; nil without enough heart rate, a maximum and a resting heart rate.
    package private(set) var trimp: Double?
    /// Normalized power over threshold power; nil without them.
    package private(set) var intensityFactor: Double?
    package private(set) var labels: Set<Label> = []
    /// The settings without which there is no stress although the records would give one.
    package private(set) var missingSettings: Set<String> = []

    /// The share of the active time that must have values.
    package static let coverage = 0.8
    /// Where no threshold heart rate is set, this share of the heart rate reserve above rest.
    package static let thresholdShare = 0.85

    /// - Parameters:
    ///   - power: nil for a workout without power values.
    ///   - heartRate: nil for a workout without heart rates.
    package init(_ active: ActiveTime, power: Power?, heartRate: HeldValues?, _ thresholds: Thresholds) {
        let needed = Self.coverage * active.activeSeconds
        guard active.activeSeconds > 0 else {
            labels = [.stressMissing]
            return
        }
        var heartRateStress: Double?
        if let heartRate, let max = thresholds.maxHeartRate, let rest = thresholds.restingHeartRate,
            heartRate.summary(in: active.workout, active).coveredSeconds >= needed,
            let impulse = TrainingImpulse(restingHeartRate: rest, maxHeartRate: max, sex: thresholds.sex)
        {
            let trimp = impulse.value(heartRate, active)
            self.trimp = trimp
            if thresholds.isMaxEstimated { labels.insert(.maxHeartRateEstimated) }
            let threshold = thresholds.thresholdHeartRate ?? rest + Self.thresholdShare * (max - rest)
            let hour = 60 * impulse.perMinute(threshold)
            if hour > 0 { heartRateStress = 100 * trimp / hour }
            heartRateValue = heartRateStress
        }
        if let power, let threshold = thresholds.power, threshold > 0, power.coveredSeconds >= needed {
            let intensity = power.normalized / threshold
            intensityFactor = intensity
            value = Self.value(seconds: active.activeSeconds, normalizedPower: power.normalized, threshold: threshold)
            method = .power
        } else if let heartRateStress {
            value = heartRateStress
            method = .heartRate
            if thresholds.thresholdHeartRate == nil { labels.insert(.thresholdEstimated) }
        } else {
            labels.insert(.stressMissing)
            if (power?.coveredSeconds ?? 0) >= needed, thresholds.power == nil {
                missingSettings.insert(thresholds.powerSetting)
            }
            if (heartRate?.summary(in: active.workout, active).coveredSeconds ?? 0) >= needed {
                missingSettings.formUnion(thresholds.missingHeartRates)
            }
        }
        if power != nil && thresholds.isPowerUnread || heartRate != nil && thresholds.isHeartRateUnread {
            labels.insert(.typeExcluded)
        }
    }

    /// TSS = 100·s·NP·IF/(FTP·3600).
    package static func value(seconds: Double, normalizedPower: Double, threshold: Double) -> Double {
        100 * seconds * normalizedPower * (normalizedPower / threshold) / (threshold * 3600)
    }
}
