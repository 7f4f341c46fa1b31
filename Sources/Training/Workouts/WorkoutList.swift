internal import Basics
package import HealthModel
package import Store

/// A workout in a list: what it states itself, and how densely it was recorded.
package struct WorkoutRow: Sendable {
    package var identity: Digest256
    package var version: Digest256
    package var copies: Int
    /// What names the row alone in `workout`: its identity, or where another app's workout has that too, its version.
    package var name: Digest256
    /// The workout that counts in its stead; nil where it counts itself.
    package var duplicateOf: Digest256?
    package var activity: String?
    package var interval: Interval
    /// Apple's, else the active seconds.
    package var durationSeconds: Double
    /// Metres: Apple's.
    package var distance: Double?
    /// kcal: Apple's.
    package var activeEnergy: Double?
    /// Apple's statistics.
    package var heartRate: WorkoutStatistic?
    package var points: PointsPerMinute
    /// The same of the visible records, where `points` are those of originals; else nil.
    package var visiblePoints: PointsPerMinute?
    package var sourceName: String?
    /// Nil where the type was excluded.
    package var hasRoute: Bool?
    /// Nil where the observation lacks heart rate or distance.
    package var consolidated: WorkoutTruth.Consolidation?
    package var labels: Set<Label>

    /// How many records there are a minute of active time; nil without records.
    package struct PointsPerMinute: Sendable {
        package var heartRate: Double?
        package var distance: Double?
    }
}

/// One page of the workouts that an observation shows, newest first.
package struct WorkoutPage: Sendable {
    package var observation: Observation
    package var state: WorkoutState
    package var settingsSHA256: String
    package var rows: [WorkoutRow]
    /// The cursor of the next page; nil behind the last workout.
    package var next: String?

    /// Which workouts.
    package struct Question: Sendable {
        /// The raw activity or its short form, without regard to case; nil for all.
        package var activity: String?
        /// Only workouts that end at or after this instant (Unix seconds), and start before this one.
        package var since: Int64?
        package var until: Int64?
        package var source: SourceFilter?
        package var limit = 100
        /// Where the page before ended: a cursor.
        package var after: String?

        package init() {}
    }
}

extension WorkoutReader {
    /// Reads one page of workouts, newest first.
    ///
    /// - Throws: `usage` for a cursor that is none.
    /// - Complexity: the rows of the workouts down to the last one of the page, and the records of those on it; memory for
    ///   one workout's records and `batch` workouts.
    package func page(_ question: WorkoutPage.Question) throws -> WorkoutPage {
        var page = WorkoutPage(
            observation: observation, state: state, settingsSHA256: settings.sha256, rows: [], next: nil)
        let end = try question.after.map(count(olderThan:)) ?? index.entries.count
        var chosen: [Workout] = []
        // Within a batch in the order of time: so each record is read once.
        func addRows() throws {
            page.rows += try chosen.reversed().map(row).reversed()
            chosen = []
        }
        for place in (0..<end).reversed() {
            guard let workout = try workout(place, of: question) else { continue }
            if page.rows.count + chosen.count == question.limit {
                page.next = chosen.last.map { Self.cursor(of: index.entries[$0.place]) }
                break
            }
            if chosen.count == Self.batch { try addRows() }
            chosen.append(workout)
        }
        try addRows()
        return page
    }

    /// Calls `body` with the place of each workout of a question in the order of time, whatever its limit and cursor.
    package func forEachPlace(_ question: WorkoutPage.Question, _ body: (Int) throws -> Void) throws {
        for place in index.entries.indices where try workout(place, of: question) != nil { try body(place) }
    }

    /// The workout at a place; nil where it is not of the question.
    private func workout(_ place: Int, of question: WorkoutPage.Question) throws -> Workout? {
        let entry = index.entries[place]
        if let until = question.until, entry.interval.start >= Double(until) { return nil }
        if let since = question.since, entry.interval.end < Double(since) { return nil }
        guard let workout = try workout(place), question.source?.selects(workout.row) ?? true else { return nil }
        if let wanted = question.activity, !Self.matches(workout.facts.activity ?? "", wanted) { return nil }
        return workout
    }

    private static let batch = 256

    private func row(_ workout: Workout) throws -> WorkoutRow {
        let facts = workout.facts
        let pauses = Pauses(facts)
        let active = pauses.activeTime(facts.interval)
        let type = ActivityTable.shared.distanceType(of: facts)
        let samples = try samples(of: workout, only: [SeriesType.heartRate, type].compactMap { $0 })
        let isExcluded = unavailable[SampleType.workoutRoute] == .excluded
        let hasRoute: Bool? = try self.hasRoute(workout) ? true : isExcluded ? nil : false
        let duplicateOf = try primary(of: workout)
        let (distance, energy) = (DistanceFigures.stated(facts), EnergyFigures.stated(facts))
        func points(_ series: [SeriesType: SampleSelection.Series]) -> WorkoutRow.PointsPerMinute {
            func perMinute(_ type: SeriesType?) -> Double? {
                type.flatMap { series[$0] }.flatMap { Spacing($0.readings, active).pointsPerMinute }
            }
            return .init(heartRate: perMinute(.heartRate), distance: perMinute(type))
        }
        return WorkoutRow(
            identity: workout.identity, version: workout.row.version, copies: workout.copies,
            name: index.name(of: workout.place), duplicateOf: duplicateOf, activity: facts.activity,
            interval: facts.interval,
            durationSeconds: facts.appleDuration ?? active.activeSeconds,
            distance: distance.metres, activeEnergy: energy.kilocalories,
            heartRate: facts.statistic(.heartRate), points: points(samples.series),
            visiblePoints: state == .finest ? points(samples.visible ?? [:]) : nil, sourceName: workout.row.sourceName,
            hasRoute: hasRoute, consolidated: samples.consolidated(distance: type),
            labels: facts.labels(pauses).union(samples.labels).union(hasRoute == nil ? [.typeExcluded] : [])
                .union(duplicateOf == nil ? [] : [.duplicateOf])
                .union(distance.isSumOfLegs || energy.isSumOfLegs ? [.sumOfActivities] : []))
    }

    /// `Running`, `running` and `HKWorkoutActivityTypeRunning` name the same.
    private static func matches(_ activity: String, _ wanted: String) -> Bool {
        [activity, shortValue(activity)].contains { $0.lowercased() == wanted.lowercased() }
    }

    /// The place behind a workout: its start, identity and version.
    private static func cursor(of entry: WorkoutIndex.Entry) -> String {
        "\(Int64(entry.interval.start))-\(entry.identity.hex)\(entry.version.hex)"
    }

    /// How many workouts are older than the one of a cursor. Where the observation does not have that one, those that
    /// start with it may come again.
    private func count(olderThan cursor: String) throws -> Int {
        guard let cut = cursor.lastIndex(of: "-"), let start = Int64(cursor[..<cut]),
            let identity = Digest256(hex: String(cursor[cursor.index(after: cut)...].prefix(64))),
            let version = Digest256(hex: String(cursor[cursor.index(after: cut)...].dropFirst(64)))
        else { throw HealthProbeError.foreignCursor }
        return index.places(of: identity).first { index.entries[$0].version == version }
            ?? index.entries.partitionPoint { $0.interval.start <= Double(start) }
    }
}
