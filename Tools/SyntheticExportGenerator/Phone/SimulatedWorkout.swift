/// A workout of one day, as everything that belongs to it needs it.
struct SimulatedWorkout {
    /// 1 for the first of the day.
    let number: Int
    let start: Int
    let end: Int
    let activity: Activity
    let uuid: UniqueIdentifier
    let hash: UInt64

    /// The kinds of workout that occur.
    enum Activity: String {
        case walking = "Walking"
        case running = "Running"
        case cycling = "Cycling"
        case strength = "TraditionalStrengthTraining"

        /// Whether distance on foot is recorded.
        var isOnFoot: Bool { self == .walking || self == .running }
    }

    /// Whether a route was recorded.
    var hasRoute: Bool { activity != .strength && hash % 3 != 0 }

    /// Seconds with their fraction: workouts do not end on whole seconds.
    var durationSeconds: Double { Double(end - start) + Hashing.unit(Hashing.mix(hash)) * 0.9 }
}
