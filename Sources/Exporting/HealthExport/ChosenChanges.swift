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
            sql: "DROP TABLE IF EXISTS temp.\(table); CREATE TEMP TABLE \(table) (id INTEGER PRIMARY KEY)")
        let insert = try db.makeStatement(sql: "INSERT OR IGNORE INTO temp.\(table) VALUES (?)")
        _ = try Diff.run(
            db, chain: request.chain, from: from, to: request.observation, types: request.types, source: nil
        ) { change in
            switch change {
            case .appeared(let id): if kinds.contains(.appeared) { try insert.execute(arguments: [id]) }
            case .disappeared(let id): if kinds.contains(.disappeared) { try insert.execute(arguments: [id]) }
            case .representationChanged(_, _, _, let id):
                if kinds.contains(.representationChanged) { try insert.execute(arguments: [id]) }
            }
        }
    }
}
