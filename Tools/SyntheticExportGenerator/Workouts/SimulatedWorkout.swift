/// A workout of one day, as everything that belongs to it needs it.
struct SimulatedWorkout {
    /// 1 for the first of the day.
    let number: Int
    /// Of the phone's history.
    let day: Int
    /// Unix seconds.
    let start: Int
    let end: Int
    let activity: Activity
    /// The watch worn on the day, or the app that wrote its own copy of a workout.
    let source: Source
    let hash: UInt64
    /// From here on the watch's samples are the workout's: those before belong to the workout that it overlaps.
    var recordingStart: Int
    /// The workout of which an app wrote a copy of its own; empty for the watch's.
    var original: [SimulatedWorkout] = []

    /// The UUID by which the condenser names it.
    var uuid: UniqueIdentifier { UniqueIdentifier(hash: hash) }

    enum Activity: String {
        case walking = "Walking"
        case running = "Running"
        case cycling = "Cycling"
        case strength = "TraditionalStrengthTraining"
        case swimming = "Swimming"
        case triathlon = "SwimBikeRun"

        /// The type that holds the distance; nil where none is recorded, and for a triathlon, which has three.
        var distanceType: String? {
            switch self {
            case .walking, .running: "HKQuantityTypeIdentifierDistanceWalkingRunning"
            case .cycling: "HKQuantityTypeIdentifierDistanceCycling"
            case .swimming: "HKQuantityTypeIdentifierDistanceSwimming"
            case .strength, .triathlon: nil
            }
        }
    }

    /// One sport of the workout: a `WorkoutActivity` of the export.
    struct Leg {
        let activity: Activity
        let start: Int
        let end: Int
    }

    /// The sports in their order: one, or the three of a triathlon with two minutes between them.
    var legs: [Leg] {
        guard activity == .triathlon else { return [Leg(activity: activity, start: start, end: end)] }
        let swimEnd = start + (end - start) / 5
        let rideEnd = start + (end - start) * 7 / 10
        return [
            Leg(activity: .swimming, start: start, end: swimEnd),
            Leg(activity: .cycling, start: swimEnd + 120, end: rideEnd),
            Leg(activity: .running, start: rideEnd + 120, end: end),
        ]
    }

    /// Whether the watch recorded it.
    var isWatchs: Bool { source.isWatch }

    var hasRoute: Bool {
        guard isWatchs, hash % 3 != 0 else { return false }
        return activity != .strength && activity != .triathlon
    }

    /// Indoors: strength, and runs without a route.
    var isIndoor: Bool { activity == .strength || (activity == .running && !hasRoute) }

    /// Whether iOS 18 and later estimate an effort for it.
    var hasEffort: Bool { isWatchs && hash % 2 == 0 }

    /// The run of a running app, of which `aarcRunId` metadata names the identifier; nil for all other workouts.
    var appRun: UniqueIdentifier? {
        guard isWatchs, activity == .running, hash >> 24 & 1 == 0 else { return nil }
        return UniqueIdentifier(hash: Hashing.mix(hash &+ 55))
    }

    /// Seconds in `duration` behind the whole ones: workouts do not end on whole seconds.
    var fraction: Double { Hashing.unit(Hashing.mix(hash)) * 0.9 }

    /// How many seconds of two intervals are the same.
    func overlap(_ otherStart: Int, _ otherEnd: Int) -> Int { max(0, min(end, otherEnd) - max(start, otherStart)) }
}
