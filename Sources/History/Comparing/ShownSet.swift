internal import Foundation
package import GRDB
internal import HealthModel
package import Store

/// The rows that the file of an observation showed and those that are visible at it.
///
/// What was shown is a fact of the observation. What is visible follows from it, from the state before and from what the file
/// left out; the ranges of `record_versions` and `past_ranges` say the same row by row.
package struct ShownSet: Equatable {
    package var shown: Bitmap
    package var visible: Bitmap

    package init(shown: Bitmap, visible: Bitmap) {
        self.shown = shown
        self.visible = visible
    }

    /// Reads the set of a finished observation.
    ///
    /// - Throws: `archiveDamaged` where it is missing or unreadable.
    package init(_ db: Database, importID: Int64) throws {
        let row = try Row.fetchOne(
            db.cachedStatement(sql: "SELECT shown, visible FROM shown_sets WHERE import_id = ?"), arguments: [importID])
        func bitmap(_ column: String) throws -> Bitmap? {
            guard let packed = try row?.get(column) as Data? else { return nil }
            guard let bytes = Deflate.expand(packed, limit: Int(IdentityIndex.highestRowID / 8 + 8)),
                let bitmap = Bitmap(bytes: bytes)
            else { throw HealthProbeError.damagedRow("shown_sets", importID) }
            return bitmap
        }
        guard let shown = try bitmap("shown") else { throw HealthProbeError.damagedRow("shown_sets", importID) }
        self.shown = shown
        visible = try bitmap("visible") ?? shown
    }

    /// Stores the set in place of the one that the observation had.
    package func write(_ db: Database, importID: Int64) throws {
        try db.executeCached(
            "INSERT OR REPLACE INTO shown_sets (import_id, shown, visible) VALUES (?, ?, ?)",
            [
                importID, try Deflate.compress(shown.bytes),
                visible == shown ? nil : try Deflate.compress(visible.bytes),
            ])
    }

    /// The rows that each of some observations of a chain opened or closed.
    ///
    /// - Complexity: reads the sets of these observations and of those before them.
    package static func changed(_ db: Database, _ chain: Chain, at observations: [Observation]) throws -> Bitmap {
        var changed = Bitmap()
        var last: (id: Int64, visible: Bitmap)?
        for observation in observations {
            let visible = try ShownSet(db, importID: observation.id).visible
            if let previous = chain.previous(of: observation) {
                let before = previous.id == last?.id ? last?.visible : nil
                changed = try changed.union(
                    visible.symmetricDifference(before ?? ShownSet(db, importID: previous.id).visible))
            } else {
                changed = changed.union(visible)
            }
            last = (observation.id, visible)
        }
        return changed
    }
}

extension Bitmap {
    /// The ids in the one column of a query.
    package init(_ db: Database, _ query: String) throws {
        self.init()
        let rows = try PreparedStatement(db, query)
        defer { rows.reset() }
        while try rows.step() { insert(rows.int(0)) }
    }

    /// Adds the ids to a table with one column `id`.
    package func insert(_ db: Database, into table: String) throws {
        let rows = try RowBatch(db, insert: "INSERT OR IGNORE", into: table, ["id"])
        try forEach { id in
            rows.bind(1, id)
            try rows.endRow()
        }
        try rows.flush()
    }
}
