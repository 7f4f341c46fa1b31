internal import ArchiveComparing
internal import ArchiveFile
internal import ArchiveRows
internal import GRDB
internal import HealthModel
internal import TextFormats

extension Rederivation {
    struct Move {
        var id: Int64
        var visible: Bool
    }

    private struct Route: Hashable {
        var sample: Int64
        var versionWithoutTrack: Digest256
    }

    /// Finds again which track each route keeps that the observation's export showed without its file, and adds the
    /// moves that follow to `rederived_moves`.
    ///
    /// - Parameter shown: a query for the ids of the rows that the file showed; nil for all that are visible.
    func mapRoutes(among shown: String?) throws -> [Move] {
        guard let type = typeNames.first(where: { $0.value == SampleType.workoutRoute })?.key,
            former[type]?.read ?? 0 > 0
        else { return [] }
        var fileless: [Route: [Int64]] = [:]
        let routes = """
            SELECT c.id FROM (SELECT k.id FROM record_versions k WHERE k.sample_type_id = \(type) AND k.sample_id IS NULL
                UNION ALL SELECT v.id FROM record_versions k CROSS JOIN record_versions v ON v.sample_id = k.id
                WHERE k.sample_type_id = \(type) AND k.sample_id IS NULL) r CROSS JOIN record_versions c ON c.id = r.id
            WHERE c.device_chain_id = \(chain) AND \(visibleHere)
            """
        let columns = """
            SELECT c.id, c.sample_id, c.version_without_track, c.version,
                EXISTS (SELECT 1 FROM kept_tracks t WHERE t.import_id = \(observation.id) AND t.record_version_id = c.id)
            """
        let rows = try PreparedStatement(
            db,
            """
            \(columns) FROM (\(shown ?? routes)) s CROSS JOIN full_record_versions c ON c.id = s.id
            WHERE c.sample_type_id = \(type)
            """)
        let row = StoredRow(statement: rows)
        var withFile = Bitmap()
        while try rows.step() {
            let isKept = rows.int(4) == 1
            if let versionWithoutTrack = try isKept ? row.optionalDigest(2) : rows.isNull(2) ? row.digest(3) : nil {
                fileless[Route(sample: rows.int(1), versionWithoutTrack: versionWithoutTrack), default: []].append(
                    rows.int(0))
            } else {
                withFile.insert(rows.int(0))
            }
        }
        guard !fileless.isEmpty else { return [] }
        try db.execute(sql: "DELETE FROM kept_tracks WHERE import_id = ?", arguments: [observation.id])
        let now = try keepTracks(of: fileless, withFile, type)
        var moves: [Move] = []
        for (route, rowIDs) in fileless {
            let (old, new) = (Set(rowIDs), now[route] ?? [])
            moves += old.subtracting(new).map { Move(id: $0, visible: false) }
            moves += new.subtracting(old).map { Move(id: $0, visible: true) }
        }
        for change in moves { try move(change.id, visible: change.visible) }
        return moves
    }

