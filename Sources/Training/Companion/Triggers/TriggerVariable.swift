/// What a trigger's expression can name.
package enum TriggerVariable: String, Sendable, CaseIterable {
    /// Metres since the start.
    case distance
    /// Active seconds since the start.
    case duration
    /// Seconds per kilometre of the last 30 active seconds.
    case currentPace = "current_pace"
    /// Seconds per kilometre since the start.
    case averagePace = "avg_pace"
    /// Seconds per kilometre that are planned here.
    case targetPace = "target_pace"
    /// The speed of the last 180 active seconds over the planned one; above 1 is faster.
    case paceRatio = "pace_3min_ratio"
    /// Beats per minute.
    case heartRate = "hr"
    /// The number of the heart-rate zone, from 1.
    case heartRateZone = "hr_zone"
    /// Steps per minute of the last 30 active seconds.
    case cadence
    /// The hour of the day on the workout's clocks, 0 to 23.
    case hour = "time_of_day_hour"
}

/// The values of the variables at one instant of a workout, without those that are not known there.
package typealias TriggerValues = [TriggerVariable: Double]
