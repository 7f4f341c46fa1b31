/// What the records of all days say of one day: its physiology, its load and its scores.
package struct DailyMetrics: Sendable {
    /// Days since 1970-01-01 in the chain's zone.
    package let day: Int64
    package internal(set) var physio: Physio
    /// Nil where the export lacks the workouts.
    package internal(set) var stress: DailyStress?
    /// Nil before the load's first day.
    package internal(set) var load: TrainingLoad?
    /// Watts; nil without a ride with power in the 90 days up to the day.
    package internal(set) var thresholdPower: Double?
    package internal(set) var scores: DailyScores
    package internal(set) var features: DailyFeatures
    package internal(set) var labels: Set<Label>

    /// What the body says; nil for what nothing was recorded of.
    package struct Physio: Sendable, Equatable {
        /// Milliseconds.
        package internal(set) var hrv: Double?
        package internal(set) var hrvBaseline: Double?
        /// Beats per minute.
        package internal(set) var rhr: Double?
        package internal(set) var rhrBaseline: Double?
        /// Seconds.
        package internal(set) var sleepDuration: Double?
        package internal(set) var sleepBaseline: Double?
        /// Records in the mean of `hrv`.
        package internal(set) var hrvCount: Int?
        /// Milliseconds.
        package internal(set) var hrvRmssd: Double?
        package internal(set) var sleepSource: String?
        /// Seconds.
        package internal(set) var sleepUnion: Double?
        package internal(set) var inBed: Double?
        package internal(set) var naps: Double?
        /// Of the night, in seconds; nil without sleep.
        package internal(set) var stages: SleepStages?
    }
}

/// What was recorded, as far as days are made of it.
package struct DailyInputs: Sendable {
    /// The kinds of records that days are made of.
    package enum Kind: String, Sendable, CaseIterable {
        case variability, restingHeartRate, sleep, workouts
        /// The heart rates and powers of workouts, without which their stress is missing.
        case workoutSeries
        /// Steps, distance and energy; nothing else follows from them.
        case totals
    }

    /// The days on which a record starts.
    package private(set) var days: Set<Int64> = []
    /// The day of the export.
    package var exportDay: Int64
    /// SDNN records in the order of their starts.
    package var variability: [HeartRateVariability.Record] = []
    /// RMSSD records in the order of their starts.
    package var nativeVariability: [HeartRateVariability.Record] = []
    /// Beats per minute by day.
    package var restingHeartRates: [Int64: Double] = [:]
    package var sleep: [Int64: SleepDay] = [:]
    /// The records of variability (SDNN), resting heart rate and sleep (the value is the stage's place), in the order of
    /// readings: why days differ follows from them.
    package var readings: [Kind: [Reading]] = [:]
    /// Without duplicates.
    package var workouts: [DailyWorkout] = []
    /// What the observation did not read, or not whole.
    package var missing: Set<Kind> = []
    /// Labels of records that were left out, by their day.
    package var labels: [Int64: Set<Label>] = [:]

    package init(exportDay: Int64) { self.exportDay = exportDay }

    /// Takes a record into account for the days that have rows.
    package mutating func include(_ day: Int64) { days.insert(day) }

    /// The days that have rows.
    package var range: DayRange { DayRange(days, exportDay: exportDay) }

    /// Adds the workouts that count.
    package mutating func add(_ workouts: [DailyWorkout]) {
        self.workouts += workouts
        for workout in workouts { include(workout.day) }
    }
}
