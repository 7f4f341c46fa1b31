internal import GRDB
internal import Store

extension StateSummary {
    /// The summary of stored rows of some types.
    ///
    /// - Parameter visible: the SQL condition on the row `f` of `full_record_versions`.
    init(_ db: Database, chain: Int64, types: Set<Int64>, visible: String) throws {
        self.init()
        guard !types.isEmpty else { return }
        let list = types.sorted().sqlList
        let rows = try PreparedStatement(
            db,
            """
            SELECT f.sample_type_id, f.descriptor_id, f.start_seconds, f.end_seconds, f.value, f.id
            FROM full_record_versions f
            WHERE f.sample_type_id IN (\(list)) AND f.device_chain_id = \(chain) AND \(visible)
            """)
        let row = StoredRow(statement: rows, idColumn: 5)
        while try rows.step() {
            add(
                type: try row.integer(0), descriptor: try row.integer(1), start: try row.instant(2),
                end: try row.instant(3), number: try row.number(4))
        }
    }

    /// Writes the rows of `type_sums` of the wanted types.
    func insertSums(
        _ db: Database, importID: Int64, _ dictionaries: Dictionaries, where isWanted: (Int64) -> Bool
    ) throws {
        // Descriptors that differ in nothing but version and device follow each other.
        var order: [(key: (type: Int64, source: Int64, unit: Int64), place: Int)] = []
        for (place, key) in keys.enumerated() where isWanted(key.type) {
            let parts = try dictionaries.parts(of: key.descriptor)
            order.append(((key.type, parts.source, parts.unit), place))
        }
        order.sort { $0.key < $1.key }
        var open: (key: (type: Int64, source: Int64, unit: Int64), sum: RowTotals)?
        for (key, place) in order {
            if let last = open, last.key == key {
                open?.sum.merge(sums[place])
            } else {
                if let open { try open.sum.insert(db, importID: importID, open.key) }
                open = (key, sums[place])
            }
        }
        if let open { try open.sum.insert(db, importID: importID, open.key) }
    }
}
