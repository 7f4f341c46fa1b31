internal import Analysis
internal import Archive
internal import GRDB
internal import HealthModel

/// The copies that changed between two observations, in a temporary table.
enum ChosenChanges {
    static let table = "export_chosen"

    /// Fills the table with the chosen kinds of changes; a changed representation counts with its later one.
    static func collect(
        _ db: Database, _ request: HealthExportRequest, from: Observation, kinds: Set<HealthExportRequest.ChangeKind>
    ) throws {
        try db.execute(
            sql: """
                DROP TABLE IF EXISTS temp.export_chosen; CREATE TEMP TABLE export_chosen (id INTEGER PRIMARY KEY);
                DROP TABLE IF EXISTS temp.export_gone; CREATE TEMP TABLE export_gone (id INTEGER PRIMARY KEY);
                """)
        let insert = try db.makeStatement(sql: "INSERT OR IGNORE INTO temp.export_chosen VALUES (?)")
        let insertGone = try db.makeStatement(sql: "INSERT OR IGNORE INTO temp.export_gone VALUES (?)")
        _ = try Diff.run(
            db, chain: request.chain, from: from, to: request.observation, types: request.types, source: nil
        ) { change in
            switch change {
            case .appeared(let id): if kinds.contains(.appeared) { try insert.execute(arguments: [id]) }
            case .disappeared(let id):
                if kinds.contains(.disappeared) { try insert.execute(arguments: [id]) }
                if kinds.contains(.unexplained) { try insertGone.execute(arguments: [id]) }
            case .representationChanged(_, _, _, let id):
                if kinds.contains(.representationChanged) { try insert.execute(arguments: [id]) }
            }
        }
        guard !kinds.isDisjoint(with: [.consolidated, .unexplained]) else { return }
        let answer = try Consolidation.answer(
            db, chain: request.chain,
            ConsolidationQuestion(from: from, to: request.observation, types: request.types))
        defer { answer.close() }
        let explain = try db.makeStatement(sql: "DELETE FROM temp.export_gone WHERE id = ?")
        let replace = try db.makeStatement(sql: "DELETE FROM temp.export_chosen WHERE id = ?")
        try answer.forEachGroup { group in
            try answer.forEachConstituent(of: group) { constituent in
                if kinds.contains(.consolidated), !constituent.isNested {
                    // A sample stands once, in the representation that it had last.
                    if let gone = constituent.disappearedCopyID { try replace.execute(arguments: [gone]) }
                    try insert.execute(arguments: [constituent.rowID])
                }
                if let gone = constituent.disappearedCopyID { try explain.execute(arguments: [gone]) }
            }
        }
        try db.execute(sql: "INSERT OR IGNORE INTO temp.export_chosen SELECT id FROM temp.export_gone")
    }
}
