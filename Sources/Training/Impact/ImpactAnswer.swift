package import Days
package import HealthModel
package import Store

/// What the difference of two observations does to workouts and days, and how much of it is HealthKit's consolidation.
package struct ImpactAnswer: Sendable {
    package var from: Observation
    package var to: Observation
    package var through: Bool
    package var zone: ChainZone
    package var settingsSHA256: String
    package var rulesVersion: Int
    /// Those with a difference, the most affected first.
    package var workouts: [WorkoutImpact] = []
    /// Those with a difference, the most affected first.
    package var days: [DayImpact] = []
    /// Of workouts, then of days, in the order of the figures.
    package var summary: [ImpactSummary] = []
    /// The loads of the days that both observations know.
    package var loads: [LoadDay] = []
    /// Workouts of the later observation with at most one heart rate a minute.
    package var sparseWorkouts = 0
    /// Those of them of which the archive has all readings, and the days on which they start; and those that never had
    /// more. Of the others the archive has a part, or nothing.
    package var archiveOnly = (workouts: 0, days: 0, neverMore: 0)

    /// The load of a day: at both observations, and at the later one with consolidation undone.
    package struct LoadDay: Sendable {
        /// Days since 1970-01-01.
        package var day: Int64
        package var states: [TrainingLoad?]
    }

    /// Whether the two observations say the same.
    package var isEmpty: Bool { workouts.isEmpty && days.isEmpty }

    /// A sentence on what the archive alone has.
    package var headline: String {
        "\(sparseWorkouts) workout\(sparseWorkouts == 1 ? "" : "s") in the export "
            + "\(sparseWorkouts == 1 ? "has" : "have") at most 1 heart rate a minute; "
            + "\(archiveOnly.workouts) of them \(archiveOnly.workouts == 1 ? "is" : "are") at full resolution in this archive alone"
            + (archiveOnly.neverMore > 0 ? ", \(archiveOnly.neverMore) never had more." : ".")
    }
}

extension [ImpactFigure] {
    /// Those that differ.
    package var changed: [ImpactFigure] { filter(\.isChanged) }
}

/// A workout of which a figure differs.
package struct WorkoutImpact: Sendable {
    /// In the later observation, else in the earlier one.
    package var identity: Digest256
    /// Unix seconds.
    package var start: Double
    /// The activity as the export prints it; nil where it prints none.
    package var activity: String?
    package var groups: Groups
    /// All of them, those that are equal too.
    package var figures: [ImpactFigure]

    /// The consolidation groups within the workout.
    package struct Groups: Sendable, Equatable {
        /// How many there are.
        package var count = 0
        /// How many of them are complete.
        package var restorable = 0
        /// The UUIDs in their condenser's identifiers, in order.
        package var workouts: [String] = []
        /// The types with groups that are not complete.
        package var incompleteTypes: Set<SeriesType> = []

        package init() {}
    }

    /// The largest difference in units of its threshold.
    package var size: Double { figures.map(\.size).max() ?? 0 }
}

/// A day of which a figure differs.
package struct DayImpact: Sendable {
    /// Days since 1970-01-01.
    package var day: Int64
    /// All of them, those that are equal too.
    package var figures: [ImpactFigure]

    package var size: Double { figures.map(\.size).max() ?? 0 }
}
