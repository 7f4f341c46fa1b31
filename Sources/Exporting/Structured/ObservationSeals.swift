internal import Archive
internal import Foundation
internal import GRDB
internal import TextFormats

/// The seals of observations, where the archive has any.
struct ObservationSeals {
    private let db: Database
    private let isThere: Bool

    init(_ db: Database) throws {
        self.db = db
        isThere = try db.tableExists("seals")
    }

    /// The seals of an observation with their places in the chain of seals; null where there are none.
    func json(_ observation: Int64) throws -> JSON {
        guard isThere else { return .null }
        let rows = try Row.fetchAll(
            db, sql: "SELECT * FROM seals WHERE import_id = ? ORDER BY sequence", arguments: [observation])
        let seals = try rows.map { row -> JSON in
            try .object([
                ("sequence", .int(row.get("sequence") as Int64)),
                ("seal", (row.get("seal") as Data?).map { .string(Hex.string($0)) } ?? .null),
            ])
        }
        return seals.isEmpty ? .null : .array(seals)
    }
}
