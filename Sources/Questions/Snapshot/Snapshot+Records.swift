internal import GRDB
internal import HealthModel
package import History
package import Store

/// What is stored of single records beside their rows.
extension Snapshot {
    /// A relationship that begins at a sample.
    package struct Relationship {
        package var kind: String
        /// The row with the key of the sample that it leads to.
        package var target: Int64
        package var type: String
        /// Hexadecimal.
        package var identity: String
    }

    /// Whether there are any relationships but those of side files.
    package func hasRelationships() throws -> Bool {
        try Bool.fetchOne(
            db,
            sql: """
                SELECT EXISTS (SELECT 1 FROM relationships WHERE kind <> 'file') OR EXISTS (SELECT 1 FROM shown_routes)
                """) ?? false
    }

    /// The relationships that begin at a row, but those of side files: its sample's members, and the routes that stand in it.
    ///
    /// - Parameter history: the ids of the chain's observations up to one; what only later ones state is left out.
    package func relationships(of row: Int64, sample: Int64, by history: [Int64]) throws -> [Relationship] {
        let statement = try db.cachedStatement(
            sql: """
                SELECT r.kind, r.target_id, t.sample_type_id, t.identity FROM relationships r
                LEFT JOIN record_versions t ON t.id = r.target_id
                WHERE r.source_id = ?1 AND r.kind <> 'file' AND r.import_id IN (\(history.sqlList))
                UNION
                SELECT 'workoutRoute', ifnull(c.sample_id, c.id), t.sample_type_id, t.identity FROM shown_routes r
                LEFT JOIN record_versions c ON c.id = r.record_version_id
                LEFT JOIN record_versions t ON t.id = ifnull(c.sample_id, c.id)
                WHERE r.owner_id = ?2 AND r.import_id IN (\(history.sqlList))
                ORDER BY 1, 4
                """)
        return try Row.fetchAll(statement, arguments: [sample, row]).map { row in
            let target: Int64 = try row.get("target_id")
            guard let type = try? row.get("sample_type_id") as Int64 else {
                throw HealthProbeError.damagedRow("record_versions", target)
            }
            return try Relationship(
                kind: row.get("kind"), target: target, type: names.type(type),
                identity: row.digest("identity", of: "record_versions", target).hex)
        }
    }

    /// The earlier visibility ranges of a record version: the observations that opened and closed each.
    ///
    /// `opened` is nil for the chain's first observation.
    package func pastRanges(of version: Int64) throws -> [(opened: Int64?, closed: Int64)] {
        try Row.fetchAll(
            db.cachedStatement(
                sql: """
                    SELECT opened_observation_id AS opened, closed_observation_id AS closed FROM past_ranges
                    WHERE record_version_id = ?
                    """),
            arguments: [version]
        ).map { try ($0.get("opened"), $0.get("closed")) }
    }

    /// The record versions that an observation's own file showed.
    package func shownRows(at observation: Int64) throws -> Bitmap { try ShownSet(db, importID: observation).shown }

    /// The bounds of the visible rows whose condenser's identifier has a workout's UUID, by time and without repetition.
    ///
    /// - Complexity: the condensed rows of the archive.
    package func condensedBounds(
        ofWorkout uuid: String, at observation: Observation
    ) throws -> [(start: Int64, end: Int64)] {
        let visible = Visibility.sql("v", through: chain.ids(through: observation))
        return try Row.fetchAll(
            db,
            sql: """
                SELECT DISTINCT k.start_seconds AS start, k.start_seconds + ifnull(k.duration, 0) AS end
                FROM record_versions v JOIN record_versions k ON k.id = ifnull(v.sample_id, v.id)
                WHERE \(CondenserIdentifier.condition("v.")) AND instr(upper(v.metadata), ?) > 0
                    AND v.device_chain_id = ? AND \(visible) AND k.start_seconds IS NOT NULL
                ORDER BY 1, 2
                """,
            arguments: [uuid, chain.id]
        ).map { try ($0.get("start"), $0.get("end")) }
    }
}
