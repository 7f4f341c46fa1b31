package import GRDB
package import Store

/// How many records of each type were visible at each observation of a chain.
package enum VisibleCounts {
    /// By type identifier, one count an observation in chain order.
    package static func read(_ db: Database, _ chain: Chain) throws -> [String: [Int64]] {
        var counts: [String: [Int64]] = [:]
        let names = ArchiveNames(db)
        let places = chain.places
        let rows = try Row.fetchCursor(
            db,
            sql: """
                /* Visible records by type at each observation of the chain */
                SELECT t.type_identifier, r.sample_type_id, r.import_id, r.visible_count
                FROM type_runs r LEFT JOIN sample_types t ON t.id = r.sample_type_id
                WHERE r.import_id IN (\(chain.finished.map(\.id).sqlList))
                ORDER BY t.type_identifier, r.import_id
                """)
        while let row = try rows.next() {
            guard let place = try places[row.get("import_id")] else { continue }
            let type = try names.type(row.get("sample_type_id"))
            if counts[type] == nil { counts[type] = [Int64](repeating: 0, count: chain.finished.count) }
            try counts[type]?[place] = row.bounded("visible_count")
        }
        return counts
    }
}
