/// How the samples of a type come about during a day.
enum Pattern {
    /// Intervals outside workouts; `rate` units a minute.
    case stream(perDay: Double, rate: Double, phoneShare: Double)
    /// Heart rate: points between workouts.
    case heartRate(perDay: Double)
    /// Heart rate variability over a minute, by day and by night; its value is that of the beats printed with it.
    case variability(perDay: Double)
    /// Nothing but what workouts record.
    case onlyInWorkouts
    /// Points or intervals spread over the waking hours or the night.
    case spot(
        perDay: Double, low: Double, high: Double, seconds: Int, source: Source = .watch, atNight: Bool = false)
    /// Whole numbers over short intervals.
    case counted(perDay: Double, low: Int, high: Int, seconds: Int, source: Source)
    /// At most one a day.
    case daily(probability: Double, low: Double, high: Double, source: Source, wholeDay: Bool)
    /// One for every hour awake.
    case standHours
    /// Stages of the night by the watch, time in bed by the phone, and an app that repeats itself.
    case sleep
    /// Intervals without a value.
    case mindful(perDay: Double)
    /// Meals: the member with the given position, or the correlation itself.
    case meal(member: Int?)
    /// Blood pressure: the member with the given position, or the correlation itself.
    case pressure(member: Int?)
    /// Workouts, with all that hangs on them.
    case workout
    /// One a day, of the day's totals.
    case activitySummary
    /// One every so many days.
    case every(days: Int)
    /// One in the whole history.
    case once
}
