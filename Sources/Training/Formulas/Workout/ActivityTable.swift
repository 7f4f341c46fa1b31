internal import Foundation

/// What is known of workout activities: their distance type and how their cadence counts. A data file, because Apple adds
/// activities every year.
///
/// Source: the documentation of `HKWorkoutActivityType` and of the distance types.
package struct ActivityTable: Sendable {
    /// How the cadence of an activity counts.
    package enum Movement: String, Sendable, Decodable {
        case foot, ride, swim
    }

    private struct Entry: Decodable {
        let activity: String
        let distance: String
        let movement: Movement?
    }

    private let entries: [String: Entry]

    /// The table that is built into the program.
    package static let shared: ActivityTable = {
        // A test asserts that the built-in file decodes.
        let entries = (try? JSONDecoder().decode([Entry].self, from: Data(PackageResources.workout_activities_json)))
        return ActivityTable(entries ?? [])
    }()

    private init(_ entries: [Entry]) {
        self.entries = Dictionary(entries.map { ($0.activity, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// The activities of the table.
    package var activities: [String] { entries.keys.sorted() }

    /// The distance types of the table.
    package var distanceTypes: [SeriesType] {
        Set(entries.values.map(\.distance)).sorted().map { SeriesType(rawValue: $0) }
    }

    /// The distance type of a workout: that of its activity; of any other activity the one distance type that it has
    /// statistics of, else none.
    package func distanceType(of facts: WorkoutFacts) -> SeriesType? {
        if let name = facts.activity.flatMap({ entries[$0]?.distance }) { return SeriesType(rawValue: name) }
        let types = Set(facts.statistics.map(\.type).filter(\.isDistance))
        return types.count == 1 ? types.first : nil
    }

    /// How the cadence of a workout counts; nil where it has none.
    package func movement(of facts: WorkoutFacts) -> Movement? {
        if let activity = facts.activity { return entries[activity]?.movement }
        let distance = distanceType(of: facts)
        return entries.values.filter { $0.distance == distance?.rawValue }.compactMap(\.movement).first
    }
}
