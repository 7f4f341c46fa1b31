internal import GRDB
internal import HealthModel
internal import Store

extension ImportSession {
    /// Stores the nested records that count: those that no top-level record of this export equals.
    func storeNested() throws {
        guard nextNested > 1 else { return }
        try db.execute(sql: "CREATE INDEX temp.nested_key ON nested_items (identity, version)")
        var isTopLevel = Bitmap()
        if !mode.isFirst {
            let equal = try PreparedStatement(
                db,
                """
                SELECT DISTINCT n.seq FROM temp.staged_items i CROSS JOIN temp.nested_items n
                ON n.identity = i.identity AND n.version = i.version
                """)
            while try equal.step() { isTopLevel.insert(equal.int(0)) }
        }
        // All nested records of one identity are looked up at once: a million of them may have it.
        let rows = try PreparedStatement(
            db,
            """
            SELECT seq, sample_type_id, start_seconds, identity, version FROM temp.nested_items INDEXED BY nested_key
            ORDER BY identity, version
            """)
        let topLevel = try TopLevelEqualLookup(self)
        var identity: Digest256?
        var shown = Set<Digest256>()
        while try rows.step() {
            guard let key = rows.digest(3), let version = rows.digest(4), !isTopLevel.contains(rows.int(0)) else {
                continue
            }
            if key != identity {
                identity = key
                shown = try topLevel.versions(type: rows.int(1), start: rows.optionalInt(2), identity: key)
            }
            if shown.contains(version) { isTopLevel.insert(rows.int(0)) }
        }
        try insertNested(except: isTopLevel)
    }

    /// Looks up which versions of a sample this export shows at its top level: rows that the merge join has seen or, in a first
    /// import, rows that were just written.
    private struct TopLevelEqualLookup {
        let statement: PreparedStatement
        let isShown: (Int64) -> Bool

        init(_ session: ImportSession) throws {
            statement = try PreparedStatement(
                session.db,
                """
                SELECT c.id, c.version, c.identity
                FROM record_versions k INDEXED BY record_versions_timeline
                    CROSS JOIN record_versions v ON v.id = k.id OR v.sample_id = k.id
                    CROSS JOIN full_record_versions c ON c.id = v.id
                WHERE k.sample_type_id = ? AND k.start_seconds IS ? AND substr(k.identity, 1, 4) = substr(?, 1, 4)
                    AND k.sample_id IS NULL AND k.device_chain_id = \(session.chainID)
                """)
            isShown = { [first = session.firstRow, merge = session.mode.merge] id in
                merge?.seen.contains(id) ?? (id >= first)
            }
        }

        func versions(type: Int64, start: Int64?, identity: Digest256) throws -> Set<Digest256> {
            statement.bind(1, type)
            statement.bind(2, optional: start)
            statement.bind(3, identity)
            defer { statement.reset() }
            let row = StoredRow(statement: statement)
            var found = Set<Digest256>()
            while try statement.step() {
                if try row.digest(2) == identity, isShown(statement.int(0)) { found.insert(try row.digest(1)) }
            }
            return found
        }
    }

    private func insertNested(except isTopLevel: Bitmap) throws {
        let rows = try PreparedStatement(
            db,
            """
            SELECT seq, sample_type_id, start_seconds, identity, version, descriptor_id, start_seconds + duration, value
            FROM temp.nested_items ORDER BY seq
            """)
        let move = try PreparedStatement(
            db,
            mode.isFirst
                ? """
                INSERT INTO record_versions (id, device_chain_id, \(TemporaryTable.itemColumns))
                SELECT ?, \(chainID), \(TemporaryTable.itemColumns) FROM temp.nested_items WHERE seq = ?
                """
                : """
                INSERT INTO temp.staged_items (seq, \(TemporaryTable.itemColumns), key)
                SELECT ?, \(TemporaryTable.itemColumns), key FROM temp.nested_items WHERE seq = ?
                """)
        while try rows.step() {
            guard !isTopLevel.contains(rows.int(0)), let identity = rows.digest(3), let version = rows.digest(4) else {
                continue
            }
            let value = rows.isNull(7) || rows.isText(7) ? nil : rows.double(7)
            summary.add(
                type: rows.int(1), descriptor: rows.int(5), start: rows.optionalInt(2), end: rows.optionalInt(6),
                number: value)
            stream.add(identity, version)
            if let merge = mode.merge, try merge.match(rows.int(1), identity, version, number: nextNumber) != nil {
                continue
            }
            try move.run(binding: [nextNumber, rows.int(0)])
            if mode.isFirst {
                try recordFirst(
                    nextNumber, type: rows.int(1), identity, version, start: rows.optionalInt(2),
                    end: rows.optionalInt(6), value: value)
            }
            nextNumber += 1
        }
    }
}
