internal import Foundation
package import GRDB

/// The layout of an archive: its versions, each with the frozen DDL of all tables, indexes, triggers and views.
package struct Schema: Sendable {
    /// The number that `user_version` states.
    package let version: Int
    /// What the version brought, as `schema_migrations` states it.
    let description: String
    /// SQL that creates everything in an empty database.
    let ddl: String
    /// Fills what the version before lacked; runs in the new file, behind the copied rows, before the file is checked.
    package var migrate: @Sendable (Database) throws -> Void = { _ in }

    /// All versions, oldest first; shipped ones are never edited, and new ones are added at the end.
    package static let versions = [
        Schema(
            version: 4, description: "First frozen schema",
            ddl: String(decoding: PackageResources.schema_4_sql, as: UTF8.self))
    ]

    /// Gives a new file what its header must state before the first table is made.
    package func setHeader(_ db: Database) throws {
        try db.execute(
            sql: """
                PRAGMA page_size = 4096;
                PRAGMA auto_vacuum = NONE;
                PRAGMA application_id = \(ArchiveFormat.applicationID);
                PRAGMA user_version = \(version);
                """)
    }

    /// Creates everything in an empty database.
    package func create(_ db: Database) throws { try db.execute(sql: ddl) }

    /// A table, index, trigger or view as SQLite stores its definition.
    package struct Object {
        package let type: String
        package let name: String
        /// The table that an index or trigger belongs to.
        let table: String
        /// NULL for indexes that SQLite makes by itself.
        package let sql: String?
    }

    /// What the version consists of, in the order of creation.
    package func objects() throws -> [Object] { try inSample { try Self.objects($0) } }

    /// A table, as far as its rows are tested one by one.
    package struct Table: Sendable {
        package let name: String
        /// SQL that names a row: its id, or the first column of its key; where that is a text, the row's place.
        package let row: String
        /// The columns that may hold text.
        package let textColumns: [String]
        /// The conditions of the CHECK constraints.
        package let constraints: [String]
    }

    /// The tables of the version, in the order of creation.
    package func tables() throws -> [Table] {
        try inSample { db in
            try Self.objects(db).filter { $0.type == "table" }.map { object in
                let (name, sql) = (object.name, object.sql ?? "")
                let columns = "SELECT name FROM pragma_table_info(?) WHERE"
                let texts = try String.fetchAll(db, sql: "\(columns) type IN ('TEXT', 'ANY')", arguments: [name])
                var row = "rowid"
                if sql.contains("WITHOUT ROWID") {
                    row = try String.fetchOne(db, sql: "\(columns) pk = 1", arguments: [name]) ?? row
                    if texts.contains(row) { row = "(SELECT count(*) FROM \(name) b WHERE b.\(row) <= \(name).\(row))" }
                }
                return Table(name: name, row: row, textColumns: texts, constraints: Self.constraints(sql))
            }
        }
    }

    /// The conditions of the CHECK constraints in a table's definition; no text in them has a parenthesis.
    private static func constraints(_ sql: String) -> [String] {
        sql.components(separatedBy: "CHECK (").dropFirst().map { rest in
            var depth = 1
            let condition = rest.prefix { character in
                if character == "(" { depth += 1 }
                if character == ")" { depth -= 1 }
                return depth > 0
            }
            return String(condition)
        }
    }

    /// Runs a body on a new database of this version.
    private func inSample<R>(_ body: (Database) throws -> R) throws -> R {
        let sample = try DatabaseQueue()
        defer { try? sample.close() }
        return try sample.write { db in
            try create(db)
            return try body(db)
        }
    }

    /// Why a database does not consist of the tables, indexes, views and triggers of this version, defined as it defines them,
    /// and SQLite's own; nil where it does.
    package func problem(_ db: Database) throws -> String? {
        let wanted = Self.definitions(try objects())
        let found = Self.definitions(try Self.objects(db))
        for (name, definition) in wanted.sorted(by: { $0.key < $1.key }) where found[name] != definition {
            return found[name] == nil ? "\(name) is missing" : "\(name) is not defined as it should be"
        }
        return found.keys.filter { wanted[$0] == nil && !Self.isOfSQLite($0) }.min().map { "there is a foreign \($0)" }
    }

    private static func definitions(_ objects: [Object]) -> [String: String] {
        Dictionary(objects.map { ("\($0.type) \($0.name)", "\($0.table) \($0.sql ?? "")") }) { first, _ in first }
    }

    /// Whether SQLite makes the object by itself: it reserves the names, but has neither views nor triggers.
    private static func isOfSQLite(_ name: String) -> Bool {
        name.hasPrefix("table sqlite_") || name.hasPrefix("index sqlite_")
    }

    /// What a database consists of, in the order of creation.
    package static func objects(_ db: Database) throws -> [Object] {
        try Row.fetchAll(db, sql: "SELECT type, name, tbl_name, sql FROM main.sqlite_master ORDER BY rowid").map {
            try Object(
                type: $0.get("type"), name: $0.get("name"), table: $0.get("tbl_name"), sql: $0.get("sql"))
        }
    }
}

extension [Schema] {
    /// The version that the program writes.
    package var newest: Schema { self[count - 1] }

    /// What `schema_migrations` holds of these versions.
    package func record(_ db: Database, after version: Int = 0) throws {
        let now = Date().timeIntervalSince1970
        for schema in self where schema.version > version {
            try db.execute(
                sql: "INSERT INTO schema_migrations (version, applied_at, description) VALUES (?, ?, ?)",
                arguments: [schema.version, now, schema.description])
        }
    }
}
