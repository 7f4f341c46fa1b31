package import Foundation

/// What workouts come to by local month; of several records of one workout the one that counts.
package struct WorkoutTotals: Sendable {
    package struct Month: Sendable {
        /// `2024-05`, or `2024` of a year.
        package var label: String
        /// Unix seconds of the first instant and of the one behind the last.
        package var start: Int64
        package var end: Int64
        package var workouts = 0
        /// How many more are an app's copies, which no sum has.
        package var copies = 0
        package var seconds = 0.0
        /// Metres; nil where no workout states a distance.
        package var distance: Double?
        /// kcal; nil where no workout states any.
        package var activeEnergy: Double?

        package init(label: String, start: Int64, end: Int64) {
            (self.label, self.start, self.end) = (label, start, end)
        }

        /// Adds another month's sums.
        package mutating func add(_ other: Month) {
            workouts += other.workouts
            copies += other.copies
            seconds += other.seconds
            if let metres = other.distance { distance = (distance ?? 0) + metres }
            if let energy = other.activeEnergy { activeEnergy = (activeEnergy ?? 0) + energy }
        }
    }

    /// The months that have workouts, in order.
    package var months: [Month] = []

    /// Of no workout.
    package init() {}
}

extension WorkoutReader {
    /// Adds up what the workouts of a question state, whatever its limit and cursor.
    ///
    /// - Parameter zone: whose months.
    /// - Complexity: the elements of the workouts, and the records of those that overlap others.
    package func totals(_ question: WorkoutPage.Question, in zone: TimeZone) throws -> WorkoutTotals {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        var months: [WorkoutTotals.Month] = []
        try forEachPlace(question) { place in
            guard let workout = try workout(place) else { return }
            let facts = workout.facts
            let start = Date(timeIntervalSince1970: facts.interval.start)
            if months.last.map({ Double($0.end) <= facts.interval.start }) ?? true {
                guard let month = calendar.dateInterval(of: .month, for: start) else { return }
                let parts = calendar.dateComponents([.year, .month], from: start)
                months.append(
                    .init(
                        label: String(format: "%04d-%02d", parts.year ?? 0, parts.month ?? 0),
                        start: Int64(month.start.timeIntervalSince1970), end: Int64(month.end.timeIntervalSince1970)))
            }
            guard let last = months.indices.last else { return }
            guard try primary(of: workout) == nil else { return months[last].copies += 1 }
            var own = months[last]
            own = .init(label: own.label, start: own.start, end: own.end)
            own.workouts = 1
            own.seconds = facts.appleDuration ?? Pauses(facts).activeTime(facts.interval).activeSeconds
            own.distance = DistanceFigures.stated(facts).metres
            own.activeEnergy = EnergyFigures.stated(facts).kilocalories
            months[last].add(own)
        }
        var totals = WorkoutTotals()
        totals.months = months
        return totals
    }
}
