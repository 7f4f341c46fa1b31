internal import Analysis
internal import Archive
internal import GRDB

/// The state at an observation at its finest: complete consolidation groups give way to their constituents.
///
/// A replacement that was condensed again is opened step by step: a group is replaced only where its replacements are
/// visible or came in for another group. So every sample stands there once, and nothing else that disappeared does.
struct FinestState {
    /// What became of the groups, for the manifest.
    struct Counts: Sendable {
        /// Groups that gave way.
        var replaced = 0
        /// The constituents that stand for them.
        var constituents = 0
        /// Groups left as they are: not all of their constituents are stored.
        var left = 0
    }

    private static let removed = "export_removed"
    private static let added = "export_added"

    let set: RecordSet
    let counts: Counts

    init(_ db: Database, _ request: HealthExportRequest) throws {
        let visible = RecordSet.visible(request.chain, at: request.observation)
        set = visible.replacing(Self.removed, with: Self.added)
        try db.execute(
            sql: """
                DROP TABLE IF EXISTS temp.export_removed; CREATE TEMP TABLE export_removed (id INTEGER PRIMARY KEY);
                DROP TABLE IF EXISTS temp.export_added; CREATE TEMP TABLE export_added (id INTEGER PRIMARY KEY);
                DROP TABLE IF EXISTS temp.export_present; CREATE TEMP TABLE export_present (id INTEGER PRIMARY KEY);
                DROP TABLE IF EXISTS temp.export_candidates; CREATE TEMP TABLE export_candidates (id INTEGER PRIMARY KEY);
                DROP TABLE IF EXISTS temp.export_groups;
                CREATE TEMP TABLE export_groups (number INTEGER PRIMARY KEY, complete INTEGER, replaced INTEGER);
                DROP TABLE IF EXISTS temp.export_parts;
                CREATE TEMP TABLE export_parts (number INTEGER, replacement INTEGER, id INTEGER);
                CREATE INDEX temp.export_parts_number ON export_parts (number, replacement);
                """)
        guard let first = request.chain.finished.first, first.id != request.observation.id else {
            counts = Counts()
            return
        }
        try Self.collect(db, request, from: first)
        try visible.select(db, from: "export_candidates", into: "export_present")
        while try Self.replaceOnce(db) {}
        func count(_ sql: String) throws -> Int { try Int.fetchOne(db, sql: sql) ?? 0 }
        counts = Counts(
            replaced: try count("SELECT count(*) FROM temp.export_groups WHERE replaced = 1"),
            constituents: try count(
                "SELECT count(*) FROM temp.export_added WHERE id NOT IN (SELECT id FROM temp.export_removed)"),
            left: try count(
                """
                SELECT count(*) FROM temp.export_groups g WHERE replaced = 0 AND NOT EXISTS (
                    SELECT 1 FROM temp.export_parts p WHERE p.number = g.number AND p.replacement = 1
                        AND p.id NOT IN (SELECT id FROM temp.export_present))
                """))
    }

    /// Writes the groups of the chain's history into the tables.
    private static func collect(_ db: Database, _ request: HealthExportRequest, from first: Observation) throws {
        let question = ConsolidationQuestion(
            from: first, to: request.observation, through: true, types: request.types)
        let answer = try Consolidation.answer(db, chain: request.chain, question)
        defer { answer.close() }
        let insertGroup = try db.makeStatement(sql: "INSERT INTO temp.export_groups VALUES (?, ?, 0)")
        let insertPart = try db.makeStatement(sql: "INSERT INTO temp.export_parts VALUES (?, ?, ?)")
        let insertCandidate = try db.makeStatement(sql: "INSERT OR IGNORE INTO temp.export_candidates VALUES (?)")
        try answer.forEachGroup { group in
            try insertGroup.execute(arguments: [group.number, group.completeness == .complete])
            for copy in group.replacements {
                try insertPart.execute(arguments: [group.number, 1, copy])
                try insertCandidate.execute(arguments: [copy])
            }
            try answer.forEachConstituent(of: group) { constituent in
                if !constituent.isNested { try insertPart.execute(arguments: [group.number, 0, constituent.rowID]) }
            }
        }
    }

    /// Replaces the complete groups whose replacements are there; false where there is none left.
    private static func replaceOnce(_ db: Database) throws -> Bool {
        try db.execute(
            sql: """
                UPDATE temp.export_groups SET replaced = 2 WHERE complete = 1 AND replaced = 0
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
