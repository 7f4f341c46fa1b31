/// Parts of an answer that people ask for.
extension ImpactAnswer {
    /// The names of all figures, of workouts and of days.
    package static let metrics = WorkoutFigure.allCases.map(\.rawValue) + DayFigure.allCases.map(\.rawValue)

    /// Keeps one figure alone, and what it says something of: the most affected first.
    package mutating func keep(metric: String) {
        for index in workouts.indices { workouts[index].figures.removeAll { $0.name != metric } }
        for index in days.indices { days[index].figures.removeAll { $0.name != metric } }
        workouts.removeAll { $0.figures.changed.isEmpty }
        days.removeAll { $0.figures.changed.isEmpty }
        sort()
        summary.removeAll { $0.metric != metric }
    }

    /// Puts the most affected workouts and days first, of equal ones the earliest.
    mutating func sort() {
        workouts.sort { ($0.size, -$0.start) > ($1.size, -$1.start) }
        days.sort { ($0.size, -$0.day) > ($1.size, -$1.day) }
    }

    /// The same with the most affected workouts and days alone.
    package func first(_ count: Int) -> ImpactAnswer {
        var answer = self
        answer.workouts = Array(workouts.prefix(count))
        answer.days = Array(days.prefix(count))
        return answer
    }
}
