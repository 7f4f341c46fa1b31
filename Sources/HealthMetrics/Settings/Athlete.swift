internal import TextFormats

/// What is known of the athlete on the day of a workout: the settings' period, and what the observation itself shows.
package struct Athlete: Sendable, Equatable {
    /// The settings' period of the day.
    package var period: AthleteSettings.Period?
    package var sex: AthleteSettings.Sex
    /// bpm: the setting, else 220 minus the age on the day; nil without either.
    package var maxHeartRate: Double?
    /// Whether it follows from the age.
    package var isMaximumEstimated: Bool
    /// bpm: the setting, else the median of the resting heart rates of the 30 days before, of at least seven; else nil.
    package var restingHeartRate: Double?

    /// W: the latest `CyclingFunctionalThresholdPower` that ends before the workout; nil without one.
    package var recordedThresholdPower: Double?

    /// How many days before count for the resting heart rate.
    package static let restingDays = 30
    private static let fewestRestingDays = 7

    /// - Parameters:
    ///   - day: days from 1970-01-01.
    ///   - sex: the characteristic that the observation shows.
    ///   - birthDay: likewise, in days from 1970-01-01.
    ///   - restingHeartRates: one a day, of the 30 days before.
    package init(
        _ settings: AthleteSettings, on day: Int, sex: AthleteSettings.Sex? = nil, birthDay: Int? = nil,
        restingHeartRates: [Double] = []
    ) {
        period = settings.period(on: day)
        self.sex = settings.sex ?? sex ?? .unset
        let estimate = (settings.birthDay ?? birthDay).map { 220 - Double(Self.age(born: $0, on: day)) }
        maxHeartRate = period?.maxHeartRate ?? estimate.flatMap { $0 > 0 ? $0 : nil }
        isMaximumEstimated = period?.maxHeartRate == nil && maxHeartRate != nil
        restingHeartRate =
            period?.restingHeartRate
            ?? (restingHeartRates.count >= Self.fewestRestingDays ? Median.of(restingHeartRates) : nil)
    }

    /// Full years.
    package static func age(born: Int, on day: Int) -> Int {
        let (birth, now) = (CivilDate.date(daysSince1970: born), CivilDate.date(daysSince1970: day))
        return now.year - birth.year - ((now.month, now.day) < (birth.month, birth.day) ? 1 : 0)
    }
}
