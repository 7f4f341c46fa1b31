internal import ArchiveFile
internal import ArchiveRows
internal import GRDB

/// Daily values that were revised.
///
/// Claims: a disappeared and an appeared record with equal type, start, end and source and two values are one fact whose
/// value was revised. Evidence: they share this semantic fingerprint, and end in the last ``days`` days before the older
/// export, where HealthKit still corrects resting heart rate and other values of a day.
/// Wrong: where a record was deleted and another one entered for the same interval; the pair proves nothing.
enum ValueRevisionHeuristic {
    /// Days before the earlier export in which values are expected to change: the values of the last day are revised until
    /// final, and some are derived over a week.
    static let days = 7

    /// The pairs by type, those left out that consolidation explains.
    ///
    /// With `through` any observation of the earlier side may be the older export, and a record that appeared at one of
    /// them and is still there appeared, too.
    static func pairs(_ db: Database, question: ConsolidationQuestion, scope: ChainScope) throws -> [Int64: Int64] {
        let earlier = question.through ? scope.observations(from: question.from, before: question.to) : [question.from]
        let since = question.from.observedAt - Int64(days) * 86_400
        let until = (earlier.last ?? question.from).observedAt
        // Of one class are equal names, and all names that the other state does not have.
        func side(_ unpaired: String, other: [Observation]) -> String {
            """
            SELECT f.sample_type_id AS type, f.start_seconds AS start, f.end_seconds AS end,
                iif(d.source_id IN (SELECT source_id FROM type_sums
                    WHERE import_id IN (\(other.map(\.id).sqlList)) AND visible_count > 0),
                    d.source_id, -1) AS source, count(*) AS n
            FROM (\(unpaired)) u CROSS JOIN full_record_versions f ON f.id = u.id
            JOIN descriptors d ON d.id = f.descriptor_id
            WHERE f.end_seconds >= \(since) AND f.start_seconds < \(until) AND f.value IS NOT NULL
                AND u.id NOT IN (SELECT record_version_id FROM temp.analysis_members)
                AND u.id NOT IN (SELECT disappeared_record_version_id FROM temp.analysis_members
                    WHERE disappeared_record_version_id <> record_version_id)
            GROUP BY 1, 2, 3, 4
            """
        }
        let gone = CandidateSeeds.unpaired("diff_before", "before_ref")
        let come = CandidateSeeds.unpaired("diff_after", "after_ref") + " UNION SELECT id FROM temp.analysis_inside"
        let rows = try Row.fetchAll(
            db,
            sql: """
                SELECT b.type, sum(min(b.n, a.n)) AS pairs FROM (\(side(gone, other: [question.to]))) b
                JOIN (\(side(come, other: earlier))) a
                    ON a.type = b.type AND a.start = b.start AND a.end = b.end AND a.source = b.source
                GROUP BY b.type
                """)
        return try Dictionary(rows.map { try ($0.get("type"), $0.get("pairs")) }) { first, _ in first }
    }
}
