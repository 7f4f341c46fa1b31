/// A workout's distance by its records, by Apple's statistics and by its route.
package struct DistanceFigures: Sendable, Equatable {
    /// Metres by the records; nil without any.
    package var samples: Double?
    /// Metres by the statistics, else by the workout's own total.
    package var apple: Double?
    /// Metres of all nested activities; nil where the workout has a distance of its own.
    package var legs: Double?
    /// Metres by the route.
    package var route: Double?
    package var labels: Set<Label> = []

    init(_ facts: WorkoutFacts, _ type: SeriesType?, _ curve: DistanceCurve?, _ route: Route?, legs: [Double]) {
        samples = curve?.total
        apple = Self.apple(facts, type)
        self.route = route?.metres
        if samples == nil, apple == nil, !legs.isEmpty {
            self.legs = legs.reduce(0, +)
            labels.insert(.sumOfActivities)
        }
        guard let samples, let apple, apple > 0 else { return }
        // A ratio would be off 1 % by what dividing rounds away.
        func differs(by share: Double) -> Bool { abs(samples - apple) > share * apple + DistanceCurve.tolerance }
        if differs(by: 0.01) { labels.insert(differs(by: 0.05) ? .distanceUnreliable : .distanceGap) }
    }

    /// Metres by the statistics of the distance type, else by the workout's own total; nil without either.
    package static func apple(_ facts: WorkoutFacts, _ type: SeriesType?) -> Double? {
        type.flatMap { facts.statistic($0)?.sum } ?? facts.totalDistance
    }

    /// Metres by the statistics of a workout, else those of its nested activities together, and whether it is these.
    package static func stated(_ facts: WorkoutFacts) -> (metres: Double?, isSumOfLegs: Bool) {
        if let own = apple(facts, ActivityTable.shared.distanceType(of: facts)) { return (own, false) }
        let legs = facts.activities.compactMap { apple($0.facts, ActivityTable.shared.distanceType(of: $0.facts)) }
        return legs.isEmpty ? (nil, false) : (legs.reduce(0, +), true)
    }

    /// Apple's distance, else the records', else that of the nested activities, else the route's; never rescaled.
    package var value: Double? { apple ?? samples ?? legs ?? route }

    /// The records' distance as a share of Apple's; nil without either.
    package var ratio: Double? { apple.flatMap { apple in apple > 0 ? samples.map { $0 / apple } : nil } }
}

/// A workout's energy in kcal: by the statistics, else by the share of the records within the workout; where there is
/// neither, by the workout's own total, all that exports of before iOS 16 state.
package struct EnergyFigures: Sendable, Equatable {
    package var active: Double?
    package var basal: Double?
    /// Whether the active energy is that of the nested activities together.
    package var isSumOfLegs = false

    init(_ facts: WorkoutFacts, _ samples: WorkoutSamples, _ time: ActiveTime, legs: [Double]) {
        func sum(_ type: SeriesType) -> Double? { samples.readings(type).map { DistanceCurve($0, time).total } }
        active = facts.statistic(.activeEnergy)?.sum ?? sum(.activeEnergy) ?? facts.totalEnergy
        basal = facts.statistic(.basalEnergy)?.sum ?? sum(.basalEnergy)
        if active == nil, !legs.isEmpty { (active, isSumOfLegs) = (legs.reduce(0, +), true) }
    }

    /// The active energy in kcal by the statistics, else by the workout's own total, else those of its nested activities
    /// together, and whether it is these.
    package static func stated(_ facts: WorkoutFacts) -> (kilocalories: Double?, isSumOfLegs: Bool) {
        func own(_ facts: WorkoutFacts) -> Double? { facts.statistic(.activeEnergy)?.sum ?? facts.totalEnergy }
        if let own = own(facts) { return (own, false) }
        let legs = facts.activities.compactMap { own($0.facts) }
        return legs.isEmpty ? (nil, false) : (legs.reduce(0, +), true)
    }
}

/// The cadence of a workout: steps or strokes a minute of active time, or the mean of the revolutions above 0.
package struct Cadence: Sendable {
    private enum Origin: Sendable {
        case counted(DistanceCurve)
        case measured(HeldValues)
    }

    private let origin: Origin
    private let active: ActiveTime

    /// For how many seconds a reading of revolutions counts beyond its end.
    package static let hold = 5.0

    /// Nil where the activity has no cadence, or no records of it.
    init?(_ movement: ActivityTable.Movement?, _ samples: WorkoutSamples, _ active: ActiveTime) {
        switch movement {
        case .foot, .swim:
            guard let readings = samples.readings(movement == .foot ? .steps : .swimmingStrokes) else { return nil }
            origin = .counted(DistanceCurve(readings, active))
        case .ride:
            guard let readings = samples.readings(.cyclingCadence) else { return nil }
            origin = .measured(HeldValues(readings, hold: Self.hold, within: active.workout))
        case nil: return nil
        }
        self.active = active
    }

    /// A minute; nil without active time, and where nothing turned.
    package func perMinute(in interval: Interval) -> Double? {
        switch origin {
        case .counted(let curve):
            let seconds = active.seconds(in: interval)
            return seconds > 0 ? curve.value(in: interval) / seconds * 60 : nil
        case .measured(let held):
            var (weighted, total) = (CompensatedSum(), CompensatedSum())
            held.forEach(in: interval, active) { value, seconds in
                guard value > 0 else { return }
                weighted.add(value * seconds)
                total.add(seconds)
            }
            return total.value > 0 ? weighted.value / total.value : nil
        }
    }

    /// Of the whole workout.
    package var average: Double? { perMinute(in: active.workout) }
}
