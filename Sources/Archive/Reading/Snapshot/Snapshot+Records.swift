internal import GRDB
internal import HealthModel

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
        try Bool.fetchOne(db, sql: "SELECT EXISTS (SELECT 1 FROM relationships WHERE kind <> 'file')") ?? false
    }

    /// The relationships that begin at a sample, but those of side files.
    package func relationships(of sample: Int64) throws -> [Relationship] {
        let statement = try db.cachedStatement(
            sql: """
                SELECT r.kind, r.target_id, lower(hex(t.identity)) AS identity, y.type_identifier FROM relationships r
                JOIN record_versions t ON t.id = r.target_id JOIN sample_types y ON y.id = t.sample_type_id
                WHERE r.source_id = ? AND r.kind <> 'file' ORDER BY r.kind, t.identity
                """)
        return try Row.fetchAll(statement, arguments: [sample]).map { row in
            try Relationship(
                kind: row.get("kind"), target: row.get("target_id"), type: row.get("type_identifier"),
                identity: row.get("identity"))
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

    /// Whether a partial observation's own file showed a record version.
    package func wasRead(_ version: Int64, by observation: Int64) throws -> Bool {
        try Bool.fetchOne(
            db.cachedStatement(
                sql: """
                    SELECT EXISTS (SELECT 1 FROM (SELECT last_record_version_id FROM read_runs
                        WHERE import_id = ?1 AND first_record_version_id <= ?2 ORDER BY first_record_version_id DESC LIMIT 1)
                        WHERE last_record_version_id >= ?2)
                    """),
            arguments: [observation, version]) ?? false
    }

    /// A shared set of metadata as canonical JSON; nil where there is none of this id.
    package func metadata(_ set: Int64) throws -> String? {
        try String.fetchOne(
            db.cachedStatement(sql: "SELECT metadata FROM metadata_sets WHERE id = ?"), arguments: [set])
    }
}

/// Whether samples are among the records of these types and this interval that are visible at an observation.
package struct SampleScope {
    private let db: Database
    private let sql: String
    private let types: Set<Int64>
    private let since: Int64?
    private let until: Int64?

    /// - Parameters:
    ///   - since: only what ends at or after this instant (Unix seconds).
    ///   - until: only what starts before this instant.
    package init(_ snapshot: Snapshot, at observation: Observation, types: Set<Int64>, since: Int64?, until: Int64?) {
        db = snapshot.db
        self.types = types
        self.since = since
        self.until = until
        sql = """
            SELECT s.sample_type_id AS type, s.start_seconds AS a, s.start_seconds + ifnull(s.duration, 0) AS b,
                EXISTS (SELECT 1 FROM record_versions c WHERE (c.id = s.id OR c.sample_id = s.id)
                    AND \(Visibility.sql("c", through: snapshot.chain.ids(through: observation)))) AS shown
            FROM record_versions s WHERE s.id = ?
            """
    }

    /// Whether any version of the sample, named by the row with its key, is one of them.
    package func contains(_ sample: Int64) throws -> Bool {
        let row = try Row.fetchOne(db.cachedStatement(sql: sql), arguments: [sample])
        guard let row, try row.get("shown"), try types.contains(row.get("type")) else { return false }
        if let since { guard let end = try row.get("b") as Int64?, end >= since else { return false } }
        if let until { guard let start = try row.get("a") as Int64?, start < until else { return false } }
        return true
    }
}
