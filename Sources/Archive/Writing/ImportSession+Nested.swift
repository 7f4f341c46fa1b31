internal import GRDB
internal import HealthModel

extension ImportSession {
    // MARK: - Nested records

    /// Decides which nested records count: those that no top-level record of this export equals.
    func takeNested() throws {
        guard nextNested > 1 else { return }
        // The copy of this export is one that the walk has seen or, in a first import, one that was just written.
        let twin = try UnsafeStatement(
            db,
            """
            SELECT c.id, iif(c.payload_id IS NULL, c.version, p.version), k.identity
            FROM copies k INDEXED BY copies_timeline JOIN copies c ON c.id = k.id OR c.sample_id = k.id
                LEFT JOIN copies p ON p.id = c.payload_id
            WHERE k.sample_type_id = ? AND k.start_seconds IS ? AND substr(k.identity, 1, 4) = ?
                AND k.sample_id IS NULL AND k.device_chain_id = \(chainID)
            """)
        try db.execute(sql: "CREATE INDEX temp.nested_key ON nested (identity, version)")
        var hasTwin = Bitmap()
        if !isDirect {
            let equal = try UnsafeStatement(
                db,
                """
                SELECT DISTINCT n.seq FROM temp.incoming i CROSS JOIN temp.nested n
                ON n.identity = i.identity AND n.version = i.version
                """)
            while try equal.step() { hasTwin.insert(equal.int(0)) }
        }
        let rows = try UnsafeStatement(
            db,
            """
            SELECT seq, sample_type_id, start_seconds, identity, version, descriptor_id, start_seconds + duration, value
            FROM temp.nested ORDER BY seq
            """)
        while try rows.step() {
            let seq = rows.int(0)
            guard let identity = rows.digest(3), let version = rows.digest(4) else { continue }
            if hasTwin.contains(seq) { continue }
            twin.bind(1, rows.int(1))
            twin.bind(2, optional: rows.optionalInt(2))
            let found = try withUnsafeBytes(of: identity) { bytes -> Bool in
                guard let base = bytes.baseAddress else { return false }
                twin.bind(3, blob: base, 4)
                defer { twin.reset() }
                while try twin.step() {
                    let id = twin.int(0)
                    if twin.digest(1) == version, twin.digest(2) == identity,
                        isDirect ? id >= firstCopyID : walker?.seen.contains(id) == true
                    {
                        return true
                    }
                }
                return false
            }
            if found { hasTwin.insert(seq) }
        }
        try countNested(except: hasTwin)
    }

    private func countNested(except hasTwin: Bitmap) throws {
        let rows = try UnsafeStatement(
            db,
            """
            SELECT seq, sample_type_id, start_seconds, identity, version, descriptor_id, start_seconds + duration, value
            FROM temp.nested ORDER BY seq
            """)
        let copy = try UnsafeStatement(
            db,
            isDirect
                ? """
                INSERT INTO copies (id, device_chain_id, \(Incoming.columns))
                SELECT ?, \(chainID), \(Incoming.columns) FROM temp.nested WHERE seq = ?
                """
                : """
                INSERT INTO temp.incoming (seq, \(Incoming.keyedColumns))
                SELECT ?, \(Incoming.keyedColumns) FROM temp.nested WHERE seq = ?
                """)
        while try rows.step() {
            guard !hasTwin.contains(rows.int(0)), let identity = rows.digest(3), let version = rows.digest(4) else {
                continue
            }
            let isNumber = !rows.isNull(7) && !rows.isText(7)
            summary.add(
                type: rows.int(1), descriptor: rows.int(5), start: rows.optionalInt(2), end: rows.optionalInt(6),
                number: isNumber ? rows.double(7) : nil)
            stream.add(identity, version)
            if let walker, try walker.match(rows.int(1), identity, version) != nil { continue }
            copy.bind(1, nextNumber)
            copy.bind(2, rows.int(0))
            try copy.run()
            if isDirect {
                try changes.add(identity, version)
                try identities.add(identity, copy: nextNumber)
                spans.note(type: rows.int(1), copy: nextNumber)
                try aggregates.note(
                    pair: summary.lastIndex, start: rows.optionalInt(2), end: rows.optionalInt(6),
                    number: isNumber ? rows.double(7) : nil)
            }
            nextNumber += 1
        }
    }
}
