internal import Basics

/// What is known of the athlete on the day of a workout: the settings' period, and what the observation itself shows.
package struct Athlete: Sendable, Equatable {
    /// The settings' period of the day.
    package var period: AthleteSettings.Period?
    package var sex: AthleteSettings.Sex
    /// bpm: the setting, else 220 minus the age on the day; nil without either.
    package var maxHeartRate: Double?
    /// Whether it follows from the age.
    package var isMaximumEstimated: Bool
    /// bpm: the setting, else the median of the resting heart rates of the 30 days before; else nil.
    package var restingHeartRate: Double?

    /// The latest functional threshold power of cycling in W that a record states; a setting counts before it.
    package var recordedThresholdPower: Double?
    /// Whether no setting says what a heart rate is weighed with, and the observation did not read a type that would.
    package var isHeartRateUnread = false
    /// The same of the threshold power of rides.
    package var isThresholdPowerUnread = false

    /// - Parameters:
    ///   - day: days from 1970-01-01.
    ///   - sex: the characteristic that the observation shows.
    ///   - birthDay: likewise, in days from 1970-01-01.
    ///   - recordedRestingHeartRate: the median of the 30 days before.
    ///   - recordedThresholdPower: of the latest record before.
    package init(
        _ settings: AthleteSettings, on day: Int, sex: AthleteSettings.Sex? = nil, birthDay: Int? = nil,
        recordedRestingHeartRate: Double? = nil, recordedThresholdPower: Double? = nil
    ) {
        period = settings.period(on: day)
        self.sex = settings.sex ?? sex ?? .unset
        let estimate = (settings.birthDay ?? birthDay).map { 220 - Double(Self.age(born: $0, on: day)) }
        maxHeartRate = period?.maxHeartRate ?? estimate.flatMap { $0 > 0 ? $0 : nil }
        isMaximumEstimated = period?.maxHeartRate == nil && maxHeartRate != nil
        restingHeartRate = period?.restingHeartRate ?? recordedRestingHeartRate
        self.recordedThresholdPower = recordedThresholdPower
    }

    /// Watts that the athlete can hold for an hour, by the type of the power: of rides the setting, else the latest record of it
    /// before the workout; of runs the setting alone.
    package func thresholdPower(of type: SeriesType?) -> Double? {
        switch type {
        case .some(.cyclingPower): period?.ftpWatts ?? recordedThresholdPower
        case .some(.runningPower): period?.runningThresholdWatts
        default: nil
        }
    }

    /// The settings that the heart-rate reserve needs and nothing says.
    var missingHeartRates: Set<String> {
        Set([("maxHeartRate", maxHeartRate), ("restingHeartRate", restingHeartRate)].filter { $0.1 == nil }.map(\.0))
    }

    /// Full years.
    package static func age(born: Int, on day: Int) -> Int {
        let (birth, now) = (CivilDate.date(daysSince1970: born), CivilDate.date(daysSince1970: day))
        return now.year - birth.year - ((now.month, now.day) < (birth.month, birth.day) ? 1 : 0)
    }
}
