package import GRDB

extension VersionCursor {
    /// Prepares the first rows of a type behind a place, in the order of the listing.
    package static func page(
        _ db: Database, of set: RecordSet, type: Int64, behind place: PageCursor?, limit: Int
    ) throws -> VersionCursor {
        let behind = """
            AND (ifnull(s.start_seconds, \(Int64.min)), ifnull(\(VersionColumns.end(key: "s")), \(Int64.min)), s.identity,
                    \(VersionColumns.payload("version", "c")), c.ordinal) > (?3, ?4, ?5, ?6, ?7)
            """
        let rows = try timeline(
            db, of: set, type: type, title: "/* Records of a type */",
            """
            AND \(set.condition(onKey: "s"))
                \(place?.start == nil ? "" : "AND s.start_seconds >= ?3")
                \(place == nil ? "" : behind)
            """, limit: "LIMIT ?2")
        rows.bind(2, Int64(limit))
        guard let place else { return rows }
        rows.bind(3, place.start ?? .min)
        rows.bind(4, place.end ?? .min)
        rows.bind(5, place.identity)
        rows.bind(6, place.version)
        rows.bind(7, place.ordinal)
        return rows
    }

    /// Prepares the rows of a type by their starts, in the order of the listing; `restart` says which.
    package static func starting(_ db: Database, of set: RecordSet, type: Int64) throws -> VersionCursor {
        try timeline(
            db, of: set, type: type, title: "/* Records of a type around a workout */",
            "AND s.start_seconds >= ?2 AND s.start_seconds < ?3")
    }

    /// Prepares the rows `c` of a type in the order of the listing, each with the row `s` of its key and the row `p` of its
    /// payload.
    ///
    /// - Parameter conditions: more conditions of SQL, each with `AND`; `?1` is the type.
    static func timeline(
        _ db: Database, of set: RecordSet, type: Int64, title: String = "", _ conditions: String, limit: String = ""
    ) throws -> VersionCursor {
        let rows = try VersionCursor(
            db,
            """
            \(title)
            SELECT \(VersionColumns.joined(row: "c", key: "s"))
            FROM record_versions s INDEXED BY record_versions_timeline
            CROSS JOIN record_versions c LEFT JOIN record_versions p ON p.id = c.payload_id
            WHERE s.sample_type_id = ?1 AND s.sample_id IS NULL AND (c.id = s.id OR c.sample_id = s.id)
                \(conditions)
                AND \(set.condition(onRow: "c"))
            ORDER BY s.start_seconds, \(VersionColumns.end(key: "s")), s.identity,
                \(VersionColumns.payload("version", "c")), c.ordinal
            \(limit)
            """)
        rows.bind(1, type)
        return rows
    }

    /// Goes before the first row that starts at or after an instant (Unix seconds), and ends before another instant.
    package func restart(from start: Int64, below end: Int64) {
        reset()
        bind(2, start)
        bind(3, end)
    }
}
