/// What a trigger's expression can name.
package enum TriggerVariable: String, Sendable, CaseIterable {
    case distance
    case duration
    case currentPace = "current_pace"
    case averagePace = "avg_pace"
    case targetPace = "target_pace"
    case paceRatio = "pace_3min_ratio"
    case heartRate = "hr"
    case heartRateZone = "hr_zone"
    case cadence
    case hour = "time_of_day_hour"
}

/// The values of the variables at one instant of a workout; nil for what is not known there.
package struct TriggerValues: Equatable, Sendable {
    /// Metres since the start.
    package var distance: Double?
    /// Active seconds since the start.
    package var duration: Double?
    /// Seconds per kilometre of the last 30 active seconds.
    package var currentPace: Double?
    /// Seconds per kilometre since the start.
    package var averagePace: Double?
    /// Seconds per kilometre that are planned here.
    package var targetPace: Double?
    /// The speed of the last 180 active seconds over the planned one; above 1 is faster.
    package var paceRatio: Double?
    /// Beats per minute.
    package var heartRate: Double?
    /// The number of the heart-rate zone, from 1.
    package var heartRateZone: Double?
    /// Steps per minute of the last 30 active seconds.
    package var cadence: Double?
    /// The hour of the day on the workout's clocks, 0 to 23.
    package var hour: Double?

    package init() {}

    package subscript(variable: TriggerVariable) -> Double? {
        switch variable {
        case .distance: distance
        case .duration: duration
        case .currentPace: currentPace
        case .averagePace: averagePace
        case .targetPace: targetPace
        case .paceRatio: paceRatio
        case .heartRate: heartRate
        case .heartRateZone: heartRateZone
        case .cadence: cadence
        case .hour: hour
        }
    }
}
