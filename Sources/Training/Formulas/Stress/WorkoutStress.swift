/// The stress of a workout with what it follows from, and without the rest of a workout's figures: what days need.
package struct WorkoutStress: Sendable {
    package let active: ActiveTime
    package let power: PowerFigures?
    package let powerType: SeriesType?
    package let stress: TrainingStress

    /// The types whose records it follows from.
    package static let types: [SeriesType] = [.heartRate, .cyclingPower, .runningPower]

    /// Computes it alone.
    package init(_ facts: WorkoutFacts, _ samples: WorkoutSamples, _ athlete: Athlete) {
        let active = Pauses(facts).activeTime(facts.interval)
        let type = samples.powerType(distance: ActivityTable.shared.distanceType(of: facts))
        self.init(
            active, power: samples.readings(type).map { PowerFigures($0, active) }, type,
            heartRate: samples.readings(.heartRate).map {
                HeldValues($0, hold: HeldValues.heartRateHold, within: facts.interval)
            }, athlete)
    }

    /// Computes it of a workout's figures.
    init(
        _ active: ActiveTime, power: PowerFigures?, _ powerType: SeriesType?, heartRate: HeldValues?, _ athlete: Athlete
    ) {
        (self.active, self.power, self.powerType) = (active, power, powerType)
        let figures = power.flatMap { power in
            power.normalized.map { (normalized: $0, coveredSeconds: power.coveredSeconds) }
        }
        stress = TrainingStress(active, power: figures, powerType, heartRate: heartRate, athlete)
    }

    /// The best 20 minutes of a ride's power in W, wherever their bounds lie; nil for what is no ride, and without enough power.
    package var bestPower: Double? {
        guard powerType == .cyclingPower, let power else { return nil }
        return BestEfforts.highest(EstimatedThresholdPower.seconds, power.watts)
    }
}
