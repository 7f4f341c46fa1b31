package import GRDB
package import HealthModel

/// An observation that was withdrawn: what its row and the run log still say.
package struct WithdrawnObservation: Sendable, Equatable {
    package var id: Int64
    /// Unix seconds.
    package var withdrawnAt: Double
    /// The words of the person who withdrew it.
    package var reason: String

    /// The withdrawn observation of an id; nil where there is none.
    package static func read(_ db: Database, id: Int64) throws -> WithdrawnObservation? {
        try read(db, "i.id = ?", [id]).first
    }

    /// Those that were made of an XML, by id.
    package static func read(_ db: Database, ofXML sha256: Digest256) throws -> [WithdrawnObservation] {
        try read(db, "i.xml_sha256 = ?", [sha256])
    }

    private static func read(
        _ db: Database, _ condition: String, _ arguments: StatementArguments
    ) throws -> [WithdrawnObservation] {
        let rows = try Row.fetchAll(
            db,
            sql: """
                SELECT i.id, l.logged_at, json_extract(l.details, '$.reason') AS reason
                FROM imports i JOIN run_log l ON l.import_id = i.id AND l.event = 'withdrawal'
                WHERE i.status = 'withdrawn' AND \(condition) ORDER BY i.id
                """, arguments: arguments)
        return try rows.map { row in
            let reason: String? = try row.get("reason")
            return WithdrawnObservation(
                id: try row.get("id"), withdrawnAt: try row.get("logged_at"), reason: reason ?? "")
        }
    }
}
