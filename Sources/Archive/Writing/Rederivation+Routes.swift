internal import GRDB
internal import HealthModel

extension Rederivation {
    struct Move {
        var id: Int64
        var visible: Bool
    }

    private struct Route: Hashable {
        var sample: Int64
        var trackless: Digest256
    }

    /// Finds anew which track each route keeps that the observation's export showed without its file, and notes the
    /// moves that follow.
    ///
    /// - Parameter shown: a query for the ids of the copies that the file showed; nil for all that are visible.
    func mapRoutes(among shown: String?) throws -> [Move] {
        guard let type = facts.typeNames.first(where: { $0.value == SampleType.workoutRoute })?.key,
            facts.read[type] != nil
        else { return [] }
        var fileless: [Route: [Int64]] = [:]
        let routes = """
            SELECT c.id FROM (SELECT k.id FROM copies k WHERE k.sample_type_id = \(type) AND k.sample_id IS NULL
                UNION ALL SELECT v.id FROM copies k CROSS JOIN copies v ON v.sample_id = k.id
                WHERE k.sample_type_id = \(type) AND k.sample_id IS NULL) r CROSS JOIN copies c ON c.id = r.id
            WHERE c.device_chain_id = \(chain) AND \(visibleHere)
            """
        let columns = """
            SELECT c.id, ifnull(c.sample_id, c.id), iif(c.payload_id IS NULL, c.trackless, p.trackless),
                iif(c.payload_id IS NULL, c.version, p.version),
                EXISTS (SELECT 1 FROM kept_tracks t WHERE t.import_id = \(observation.id) AND t.copy_id = c.id)
            """
        let rows = try UnsafeStatement(
            db,
            """
            \(columns) FROM (\(shown ?? routes)) s CROSS JOIN copies c ON c.id = s.id
            LEFT JOIN copies k ON k.id = c.sample_id LEFT JOIN copies p ON p.id = c.payload_id
            WHERE ifnull(c.sample_type_id, k.sample_type_id) = \(type)
            """)
        var withFile = Bitmap()
        while try rows.step() {
            let isKept = rows.int(4) == 1
            if let trackless = isKept ? rows.digest(2) : rows.isNull(2) ? rows.digest(3) : nil {
                fileless[Route(sample: rows.int(1), trackless: trackless), default: []].append(rows.int(0))
            } else {
                withFile.insert(rows.int(0))
            }
        }
        guard !fileless.isEmpty else { return [] }
        try db.execute(sql: "DELETE FROM kept_tracks WHERE import_id = ?", arguments: [observation.id])
        let known = try UnsafeStatement(
            db,
            """
            SELECT c.id, iif(c.payload_id IS NULL, c.version, p.version) AS version, ifnull(k.identity, c.identity)
            FROM copies c LEFT JOIN copies p ON p.id = c.payload_id LEFT JOIN copies k ON k.id = c.sample_id
            WHERE (c.id = ?1 OR c.sample_id = ?1) AND iif(c.payload_id IS NULL, c.trackless, p.trackless) = ?2
                AND \(visibleBefore)
            ORDER BY version, c.ordinal
            """)
        let keep = try UnsafeStatement(db, "INSERT INTO kept_tracks VALUES (\(observation.id), ?)")
        var moves: [Move] = []
        for (route, copies) in fileless {
            var now: [Int64] = []
            known.bind(1, route.sample)
            known.bind(2, route.trackless)
            while now.count < copies.count, try known.step() {
                let id = known.int(0)
                guard !withFile.contains(id), let version = known.digest(1), let identity = known.digest(2) else {
                    continue
                }
                now.append(id)
                kept.remove(identity, route.trackless)
                kept.add(identity, version)
                keep.bind(1, id)
                try keep.run()
            }
            known.reset()
            let like = copies.min() ?? 0
            for ordinal in 0..<(copies.count - now.count) {
                now.append(try trackless(route.sample, route.trackless, Int64(ordinal), like: like, type))
            }
            let (old, new) = (Set(copies), Set(now))
            moves += old.subtracting(new).map { Move(id: $0, visible: false) }
            moves += new.subtracting(old).map { Move(id: $0, visible: true) }
        }
        let note = try UnsafeStatement(db, "INSERT OR REPLACE INTO temp.rederived_moves VALUES (?, ?)")
        for move in moves {
            note.bind(1, move.id)
            note.bind(2, Int64(move.visible ? 1 : 0))
            try note.run()
        }
        return moves
    }

    /// The copy of a route without its track; made of one with a track where there is none yet.
    private func trackless(
        _ sample: Int64, _ version: Digest256, _ ordinal: Int64, like other: Int64, _ type: Int64
    ) throws -> Int64 {
        let find = try UnsafeStatement(
            db,
            """
            SELECT c.id, c.ordinal FROM copies c LEFT JOIN copies p ON p.id = c.payload_id
            WHERE (c.id = ?1 OR c.sample_id = ?1) AND iif(c.payload_id IS NULL, c.version, p.version) = ?2
            """)
        find.bind(1, sample)
        find.bind(2, version)
        var first: Int64?
        while try find.step() {
            if find.int(1) == ordinal { return find.int(0) }
            if find.int(1) == 0 { first = find.int(0) }
        }
        let id = (try Int64.fetchOne(db, sql: "SELECT max(id) FROM copies") ?? 0) + 1
        let insert = try UnsafeStatement(
            db,
            """
            INSERT INTO copies (id, device_chain_id, descriptor_id, creation_delay, metadata, version, ordinal,
                opened_observation_id, closed_observation_id, sample_id, payload_id, extras, unversioned)
            SELECT ?1, c.device_chain_id, c.descriptor_id, iif(?4 IS NULL, p.creation_delay, NULL),
                iif(?4 IS NULL, p.metadata, NULL), iif(?4 IS NULL, ?5, NULL), ?6, \(observation.id), \(observation.id), ?3, ?4,
                iif(?4 IS NULL, nullif(json_remove(p.extras, '$.track'), '{}'), NULL),
                iif(?4 IS NULL, p.unversioned, NULL)
            FROM copies c JOIN copies p ON p.id = ifnull(c.payload_id, c.id) WHERE c.id = ?2
            """)
        insert.bind(1, id)
        insert.bind(2, other)
        insert.bind(3, sample)
        insert.bind(4, optional: first)
        insert.bind(5, version)
        insert.bind(6, ordinal)
        try insert.run()
        newCopies.append((type, id))
        return id
    }
}
