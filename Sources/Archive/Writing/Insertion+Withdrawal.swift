internal import GRDB

extension Insertion {
    /// Takes a finished observation back to where an insertion starts, so that its export can be placed again with what
    /// it lacked: a twin of its baseline, none of whose own ranges begin or end with it.
    ///
    /// All of it happens in the transaction of the new import: until that commits, everybody sees the observation as it
    /// was.
    /// - Complexity: grows with what the observation changed (a chain's first: with what the one behind it changed).
    func withdraw(chain: Int64) throws {
        let changing = placement.predecessor == nil ? placement.successor?.id : placement.importID
        try TouchedCopies.collect(db, into: "temp.withdrawn", of: [changing].compactMap(\.self))
        let rows = try UnsafeStatement(
            db,
            """
            SELECT c.id, \(visibleAtBaseline) FROM temp.withdrawn w CROSS JOIN record_versions c ON c.id = w.id
            WHERE c.device_chain_id = \(chain) AND (\(visibleAtBaseline)) <> (\(visible(at: placement.importID)))
            """)
        // A copy is decided by its own ranges alone, and before they are edited.
        while try rows.step() { try set(rows.int(1) == 1, copy: rows.int(0)) }
    }
}
