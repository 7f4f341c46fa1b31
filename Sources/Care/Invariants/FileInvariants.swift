internal import GRDB
internal import Store

/// The file as SQLite sees it, and the schema in it.
enum FileInvariants {
    static let all = [
        InvariantCheck("A01-sqliteIntegrity", integrity),
        InvariantCheck("A02-foreignKeys", foreignKeys),
        InvariantCheck("A03-schemaVersion", schemaVersion),
        InvariantCheck("A04-schemaObjects") { try $0.versions.newest.problem($0.db) },
    ]

    private static func integrity(_ scope: CheckScope) throws -> String? {
        let lines = try String.fetchAll(scope.db, sql: "PRAGMA integrity_check(10)")
        if lines == ["ok"] { return try scope.firstViolations(constraints(scope.tables())) }
        return "\(lines.count == 10 ? "at least 10" : "\(lines.count)") findings: \(lines.first ?? "none")"
    }

    /// The queries for rows that break a CHECK constraint. Of a file that SQLite may not write to, it does not even
    /// read these constraints, and `integrity_check` leaves them out.
    private static func constraints(_ tables: [Schema.Table]) -> [(what: String, sql: String)] {
        tables.filter { !$0.constraints.isEmpty }.map { table in
            let broken = table.constraints.map { "NOT (\($0))" }.joined(separator: " OR ")
            return (
                what: "rows of \(table.name) that break a CHECK constraint",
                sql: "SELECT \(table.row) FROM \(table.name) WHERE \(broken)"
            )
        }
    }

    private static func foreignKeys(_ scope: CheckScope) throws -> String? {
        let rows = try Row.fetchCursor(scope.db, sql: "PRAGMA foreign_key_check")
        var count = 0
        var first: String?
        while let row = try rows.next() {
            count += 1
            let table: String = try row.get("table")
            let parent: String = try row.get("parent")
            first = first ?? "\(table) to \(parent)"
        }
        return first.map { "\(count) dangling reference\(count == 1 ? "" : "s"), the first from \($0)" }
    }

    private static func schemaVersion(_ scope: CheckScope) throws -> String? {
        let db = scope.db
        let application = try Int32.fetchOne(db, sql: "PRAGMA application_id")
        if application != ArchiveFormat.applicationID { return "the application id is not HealthProbe's" }
        let newest = scope.versions.newest.version
        let user = try Int.fetchOne(db, sql: "PRAGMA user_version")
        if user != newest { return "the user version is not \(newest)" }
        let steps = try Int.fetchAll(db, sql: "SELECT version FROM schema_migrations ORDER BY version")
        if steps != scope.versions.map(\.version) { return "schema_migrations does not lead to that version" }
        let about = try String.fetchOne(db, sql: "SELECT value FROM archive_metadata WHERE key = 'about'")
        if about != ArchiveFormat.about { return "archive_metadata does not say what the file is" }
        return try metadata(db, version: newest)
    }

    private static func metadata(_ db: Database, version: Int) throws -> String? {
        var values: [String: String] = [:]
        for row in try Row.fetchAll(db, sql: "SELECT key, value FROM archive_metadata") {
            try values[row.get("key")] = row.get("value")
        }
        // Every check writes this row.
        values["failed_check"] = nil
        let keys = ["about", "archive_uuid", "key_epoch", "key_id", "schema_version"]
        if values.keys.sorted() != keys { return "archive_metadata has not the keys \(keys.joined(separator: ", "))" }
        if values["schema_version"] != "\(version)" {
            return "archive_metadata lacks schema_version"
        }
        guard let text = values["key_epoch"], let epoch = Int64(text), "\(epoch)" == text,
            (1...ArchiveIdentity.mostEpochs).contains(epoch)
        else { return "archive_metadata has no number of the key's epoch" }
        return nil
    }
}
