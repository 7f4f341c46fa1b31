/// How the samples of a type come about during a day.
enum Pattern {
    /// Contiguous intervals: `perDay` outside workouts, one every `workoutSeconds` inside; `rate` units a minute.
    case stream(perDay: Double, workoutSeconds: Double?, rate: Double, workoutRate: Double, phoneShare: Double)
    /// Heart rate: points between and during workouts.
    case heartRate(perDay: Double, workoutSeconds: Double)
    /// Points or intervals spread over the waking hours or the night.
    case spot(perDay: Double, low: Double, high: Double, seconds: Int, source: Source, atNight: Bool)
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
