package import GRDB
package import Store

/// Replaces complete consolidation groups of a set by their constituents, in temporary tables.
///
/// A replacement that was condensed again is opened step by step: a group is replaced only where its replacements are in
/// the set or came in for another group. So every sample is there once, and nothing else that disappeared.
package struct GroupExpansion {
    /// What became of the groups.
    package struct Counts: Sendable {
        /// Groups that were replaced.
        package var replaced = 0
        /// The records that were replaced: series that went into others of them do not count.
        package var replacements = 0
        /// The constituents that are there instead of them.
        package var constituents = 0
        /// Groups left as they are, because some of their constituents are not stored.
        package var partlyStored = 0
        /// Groups left as they are, because none of their constituents are stored.
        package var unstored = 0

        package var left: Int { partlyStored + unstored }

        package init() {}
    }

    /// How many of a group's constituents are stored.
    package enum Stored: Int64, Sendable {
        case none = 0
        case some
        case all
    }

    private let db: Database
    private let base: RecordSet
    private let insertGroup: Statement
    private let insertPart: Statement
    private let insertCandidate: Statement

    /// - Parameter base: the set that the groups are replaced in.
    package init(_ snapshot: Snapshot, in base: RecordSet) throws {
        db = snapshot.db
        self.base = base
        try db.execute(
            sql: """
                DROP TABLE IF EXISTS temp.export_removed; CREATE TEMP TABLE export_removed (id INTEGER PRIMARY KEY);
                DROP TABLE IF EXISTS temp.export_added; CREATE TEMP TABLE export_added (id INTEGER PRIMARY KEY);
                DROP TABLE IF EXISTS temp.export_present; CREATE TEMP TABLE export_present (id INTEGER PRIMARY KEY);
                DROP TABLE IF EXISTS temp.export_candidates; CREATE TEMP TABLE export_candidates (id INTEGER PRIMARY KEY);
                DROP TABLE IF EXISTS temp.export_groups;
                CREATE TEMP TABLE export_groups (number INTEGER PRIMARY KEY, stored INTEGER, replaced INTEGER);
                DROP TABLE IF EXISTS temp.export_parts;
                CREATE TEMP TABLE export_parts (number INTEGER, replacement INTEGER, id INTEGER);
                CREATE INDEX temp.export_parts_number ON export_parts (number, replacement);
                """)
        insertGroup = try db.makeStatement(sql: "INSERT INTO temp.export_groups VALUES (?, ?, 0)")
        insertPart = try db.makeStatement(sql: "INSERT INTO temp.export_parts VALUES (?, ?, ?)")
        insertCandidate = try db.makeStatement(sql: "INSERT OR IGNORE INTO temp.export_candidates VALUES (?)")
    }

    /// Adds a group of the chain's history.
    package func addGroup(_ number: Int64, _ stored: Stored) throws {
        try insertGroup.execute(arguments: [number, stored.rawValue])
    }

    package func addReplacement(_ version: Int64, of group: Int64) throws {
        try insertPart.execute(arguments: [group, 1, version])
        try insertCandidate.execute(arguments: [version])
    }

    package func addConstituent(_ version: Int64, of group: Int64) throws {
        try insertPart.execute(arguments: [group, 0, version])
    }

    /// The set with the groups replaced, and what became of them.
    package func expand() throws -> (set: RecordSet, counts: Counts) {
        try base.select(db, from: "export_candidates", into: "export_present")
        while try replaceOnce() {}
        // A series that was condensed again is no original.
        try db.execute(sql: "DELETE FROM temp.export_added WHERE id IN (SELECT id FROM temp.export_removed)")
        let inBetween = db.changesCount
        let removed = try Int.fetchOne(db, sql: "SELECT count(*) FROM temp.export_removed")
        let added = try Int.fetchOne(db, sql: "SELECT count(*) FROM temp.export_added")
        let groups = try Row.fetchOne(
            db,
            sql: """
                WITH left_groups AS (
                    SELECT stored FROM temp.export_groups g WHERE replaced = 0 AND NOT EXISTS (
                        SELECT 1 FROM temp.export_parts p WHERE p.number = g.number AND p.replacement = 1
                            AND p.id NOT IN (SELECT id FROM temp.export_present)))
                SELECT (SELECT count(*) FROM temp.export_groups WHERE replaced = 1) AS replaced,
                    (SELECT count(*) FROM left_groups WHERE stored <> 0) AS partly,
                    (SELECT count(*) FROM left_groups WHERE stored = 0) AS unstored
                """)
        var counts = Counts()
        counts.replaced = try groups?.get("replaced") ?? 0
        counts.replacements = (removed ?? 0) - inBetween
        counts.constituents = added ?? 0
        counts.partlyStored = try groups?.get("partly") ?? 0
        counts.unstored = try groups?.get("unstored") ?? 0
        return (base.replacing("export_removed", with: "export_added"), counts)
    }

    /// The constituents that stand instead of their replacements since the last expansion of the connection.
    package static let originals = RecordSet.among("export_added")

    /// The statements that make the tables of the set, for others that read them; none where these read no such set.
    package static func tables(_ db: Database, readBy queries: [PrintedQuery]) throws -> [PrintedQuery] {
        try [
            ("export_removed", "Merged records whose originals the archive has"), ("export_added", "Their originals"),
        ].filter { table, _ in queries.contains { $0.sql.contains("temp.\(table)") } }
            .map { try PrintedQuery.rows(db, $1, of: $0, ["id"]) }
    }

    /// Replaces the complete groups whose replacements are there; false where there is none left.
    private func replaceOnce() throws -> Bool {
        try db.execute(
            sql: """
                UPDATE temp.export_groups SET replaced = 2 WHERE stored = 2 AND replaced = 0
                    AND EXISTS (SELECT 1 FROM temp.export_parts p
                        WHERE p.number = export_groups.number AND p.replacement = 0)
                    AND NOT EXISTS (SELECT 1 FROM temp.export_parts p
                        WHERE p.number = export_groups.number AND p.replacement = 1
                            AND p.id NOT IN (SELECT id FROM temp.export_present))
                """)
        guard db.changesCount > 0 else { return false }
        let parts =
            "SELECT p.id FROM temp.export_groups g JOIN temp.export_parts p ON p.number = g.number WHERE g.replaced = 2"
        try db.execute(
            sql: """
                INSERT OR IGNORE INTO temp.export_removed \(parts) AND p.replacement = 1;
                INSERT OR IGNORE INTO temp.export_added \(parts) AND p.replacement = 0;
                INSERT OR IGNORE INTO temp.export_present \(parts) AND p.replacement = 0;
                UPDATE temp.export_groups SET replaced = 1 WHERE replaced = 2;
                """)
        return true
    }
}
