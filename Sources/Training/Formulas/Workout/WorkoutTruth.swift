/// One workout at one observation: everything that its records, its own statements and the athlete's settings amount to.
package struct WorkoutTruth: Sendable {
    package let facts: WorkoutFacts
    package let samples: WorkoutSamples
    package let athlete: Athlete
    package let pauses: Pauses
    package let active: ActiveTime
    /// The distance type; nil for an activity without one.
    package let distanceType: SeriesType?
    package let distance: DistanceFigures
    /// The distance of the records; nil without records.
    package let curve: DistanceCurve?
    /// The heart rate at each instant; nil without records.
    package let heldHeartRate: HeldValues?
    /// Nil where the observation lacks the type.
    package let heartRate: HeartRateFigures?
    package let zones: HeartRateZones?
    /// The active seconds in each zone; nil without zones or heart rate.
    package let zoneSeconds: [Double]?
    /// The zones of cycling power that the workout prints (iOS 27); nil without.
    package let powerZones: HeartRateZones?
    /// The active seconds in each of them; nil without zones or power.
    package let powerZoneSeconds: [Double]?
    package let energy: EnergyFigures
    package let cadence: Cadence?
    /// Nil without records of power.
    package let power: PowerFigures?
    /// The training stress, as days count it.
    package let load: WorkoutStress
    /// Nil without a route.
    package let route: Route?
    package let splits: SplitFigures
    package let bestEfforts: BestEffortFigures
    /// The nested activities, each a workout of its own.
    package let activities: [(activity: NestedActivity, truth: WorkoutTruth)]
    package let labels: Set<Label>

    /// How splits are asked for.
    package struct Question: Sendable {
        package var length = Splits.Length.km
        /// Nil for the records' distance, else the route.
        package var source: Splits.Source?

        package init() {}
    }

    package init(
        _ facts: WorkoutFacts, _ samples: WorkoutSamples, _ athlete: Athlete, _ question: Question = Question()
    ) {
        let pauses = Pauses(facts)
        var labels = facts.labels(pauses).union(samples.labels)
        let active = pauses.activeTime(facts.interval)
        let type = ActivityTable.shared.distanceType(of: facts)

        let curve = samples.readings(type).map { DistanceCurve($0, active) }.flatMap { $0.isEmpty ? nil : $0 }
        if curve?.isEdgeProrated == true { labels.insert(.edgeProrated) }
        let route = samples.routePoints.map { Route($0, untimed: samples.untimed, active) }
        labels.formUnion(route?.labels ?? [])
        let activities = facts.activities.map { activity in
            (activity, WorkoutTruth(activity.facts, samples.within(activity.facts.interval), athlete, question))
        }
        let distance = DistanceFigures(facts, type, curve, route, legs: activities.compactMap(\.1.distance.value))
        labels.formUnion(distance.labels)

        let readings = samples.readings(.heartRate)
        let held = readings.map { HeldValues($0, hold: HeldValues.heartRateHold, within: facts.interval) }
        let heartRate =
            samples.unavailable.contains(.heartRate)
            ? nil
            : HeartRateFigures(
                samples.series[.heartRate], held ?? HeldValues([], hold: 0, within: facts.interval), active,
                apple: facts.statistic(.heartRate))
        labels.formUnion(heartRate?.labels ?? [])
        let zones = HeartRateZones.of(facts, athlete)
        if zones?.origin == .reserve, athlete.isMaximumEstimated { labels.insert(.maxHeartRateEstimated) }

        let cadence = Cadence(ActivityTable.shared.movement(of: facts), samples, active)
        let powerType = samples.powerType(distance: type)
        let power = samples.readings(powerType).map { PowerFigures($0, active) }
        load = WorkoutStress(active, power: power, powerType, heartRate: held, athlete)
        labels.formUnion(load.stress.labels)
        let splits = SplitFigures(
            facts, active, curve: curve, route: route, question, heartRate: held, cadence: cadence)
        labels.formUnion(splits.labels)

        (self.facts, self.samples, self.athlete, self.pauses) = (facts, samples, athlete, pauses)
        (self.active, distanceType, self.distance, self.curve) = (active, type, distance, curve)
        (heldHeartRate, self.heartRate, self.zones, self.cadence) = (held, heartRate, zones, cadence)
        zoneSeconds = held.flatMap { held in zones?.seconds(held, active) }
        let powerZones = HeartRateZones.ofPower(facts)
        self.powerZones = powerZones
        powerZoneSeconds = power.flatMap { power in powerZones?.seconds(power) }
        energy = EnergyFigures(facts, samples, active, legs: activities.compactMap(\.1.energy.active))
        if energy.isSumOfLegs { labels.insert(.sumOfActivities) }
        (self.power, self.route, self.splits) = (power, route, splits)
        bestEfforts = BestEffortFigures(
            curve: curve, power: power, powerReadings: samples.readings(powerType) ?? [], active
        )
        self.activities = activities
        self.labels = labels
    }

    /// The training stress of the workout.
    package var stress: TrainingStress { load.stress }

    /// Whether there is anything to compute: the end does not lie before the start.
    package var isValid: Bool { facts.interval.seconds >= 0 }

    /// The seconds of averages: active ones, or Apple's duration where the two do not agree.
    package var averagedSeconds: Double {
        pauses.isMismatched ? facts.appleDuration ?? active.activeSeconds : active.activeSeconds
    }

    /// Seconds a kilometre; nil without a distance or time.
    package var secondsPerKilometre: Double? {
        distance.value.flatMap { $0 > 0 && averagedSeconds > 0 ? averagedSeconds / $0 * 1000 : nil }
    }

    /// Metres a second; nil without a distance or time.
    package var metresPerSecond: Double? {
        averagedSeconds > 0 ? distance.value.map { $0 / averagedSeconds } : nil
    }

    /// Whether none, some or all records carry the condenser's identifier.
    package enum Consolidation: String, Sendable {
        case no, partly, yes

        package init(_ series: [SampleSelection.Series]) {
            let condensed = series.reduce(0) { $0 + $1.condensedCount }
            let count = series.reduce(0) { $0 + $1.readings.count }
            self = condensed == 0 ? .no : condensed == count ? .yes : .partly
        }
    }

    /// That of the visible records of heart rate and distance; nil where the observation lacks one of the types.
    package var consolidated: Consolidation? { samples.consolidated(distance: distanceType) }

    /// The settings without which there are no zones, or no stress, although the records would give them.
    package var missingSettings: Set<String> {
        guard zones == nil, heldHeartRate != nil else { return stress.missingSettings }
        return stress.missingSettings.union(athlete.missingHeartRates)
    }
}
