internal import Basics
internal import Foundation
internal import GRDB
internal import HealthModel
package import Store

/// What the stored verdicts of all neighbours of a chain say together: how many records were merged, and where most.
///
/// Nothing is analysed; a pair without a verdict that still holds is left out, and counted.
package struct ConsolidationStory: Sendable {
    /// Records that are constituents of replacements.
    package var merged: Int64 = 0
    /// The records in their place.
    package var replacements: Int64 = 0
    package var groups: Int64 = 0
    /// Groups of which all constituents are in the archive.
    package var completeGroups: Int64 = 0
    /// No longer visible, and not merged.
    package var unexplained: Int64 = 0
    /// How many pairs of neighbours have a verdict.
    package var analysedPairs = 0
    /// By type, the most merged first.
    package var mergedByType: [(type: String, count: Int64)] = []

    /// A workout whose heart rates were merged.
    package struct Workout: Sendable {
        /// The UUID that the replacements state.
        package var uuid: String
        /// The last observation that shows it as it was.
        package var before: Int64
        package var start: Int64
        package var end: Int64
        package var originals: Int64
    }

    package init() {}

    /// Reads the story.
    ///
    /// - Parameter observation: the later one of the only pair asked for; nil for all.
    /// - Complexity: one row for each pair and type.
    package static func read(
        _ db: ArchiveDatabase, _ chain: Chain, of observation: Observation? = nil
    ) throws -> ConsolidationStory {
        var story = ConsolidationStory()
        let later = observation.map { [$0] } ?? Array(chain.finished.dropFirst())
        let held = try ExplainedRecords.read(db, chain: chain, at: later)
        story.analysedPairs = held.count
        guard !held.isEmpty else { return story }
        var byType: [String: Int64] = [:]
        let rows = try Row.fetchCursor(
            db,
            sql: """
                /* What the kept analyses of neighbours found */
                SELECT n.type_identifier, t.verdict
                FROM analysis_runs r JOIN analysis_types t ON t.run_id = r.id
                JOIN sample_types n ON n.id = t.sample_type_id
                WHERE r.through = 0 AND r.to_import_id IN (\(held.keys.sorted().sqlList))
                    AND r.from_import_id IN (\(chain.finished.map(\.id).sqlList))
                """)
        while let row = try rows.next() {
            let verdict = JSON.parse(try row.get("verdict") as String)
            func count(_ name: String) -> Int64 { verdict?[name]?.int ?? 0 }
            story.merged += count("explained")
            story.unexplained += count("unexplained")
            story.replacements += count("replacements")
            story.groups += count("groups")
            story.completeGroups += count("completeGroups")
            byType[try row.get("type_identifier"), default: 0] += count("explained")
        }
        story.mergedByType = byType.filter { $0.value > 0 }.map { (type: $0.key, count: $0.value) }.sorted {
            ($1.count, $0.type) < ($0.count, $1.type)
        }
        return story
    }

    /// The workouts whose heart rates lost the most readings.
    ///
    /// - Complexity: one row for each group of heart rates, and the members of those that are returned.
    package static func workouts(_ db: ArchiveDatabase, _ chain: Chain, most: Int) throws -> [Workout] {
        let rows = try Row.fetchAll(
            db,
            sql: """
                /* The workouts of which most heart rates were merged */
                SELECT g.workout, r.from_import_id, min(k.start_seconds) AS begun, max(k.start_seconds + k.duration) AS ended,
                    count(*) AS originals
                FROM (
                    SELECT run_id, number, workout FROM analysis_groups
                    WHERE workout IS NOT NULL AND sample_type_id =
                        (SELECT id FROM sample_types WHERE type_identifier = 'HKQuantityTypeIdentifierHeartRate')
                    ORDER BY declared_count DESC LIMIT ?
                ) g
                JOIN analysis_runs r ON r.id = g.run_id AND r.through = 0
                    AND r.to_import_id IN (\(chain.finished.map(\.id).sqlList))
                JOIN analysis_members m ON m.run_id = g.run_id AND m.number = g.number AND m.role = 1
                JOIN record_versions c ON c.id = m.record_version_id
                JOIN record_versions k ON k.id = ifnull(c.sample_id, c.id)
                GROUP BY g.workout, r.from_import_id ORDER BY originals DESC, g.workout LIMIT ?
                """, arguments: [most * 4, most])
        return try rows.compactMap { row in
            guard let start: Int64 = try row.get("begun"), let end: Int64 = try row.get("ended"), end > start else {
                return nil
            }
            return try Workout(
                uuid: row.get("workout"), before: row.get("from_import_id"), start: start, end: end,
                originals: row.get("originals"))
        }
    }
}
