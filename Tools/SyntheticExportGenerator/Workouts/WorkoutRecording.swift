/// What a watch records of a type during workouts, and how often.
struct WorkoutRecording {
    enum Quantity {
        case heartRate, distance, activeEnergy, basalEnergy, steps, strokes, power, cadence

        /// Whether it adds up; the others are levels.
        var isCumulative: Bool { self != .heartRate && self != .power && self != .cadence }
    }

    let quantity: Quantity
    /// The sports in which it is recorded; empty for all.
    var activities: [SimulatedWorkout.Activity] = []
    /// Seconds from sample to sample on a phone of ordinary density.
    let seconds: Double

    func covers(_ activity: SimulatedWorkout.Activity) -> Bool {
        activities.isEmpty || activities.contains(activity)
    }

    /// What an effort makes of it: units of the type a second for what is summed, else the level itself.
    ///
    /// Speeds and powers are those of a trained amateur: at an effort of 0.5 a run of 5:23 a kilometre, a ride of 24 km/h
    /// with 190 W.
    func level(_ activity: SimulatedWorkout.Activity?, effort: Double) -> Double {
        switch (quantity, activity) {
        case (.heartRate, _): 85 + 100 * effort
        case (.activeEnergy, _): (1.5 + 14 * effort) / 60
        case (.basalEnergy, _): 1.31 / 60
        case (.distance, .walking): (1.1 + 0.6 * effort) / 1000
        case (.distance, .running): (2 + 2.2 * effort) / 1000
        case (.distance, .cycling): (3.5 + 6.4 * effort) / 1000
        case (.distance, .swimming): 0.6 + 0.5 * effort
        case (.steps, .running): (150 + 25 * effort) / 60
        case (.steps, _): (98 + 30 * effort) / 60
        case (.strokes, _): (20 + 10 * effort) / 60
        case (.power, .cycling): 75 + 230 * effort
        case (.power, _): 90 + 270 * effort
        case (.cadence, _): 68 + 28 * effort
        case (.distance, _): 0
        }
    }
}
