internal import GRDB
internal import History
internal import Store

/// References that are no foreign keys, and the form of each row.
enum RowInvariants {
    static let all = [
        InvariantCheck("B01-references") {
            try $0.violations(.references) ?? $0.firstViolations(references(touched: $0.touchedRows()))
                ?? outsideSpans($0)
        },
        InvariantCheck("B02-rowForm") {
            try $0.violations(.numbers) ?? $0.violations(.columns) ?? $0.violations(.link)
                ?? $0.violations("earlier ranges whose link is malformed", pastLinks)
                ?? $0.firstViolations(UTF8Texts.tests($0.tables()))
        },
        InvariantCheck("B03-inheritance") { try $0.firstViolations(inheritance(touched: $0.touchedRows())) },
    ]

    private static func references(touched: String) -> [(what: String, sql: String)] {
        let ids = "SELECT id FROM"
        return [
            (
                "record versions that name a missing one",
                """
                SELECT c.id FROM \(touched) c
                LEFT JOIN record_versions k ON k.id = c.sample_id LEFT JOIN record_versions p ON p.id = c.payload_id
                LEFT JOIN record_versions v ON v.id = c.previous_id
                WHERE (c.sample_id IS NOT NULL AND k.id IS NULL) OR (c.payload_id IS NOT NULL AND p.id IS NULL)
                    OR (c.previous_id IS NOT NULL AND v.id IS NULL)
                """
            ),
            (
                "earlier ranges that name a missing record version",
                """
                SELECT record_version_id FROM past_ranges WHERE previous_id NOT IN (\(ids) record_versions) OR record_version_id NOT IN (\(ids) record_versions)
                """
            ),
            (
                "descriptors whose unit, source or device does not exist",
                """
                SELECT id FROM descriptors WHERE (unit_id <> 0 AND unit_id NOT IN (\(ids) units))
                    OR (source_id <> 0 AND source_id NOT IN (\(ids) sources))
                    OR (device_id <> 0 AND device_id NOT IN (\(ids) devices))
                """
            ),
            (
                "observations whose sums name a missing source or unit",
                """
                SELECT DISTINCT import_id FROM type_sums WHERE (unit_id <> 0 AND unit_id NOT IN (\(ids) units))
                    OR (source_id <> 0 AND source_id NOT IN (\(ids) sources))
                """
            ),
            (
                "relationships from or to something that does not exist",
                """
                SELECT r.source_id FROM relationships r LEFT JOIN record_versions s ON s.id = r.source_id
                LEFT JOIN record_versions t ON t.id = r.target_id AND r.kind <> 'file'
                LEFT JOIN side_files f ON f.id = r.target_id AND r.kind = 'file'
                WHERE s.id IS NULL OR s.sample_id IS NOT NULL OR (t.id IS NULL AND f.id IS NULL)
                    OR t.sample_id IS NOT NULL
                """
            ),
            (
                "routes of an observation, or what they belong to, that do not exist",
                """
                SELECT r.record_version_id FROM shown_routes r LEFT JOIN record_versions c ON c.id = r.record_version_id
                LEFT JOIN record_versions o ON o.id = r.owner_id LEFT JOIN side_files f ON f.id = r.side_file_id
                WHERE c.id IS NULL OR r.owner_id IS NOT NULL AND o.id IS NULL
                    OR r.side_file_id IS NOT NULL AND f.id IS NULL
                """
            ),
        ]
    }

    /// Every row is in exactly one span of its chain and type, one outside all imports in none.
    ///
    /// - Complexity: O(n log s) for n rows and s spans of a type or runs of rows outside imports.
    private static func outsideSpans(_ scope: CheckScope) throws -> String? {
        struct Key: Hashable {
            var chain: Int64
            var type: Int64
        }
        var spans: [Key: [ClosedRange<Int64>]] = [:]
        let stored = try PreparedStatement(
            scope.db,
            """
            SELECT i.device_chain_id, s.sample_type_id, s.first_record_version_id, s.last_record_version_id
            FROM row_spans s JOIN imports i ON i.id = s.import_id ORDER BY s.first_record_version_id
            """)
        defer { stored.reset() }
        while try stored.step() {
            let key = Key(chain: stored.int(0), type: stored.int(1))
            let (first, last) = (stored.int(2), stored.int(3))
            if let before = spans[key]?.last?.upperBound, before >= first {
                return "the spans of type \(key.type) in chain \(key.chain) overlap"
            }
            spans[key, default: []].append(first...max(first, last))
        }
        let outside = try RowsOutsideImports.runs(scope.db)
        var (key, own) = (Key(chain: 0, type: 0), [ClosedRange<Int64>]())
        return try scope.violations(
            "record versions outside the span of their type",
            """
            SELECT f.id, f.device_chain_id, f.sample_type_id
            FROM full_record_versions f
            WHERE f.device_chain_id IN (\(scope.chainList()))
            """
        ) { row in
            let next = Key(chain: row.int(1), type: row.int(2))
            // Rows of one type lie beside each other.
            if next != key { (key, own) = (next, spans[next] ?? []) }
            return own.contains(rowID: row.int(0)) == outside.contains(rowID: row.int(0))
        }
    }

    private static let pastLinks = """
        SELECT record_version_id FROM past_ranges
        WHERE (previous_id IS NULL) <> (match_rule IS NULL) OR match_rule NOT BETWEEN 0 AND 5
            OR (previous_id IS NOT NULL AND opened_observation_id IS NULL) OR superseded NOT IN (0, 1)
        """

    /// A row that takes columns from another is beside it: one step away, in the same chain, with what both share.
    private static func inheritance(touched: String) -> [(what: String, sql: String)] {
        [
            (
                "record versions that do not fit the row with their key's columns",
                """
                SELECT c.id FROM \(touched) c JOIN record_versions k ON k.id = c.sample_id
                WHERE k.sample_id IS NOT NULL OR k.device_chain_id <> c.device_chain_id OR k.id = c.id
                """
            ),
            (
                "record versions that do not fit the row with their payload's columns",
                """
                SELECT c.id FROM \(touched) c JOIN record_versions p ON p.id = c.payload_id
                JOIN record_versions k ON k.id = ifnull(c.sample_id, c.id) JOIN record_versions l ON l.id = ifnull(p.sample_id, p.id)
                JOIN descriptors d ON d.id = c.descriptor_id JOIN descriptors e ON e.id = p.descriptor_id
                WHERE p.payload_id IS NOT NULL OR p.device_chain_id <> c.device_chain_id
                    OR k.sample_type_id <> l.sample_type_id OR k.start_seconds IS NOT l.start_seconds OR p.id = c.id
                    OR d.source_id <> e.source_id OR d.source_version IS NOT e.source_version OR d.device_id <> e.device_id
                """
            ),
            (
                "record versions of one sample in different units",
                """
                SELECT c.id FROM \(touched) c JOIN record_versions k ON k.id = c.sample_id
                JOIN descriptors d ON d.id = c.descriptor_id JOIN descriptors e ON e.id = k.descriptor_id
                WHERE d.unit_id <> e.unit_id
                """
            ),
        ]
    }
}
