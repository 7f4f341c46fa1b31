internal import GRDB
internal import HealthModel
internal import Store

extension ImportSession {
    /// What a route may stand in: a row of the archive, or the number of a staged item.
    struct RouteOwner {
        var number: Int64
        var isStaged: Bool
    }

    /// Notes a route of the file, with the item that it stands in and the path of its file.
    func noteRoute(_ item: PreparedItem, _ detail: ItemDetail?, in last: RouteOwner?) throws {
        let owner = detail?.isInItem == true ? last : nil
        if let owner, owner.isStaged { owners.insert(owner.number) }
        insertRoute.bind(1, optional: owner?.number)
        insertRoute.bind(2, Int64(owner?.isStaged == true ? 1 : 0))
        insertRoute.bind(3, try dictionaries.type(item.type))
        insertRoute.bind(4, optional: item.startDate)
        insertRoute.bind(5, item.identity)
        insertRoute.bind(6, item.version)
        if let path = detail?.filePath { insertRoute.bind(7, text: path) }
        try insertRoute.run()
    }

    /// Stores what the file said of its routes: in which item each stood, and which side file it named.
    ///
    /// Equal copies, of routes as of workouts, are told apart by what belongs to them alone, so that the order of an export
    /// does not matter: the first visible copy is the one whose file has the lowest hash.
    func storeRoutes() throws {
        let visible = mode.derivation?.visible("f", at: importID) ?? "f.closed_observation_id = \(ArchiveFormat.open)"
        try db.execute(
            sql: """
                INSERT INTO temp.named_routes (route, sample_id, version, side_file_id, content, owner)
                SELECT m.rowid, k.id, m.version, s.side_file_id, f.content_sha256,
                    iif(m.is_staged, (SELECT record_version_id FROM temp.placed_items WHERE seq = m.owner), m.owner)
                FROM temp.item_routes m
                CROSS JOIN record_versions k INDEXED BY record_versions_timeline ON k.sample_type_id = m.sample_type_id
                    AND k.start_seconds IS m.start_seconds AND substr(k.identity, 1, 4) = substr(m.identity, 1, 4)
                    AND k.identity = m.identity AND k.sample_id IS NULL AND k.device_chain_id = \(chainID)
                LEFT JOIN import_side_files s ON s.import_id = ? AND s.path = ltrim(m.path, '/')
                LEFT JOIN side_files f ON f.id = s.side_file_id
                """, arguments: [importID])
        try db.execute(
            sql: """
                INSERT INTO temp.route_owners (owner, sample_id, version, place)
                SELECT n.owner, o.sample_id, o.version, row_number() OVER (
                    PARTITION BY o.sample_id, o.version ORDER BY min(n.content), o.ordinal)
                FROM temp.named_routes n CROSS JOIN full_record_versions o ON o.id = n.owner GROUP BY n.owner;
                INSERT INTO temp.shown_copies (sample_id, version, place, id)
                SELECT f.sample_id, f.version,
                    row_number() OVER (PARTITION BY f.sample_id, f.version ORDER BY f.ordinal), f.id
                FROM (SELECT sample_id FROM temp.named_routes UNION SELECT sample_id FROM temp.route_owners) s
                CROSS JOIN record_versions v ON v.id = s.sample_id OR v.sample_id = s.sample_id
                CROSS JOIN full_record_versions f ON f.id = v.id
                WHERE f.device_chain_id = \(chainID) AND \(visible);
                INSERT INTO shown_routes (import_id, record_version_id, owner_id, side_file_id)
                SELECT \(importID), c.id, r.owner, r.side_file_id
                FROM (SELECT n.sample_id, n.version, n.side_file_id, c.id AS owner, row_number() OVER (
                        PARTITION BY n.sample_id, n.version ORDER BY o.version, o.place, n.content, n.route) AS place
                    FROM temp.named_routes n LEFT JOIN temp.route_owners o ON o.owner = n.owner
                    LEFT JOIN temp.shown_copies c ON c.sample_id = o.sample_id AND c.version = o.version
                        AND c.place = o.place) r
                CROSS JOIN temp.shown_copies c ON c.sample_id = r.sample_id AND c.version = r.version
                    AND c.place = r.place;
                """)
    }
}
