internal import GRDB
internal import HealthModel

extension ImportSession {
    // MARK: - Nested records

    /// Decides which nested records count: those that no top-level record of this export equals.
    func takeNested() throws {
        guard nextNested > 1 else { return }
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
        // All nested records of one identity are looked up at once: a million of them may have it.
        let rows = try UnsafeStatement(
            db,
            """
            SELECT seq, sample_type_id, start_seconds, identity, version FROM temp.nested INDEXED BY nested_key
            ORDER BY identity, version
            """)
        let twins = try TwinSearch(self)
        var identity: Digest256?
        var shown = Set<Digest256>()
        while try rows.step() {
            guard let key = rows.digest(3), let version = rows.digest(4), !hasTwin.contains(rows.int(0)) else {
                continue
            }
            if key != identity {
                identity = key
                shown = try twins.versions(type: rows.int(1), start: rows.optionalInt(2), identity: key)
            }
            if shown.contains(version) { hasTwin.insert(rows.int(0)) }
        }
        try countNested(except: hasTwin)
    }

    /// Looks up which versions of a sample this export shows at its top level: copies that the walk has seen or, in a first
    /// import, that were just written.
    private struct TwinSearch {
        let statement: UnsafeStatement
        let isShown: (Int64) -> Bool

        init(_ session: ImportSession) throws {
            statement = try UnsafeStatement(
                session.db,
                """
                SELECT c.id, iif(c.payload_id IS NULL, c.version, p.version), k.identity
                FROM record_versions k INDEXED BY record_versions_timeline JOIN record_versions c ON c.id = k.id OR c.sample_id = k.id
                    LEFT JOIN record_versions p ON p.id = c.payload_id
                WHERE k.sample_type_id = ? AND k.start_seconds IS ? AND substr(k.identity, 1, 4) = ?
                    AND k.sample_id IS NULL AND k.device_chain_id = \(session.chainID)
                """)
            isShown = { [isDirect = session.isDirect, first = session.firstCopyID, walker = session.walker] id in
                isDirect ? id >= first : walker?.seen.contains(id) == true
            }
        }

        func versions(type: Int64, start: Int64?, identity: Digest256) throws -> Set<Digest256> {
            statement.bind(1, type)
            statement.bind(2, optional: start)
            return try withUnsafeBytes(of: identity) { bytes in
                guard let base = bytes.baseAddress else { return [] }
                statement.bind(3, blob: base, 4)
                defer { statement.reset() }
                var found = Set<Digest256>()
                while try statement.step() {
                    if statement.digest(2) == identity, isShown(statement.int(0)), let version = statement.digest(1) {
                        found.insert(version)
                    }
                }
                return found
            }
        }
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
                INSERT INTO record_versions (id, device_chain_id, \(Incoming.columns))
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
