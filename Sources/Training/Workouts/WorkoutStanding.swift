internal import HealthModel
internal import Basics

/// A workout among all of its activity that an observation shows, by what each of them states.
package struct WorkoutStanding: Sendable {
    /// A place in an order, from 1.
    package struct Rank: Sendable {
        package var place: Int
        package var count: Int
    }

    /// The raw activity.
    package var activity: String
    /// How many there are; copies are not counted.
    package var count = 0
    /// By the distance, the farthest first.
    package var distance: Rank?
    /// By the time, the longest first.
    package var duration: Rank?
    /// By the mean pace, of those that are at least nine tenths as far, the fastest first.
    package var pace: Rank?
}

extension WorkoutReader.Workout {
    /// The text of a metadata entry; nil where there is none.
    package func text(_ key: String) -> String? { FactsReader.text(metadata[key]) }
}

extension WorkoutReader {
    /// The place of a workout among those of its activity; nil for one without an activity, and for a copy.
    ///
    /// - Complexity: the elements of all workouts, and the records of those that overlap others.
    package func standing(of workout: Workout) throws -> WorkoutStanding? {
        guard let activity = workout.facts.activity, try primary(of: workout) == nil else { return nil }
        typealias Stated = (seconds: Double, metres: Double?)
        func stated(_ facts: WorkoutFacts) -> Stated {
            (
                facts.appleDuration ?? Pauses(facts).activeTime(facts.interval).activeSeconds,
                DistanceFigures.stated(facts).metres.flatMap { $0 > 0 ? $0 : nil }
            )
        }
        let own = stated(workout.facts)
        var others: [Stated] = []
        var question = WorkoutPage.Question()
        question.activity = activity
        try forEachPlace(question) { place in
            guard place != workout.place, let other = try self.workout(place), try primary(of: other) == nil else {
                return
            }
            others.append(stated(other.facts))
        }
        func rank(_ values: [Double], _ value: Double) -> WorkoutStanding.Rank {
            .init(place: 1 + values.count { $0 > value }, count: values.count + 1)
        }
        var standing = WorkoutStanding(activity: activity)
        standing.count = others.count + 1
        standing.duration = rank(others.map(\.seconds), own.seconds)
        if let metres = own.metres {
            standing.distance = rank(others.compactMap(\.metres), metres)
            if own.seconds > 0 {
                let speeds = others.compactMap { other in
                    other.metres.flatMap { $0 >= metres * 0.9 && other.seconds > 0 ? $0 / other.seconds : nil }
                }
                standing.pace = rank(speeds, metres / own.seconds)
            }
        }
        return standing
    }
}