    /// The rows of routes without a file: first those that differ from one before in the track alone, then
    /// those that keep the track of any of the same route, then those without one; as in an import.
    private func keepTracks(
        of fileless: [Route: [Int64]], _ withFile: Bitmap, _ type: Int64
    ) throws -> [Route: Set<Int64>] {
        let known = try VersionCursor(
            db,
            TrackKeeping.routes(
                from: "record_versions v", where: "(v.id = ?1 OR v.sample_id = ?1) AND \(visibleBefore)"))
        let keep = try PreparedStatement(db, "INSERT INTO kept_tracks VALUES (\(observation.id), ?)")
        let hashes = StoredHashes(db)
        var now: [Route: Set<Int64>] = [:]
        var used = Set<Int64>()
        func keepTrack(_ rowID: Int64, _ route: Route, _ identity: Digest256, _ version: Digest256) throws {
            now[route, default: []].insert(rowID)
            used.insert(rowID)
            kept.remove(identity, route.versionWithoutTrack)
            kept.add(identity, version)
            try keep.run(binding: [rowID])
        }
        let routes = fileless.sorted {
            ($0.key.sample, $0.key.versionWithoutTrack) < ($1.key.sample, $1.key.versionWithoutTrack)
        }
        var left: [Route: Int] = [:]
        for (route, rowIDs) in routes {
            var count = rowIDs.count
            known.bind(1, route.sample)
            while count > 0, try known.next() {
                let id = known.rowID
                guard !withFile.contains(id), !used.contains(id) else { continue }
                let (version, versionWithoutTrack) = try (known.version, known.versionWithoutTrack)
                if versionWithoutTrack == route.versionWithoutTrack {
                    try keepTrack(id, route, known.identity, version)
                    count -= 1
                } else if versionWithoutTrack == nil, version == route.versionWithoutTrack {
                    used.insert(id)
                    now[route, default: []].insert(id)
                    count -= 1
                }
            }
            known.reset()
            left[route] = count
        }
        for (route, rowIDs) in routes {
            let like = rowIDs.min() ?? 0
            var count = left[route] ?? 0
            known.bind(1, route.sample)
            while count > 0, try known.next() {
                let id = known.rowID
                guard !withFile.contains(id), !used.contains(id), try known.versionWithoutTrack != nil,
                    let track = try known.extras.flatMap({ StoredHashes.track($0.array) })
                else { continue }
                used.insert(id)
                let (rowID, version) = try self.row(of: route, track: track, like: like, type, hashes) {
                    withFile.contains($0) || used.contains($0)
                }
                try keepTrack(rowID, route, known.identity, version)
                count -= 1
            }
            known.reset()
            for _ in 0..<count {
                let (rowID, _) = try self.row(of: route, track: nil, like: like, type, hashes) {
                    withFile.contains($0) || now[route]?.contains($0) == true
                }
                now[route, default: []].insert(rowID)
            }
        }
        return now
    }

    /// The row of a route with a track or without one, of the lowest ordinal that is free; made of one that differs in
    /// the track alone where there is none yet.
    private func row(
        of route: Route, track: [UInt8]?, like other: Int64, _ type: Int64, _ hashes: StoredHashes,
        _ isTaken: (Int64) -> Bool
    ) throws -> (id: Int64, version: Digest256) {
        var version = route.versionWithoutTrack
        var extras: [UInt8]?
        if let track {
            let row = try VersionCursor(db)
            try row.seek(other)
            (extras, version) = try hashes.grafted(row, track: track)
        }
        let find = try PreparedStatement(
            db,
            """
            SELECT f.id, f.ordinal FROM record_versions v CROSS JOIN full_record_versions f ON f.id = v.id
            WHERE (v.id = ?1 OR v.sample_id = ?1) AND f.version = ?2
            ORDER BY f.ordinal
            """)
        find.bind(1, route.sample)
        find.bind(2, version)
        var first: Int64?
        var ordinal: Int64 = 0
        while try find.step() {
            if !isTaken(find.int(0)) { return (find.int(0), version) }
            first = first ?? find.int(0)
            ordinal = find.int(1) + 1
        }
        let id = try RowsOutsideImports.nextID(db)
        let insert = try PreparedStatement(
            db,
            """
            INSERT INTO record_versions (id, device_chain_id, descriptor_id, creation_delay, metadata, version, ordinal,
                opened_observation_id, closed_observation_id, sample_id, payload_id, extras, volatile_fields, version_without_track)
            SELECT ?1, c.device_chain_id, c.descriptor_id, iif(?4 IS NULL, p.creation_delay, NULL),
                iif(?4 IS NULL, p.metadata, NULL), iif(?4 IS NULL, ?5, NULL), ?6, \(observation.id), \(observation.id), ?3, ?4,
                iif(?4 IS NULL, ifnull(?7, nullif(json_remove(p.extras, '$.track'), '{}')), NULL),
                iif(?4 IS NULL, p.volatile_fields, NULL), iif(?4 IS NULL AND ?7 IS NOT NULL, ?8, NULL)
            FROM record_versions c JOIN record_versions p ON p.id = ifnull(c.payload_id, c.id) WHERE c.id = ?2
            """)
        insert.bind(1, id)
        insert.bind(2, other)
        insert.bind(3, route.sample)
        insert.bind(4, optional: first)
        insert.bind(5, version)
        insert.bind(6, ordinal)
        insert.bind(8, route.versionWithoutTrack)
        extras?.withByteView { insert.bind(7, text: $0) }
        try insert.run()
        newRows.append((type, id))
        return (id, version)
    }
}
