/// A sample type whose records belong to workouts, with the unit in which formulas take its values.
package struct SeriesType: RawRepresentable, Sendable, Hashable {
    /// The full identifier.
    package let rawValue: String

    package init(rawValue: String) { self.rawValue = rawValue }

    private init(_ name: String) { rawValue = "HKQuantityTypeIdentifier" + name }

    package static let heartRate = SeriesType("HeartRate")
    package static let activeEnergy = SeriesType("ActiveEnergyBurned")
    package static let basalEnergy = SeriesType("BasalEnergyBurned")
    package static let steps = SeriesType("StepCount")
    package static let distanceWalkingRunning = SeriesType("DistanceWalkingRunning")
    package static let distanceCycling = SeriesType("DistanceCycling")
    package static let cyclingPower = SeriesType("CyclingPower")
    package static let runningPower = SeriesType("RunningPower")
    package static let cyclingCadence = SeriesType("CyclingCadence")
    package static let swimmingStrokes = SeriesType("SwimmingStrokeCount")
    package static let runningSpeed = SeriesType("RunningSpeed")
    package static let cyclingSpeed = SeriesType("CyclingSpeed")

    /// The types that are read for every workout, beside its distance type.
    package static let always: [SeriesType] = [
        heartRate, activeEnergy, basalEnergy, steps, cyclingPower, runningPower, cyclingCadence, swimmingStrokes,
        runningSpeed, cyclingSpeed,
    ]

    /// Whether it measures a distance.
    package var isDistance: Bool { rawValue.hasPrefix("HKQuantityTypeIdentifierDistance") }

    /// Whether its values add up.
    package var isCumulative: Bool {
        isDistance || [Self.activeEnergy, .basalEnergy, .steps, .swimmingStrokes].contains(self)
    }

    /// The unit of the formulas, as exports spell it.
    package var unit: String {
        switch self {
        case .heartRate, .cyclingCadence: "count/min"
        case .activeEnergy, .basalEnergy: "kcal"
        case .steps, .swimmingStrokes: "count"
        case .cyclingPower, .runningPower: "W"
        case .runningSpeed, .cyclingSpeed: "m/s"
        default: "m"
        }
    }
}
