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
    ///   - powerType: of the records of power; nil where the activity has none.
    ///   - heartRate: nil for a workout without heart rates.
    package init(
        _ active: ActiveTime, power: Power?, _ powerType: SeriesType?, heartRate: HeldValues?, _ athlete: Athlete
    ) {
        let needed = Self.coverage * active.activeSeconds
        guard active.activeSeconds > 0 else {
            labels = [.stressMissing]
            return
        }
        var heartRateStress: Double?
        if let heartRate, let max = athlete.maxHeartRate, let rest = athlete.restingHeartRate,
            heartRate.summary(in: active.workout, active).coveredSeconds >= needed,
            let impulse = TrainingImpulse(restingHeartRate: rest, maxHeartRate: max, sex: athlete.sex)
        {
            let trimp = impulse.value(heartRate, active)
            self.trimp = trimp
            if athlete.isMaximumEstimated { labels.insert(.maxHeartRateEstimated) }
            let threshold = athlete.period?.thresholdHeartRate ?? rest + Self.thresholdShare * (max - rest)
            let hour = 60 * impulse.perMinute(threshold)
            if hour > 0 { heartRateStress = 100 * trimp / hour }
            heartRateValue = heartRateStress
        }
        let thresholdPower = athlete.thresholdPower(of: powerType)
        if let power, let threshold = thresholdPower, threshold > 0, power.coveredSeconds >= needed {
            let intensity = power.normalized / threshold
            intensityFactor = intensity
            value = Self.value(seconds: active.activeSeconds, normalizedPower: power.normalized, threshold: threshold)
            method = .power
        } else if let heartRateStress {
            value = heartRateStress
            method = .heartRate
            if athlete.period?.thresholdHeartRate == nil { labels.insert(.thresholdEstimated) }
        } else {
            labels.insert(.stressMissing)
            if (power?.coveredSeconds ?? 0) >= needed, thresholdPower == nil {
                missingSettings.insert(powerType == .runningPower ? "runningThresholdWatts" : "ftpWatts")
            }
            if (heartRate?.summary(in: active.workout, active).coveredSeconds ?? 0) >= needed {
                missingSettings.formUnion(athlete.missingHeartRates)
            }
        }
        let isPowerUnread = powerType == .cyclingPower && athlete.isThresholdPowerUnread
        if power != nil && isPowerUnread || heartRate != nil && athlete.isHeartRateUnread {
            labels.insert(.typeExcluded)
        }
    }

    /// TSS = 100·s·NP·IF/(FTP·3600).
    package static func value(seconds: Double, normalizedPower: Double, threshold: Double) -> Double {
        100 * seconds * normalizedPower * (normalizedPower / threshold) / (threshold * 3600)
    }
}
