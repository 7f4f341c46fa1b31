package import GRDB

/// A temporary table or view of a connection: what each holds, who fills it and who reads it.
///
/// They are in the schema `temp`, which nobody else sees. Each set has one user, who creates it, empty, and drops it. Those
/// of the consolidation are in `Questions/Consolidation/Working/WorkingTables.swift`, those of exports beside their users.
package struct TemporaryTable {
    let name: String
    /// What follows the name in its `CREATE` statement.
    let definition: String
    var isView = false

    // MARK: - Import: `ImportSession`

    /// The columns that an item fills, as `ItemInsert` binds them.
    package static let itemColumns = """
        sample_type_id, start_seconds, duration, value, lexical_form, descriptor_id, creation_delay, metadata, identity,
        version, extras, volatile_fields, strict_key, kind
        """
    private static let items = """
        (seq INTEGER PRIMARY KEY, sample_type_id INTEGER, start_seconds INTEGER, duration INTEGER, value,
            lexical_form TEXT, descriptor_id INTEGER, creation_delay INTEGER, metadata, identity BLOB, version BLOB,
            extras TEXT, volatile_fields TEXT, strict_key TEXT, kind INTEGER, key INTEGER)
        """

    package static let importing = [
        // The items that the merge join did not find among the visible rows, by number: `ImportSession.write` fills it, the
        // comparison, `RecordReader` and `RowPlacer` read it. `key` is the identity's first eight bytes, by which SQLite
        // sorts fastest.
        TemporaryTable(name: "staged_items", definition: items),
        // Nested records until all top-level items are known: `write` fills it, `storeNested` reads it.
        TemporaryTable(name: "nested_items", definition: items),
        // What relationships are made of: `owner` is a row of `staged_items` or, where not `is_staged`, of
        // `record_versions`. `write` fills it, `storeRelationships` reads it.
        TemporaryTable(
            name: "item_members",
            definition: """
                (owner INTEGER NOT NULL, is_staged INTEGER NOT NULL, kind TEXT NOT NULL, sample_type_id INTEGER,
                    start_seconds INTEGER, identity BLOB, path TEXT)
                """),
        // The routes of the export, each with the item that it stands in as `item_members` has owners (NULL for none), and
        // the path of its file: `write` fills it, `storeRoutes` reads it.
        TemporaryTable(
            name: "item_routes",
            definition: """
                (owner INTEGER, is_staged INTEGER, sample_type_id INTEGER, start_seconds INTEGER, identity BLOB,
                    version BLOB, path TEXT)
                """),
        // The same with the samples of the routes, the rows of their items, and files; the items that routes stand in, and the
        // visible rows of all these samples, each with its number among equal ones: `storeRoutes` fills and reads them.
        TemporaryTable(
            name: "named_routes",
            definition: """
                (route INTEGER PRIMARY KEY, sample_id INTEGER, version BLOB, side_file_id INTEGER, content BLOB,
                    owner INTEGER)
                """),
        TemporaryTable(
            name: "route_owners",
            definition: "(owner INTEGER PRIMARY KEY, sample_id INTEGER, version BLOB, place INTEGER)"),
        TemporaryTable(
            name: "shown_copies",
            definition: """
                (sample_id INTEGER, version BLOB, place INTEGER, id INTEGER, PRIMARY KEY (sample_id, version, place))
                WITHOUT ROWID
                """),
        // The rows that staged items with members have become: the comparison and `placeItems` fill it,
        // `storeRelationships` reads it.
        TemporaryTable(
            name: "placed_items", definition: "(seq INTEGER PRIMARY KEY, record_version_id INTEGER NOT NULL)"),
        // Versions of samples that have many rows, and their rows that are not visible: `VariantTable`.
        TemporaryTable(
            name: "variants",
            definition: """
                (sample_id INTEGER, version BLOB, payload_id INTEGER, count INTEGER, PRIMARY KEY (sample_id, version))
                WITHOUT ROWID
                """),
        TemporaryTable(
            name: "closed_variants",
            definition: """
                (sample_id INTEGER, version BLOB, ordinal INTEGER, record_version_id INTEGER,
                    PRIMARY KEY (sample_id, version, ordinal)) WITHOUT ROWID
                """),
    ]

    // MARK: - Comparison: `StateTransition`, `SecondaryKeyMatcher`

    /// Who compares: comparisons of different scopes share no table.
    package enum Scope: String {
        case importing = "import"
        case rederiving = "rederived"
        case checking = "checked"
        case contested
    }

    /// The sides and the pairs of one comparison. An import's earlier side is filled by the merge join and its later side are
    /// the staged items; elsewhere both are rows of `record_versions`. The merge join knows of most rows which item of the
    /// same sample came in their place (`successor`), and that no other item is of it, or none at all (not `is_contested`).
    package static func comparison(_ scope: Scope) -> [TemporaryTable] {
        let side = "(ref INTEGER PRIMARY KEY, sample_type_id INTEGER, key INTEGER, identity BLOB, version BLOB)"
        let staged = "AS SELECT seq AS ref, sample_type_id, key, identity, version FROM temp.staged_items"
        let isImport = scope == .importing
        return [
            TemporaryTable(
                name: "\(scope.rawValue)_before",
                definition: isImport ? "\(side.dropLast()), successor INTEGER, is_contested INTEGER)" : side),
            TemporaryTable(
                name: "\(scope.rawValue)_after", definition: isImport ? staged : side, isView: isImport),
            TemporaryTable(
                name: "\(scope.rawValue)_pairs",
                definition: """
                    (after_ref INTEGER PRIMARY KEY, before_ref INTEGER NOT NULL, match_rule INTEGER NOT NULL)
                    """),
        ]
    }

    /// What passes 2 to 5 ask for, of both sides (0 before, 1 after): each key of passes 3 and 5, and of pass 2 where a
    /// sample has several versions; the measured rows that pass 4 sorts, and the pairs that it found before.
    package static let secondaryKeys = [
        TemporaryTable(
            name: "keyed_rows",
            definition: """
                (kind INTEGER, side INTEGER, text TEXT, ref INTEGER, sample_type_id INTEGER, source_class INTEGER,
                    start_seconds INTEGER, end_seconds INTEGER, creation INTEGER, device INTEGER, identity BLOB, version BLOB)
                """),
        TemporaryTable(
            name: "measured_rows",
            definition: """
                (side INTEGER, ref INTEGER, sample_type_id INTEGER, dimension INTEGER, start_seconds INTEGER,
                    end_seconds INTEGER, creation INTEGER, source_class INTEGER, unit_id INTEGER, common REAL,
                    tolerance REAL, identity BLOB, version BLOB)
                """),
        TemporaryTable(
            name: "measured_pairs", definition: "(before_ref INTEGER, after_ref INTEGER, hash INTEGER)"),
    ]

    private static let ids = "(id INTEGER PRIMARY KEY)"

    // MARK: - Placing between observations and withdrawing: `Derivation`

    /// The rows whose visibility at any observation changed, for the aggregates.
    package static let touchedRows = TemporaryTable(name: "touched_rows", definition: ids)

    // MARK: - Withdrawing: `UnusedRows`

    package static let withdrawal = [
        // The rows that no observation shows; the rows that continue one which is implied by such a row.
        TemporaryTable(name: "unused_rows", definition: ids),
        TemporaryTable(name: "named_links", definition: ids),
        // The row that gets the columns of one that goes.
        TemporaryTable(name: "new_holders", definition: "(old INTEGER PRIMARY KEY, new INTEGER NOT NULL UNIQUE)"),
    ]

    // MARK: - Diff: `DiffTables`, `Reappearances`, `FollowedLinks`

    private static let node = "sample INTEGER NOT NULL, payload INTEGER NOT NULL"

    package static let diff = [
        // Every row that was opened or closed between the two observations; the consolidation reads it, too.
        TemporaryTable(name: "touched", definition: ids),
        // The rows of one side alone, with the rows that hold their key and their payload.
        TemporaryTable(
            name: "diff_before", definition: "(ref INTEGER PRIMARY KEY, sample_type_id INTEGER NOT NULL, \(node))"),
        TemporaryTable(
            name: "diff_after", definition: "(ref INTEGER PRIMARY KEY, sample_type_id INTEGER NOT NULL, \(node))"),
        // The rows that are linked; what is in no pair disappeared or appeared.
        TemporaryTable(
            name: "diff_pairs",
            definition: """
                (after_ref INTEGER PRIMARY KEY, before_ref INTEGER NOT NULL UNIQUE, match_rule INTEGER NOT NULL)
                """),
        // The samples of which a side has several rows.
        TemporaryTable(name: "diff_samples", definition: ids),
        // The paths of several steps of the pairs that pass 6 found: from the last step to the first, a step's later
        // observation as the character of its chain position and its rule as a digit (from 0).
        TemporaryTable(
            name: "diff_paths",
            definition: "(after_ref INTEGER PRIMARY KEY, positions TEXT NOT NULL, rules TEXT NOT NULL)"),
        // How many pairs of the wanted source have the same evidence and differ in the same fields, a JSON array of names.
        TemporaryTable(
            name: "diff_changes",
            definition: """
                (sample_type_id INTEGER, match_rule INTEGER, fields TEXT, pairs INTEGER NOT NULL,
                    PRIMARY KEY (sample_type_id, match_rule, fields)) WITHOUT ROWID
                """),
    ]

    /// What pass 6 needs. A node is a sample and a payload, by the rows that hold them.
    package static let followedLinks = [
        // The chain's finished observations.
        TemporaryTable(name: "link_positions", definition: "(id INTEGER PRIMARY KEY, position INTEGER NOT NULL)"),
        // All rows that were opened behind the first observation and not after the last, where `touched` has not all.
        TemporaryTable(name: "link_rows", definition: ids),
        // The rows that passes 1 and 2 left, of types that have some on both sides (side 0: before).
        TemporaryTable(
            name: "free_rows",
            definition: """
                (side INTEGER NOT NULL, \(node), ref INTEGER NOT NULL, PRIMARY KEY (side, sample, payload, ref))
                WITHOUT ROWID
                """),
        // With `--through`: the position at which a node of the earlier side was last visible.
        TemporaryTable(
            name: "path_starts",
            definition: "(\(node), position INTEGER NOT NULL, PRIMARY KEY (sample, payload)) WITHOUT ROWID"),
        // The first path from each node of the earlier side to each that it reaches, in the form of `diff_paths`.
        TemporaryTable(
            name: "link_paths",
            definition: """
                (\(node), first_sample INTEGER NOT NULL, first_payload INTEGER NOT NULL, last INTEGER NOT NULL,
                    positions TEXT NOT NULL, rules TEXT NOT NULL,
                    PRIMARY KEY (sample, payload, first_sample, first_payload)) WITHOUT ROWID
                """),
    ]

    package static let reappearances = [
        // Removed rows that came back or whose place another row took; rows that count as removed though another one
        // supersedes them.
        TemporaryTable(name: "span_returned", definition: ids),
        TemporaryTable(name: "span_released", definition: ids),
        // The samples to look at, the span's observations, and what was removed inside it.
        TemporaryTable(name: "span_samples", definition: ids),
        TemporaryTable(name: "span_places", definition: "(id INTEGER PRIMARY KEY, position INTEGER NOT NULL)"),
        TemporaryTable(
            name: "span_gone",
            definition: "(sample INTEGER NOT NULL, position INTEGER NOT NULL, record_version_id INTEGER NOT NULL)"
        ),
    ]

    // MARK: - Check: `CheckScope`

    /// The place of each finished observation.
    package static let checkPositions = TemporaryTable(
        name: "check_positions", definition: "(id INTEGER PRIMARY KEY, chain INTEGER, position INTEGER)")
    /// The rows that are more than what their chain's first observation showed and the latest one still shows.
    package static let checkTouched = TemporaryTable(name: "check_touched", definition: "(id INTEGER PRIMARY KEY)")
    /// All ranges that an observation opened or closed.
    package static let checkTransitions = TemporaryTable(
        name: "check_transitions", definition: "(observation INTEGER, opens INTEGER, record_version_id INTEGER)")
}

extension Database {
    /// Runs a statement that is prepared once and kept.
    package func executeCached(_ sql: String, _ arguments: StatementArguments) throws {
        try cachedStatement(sql: sql).execute(arguments: arguments)
    }

    /// Creates temporary tables, empty, in place of those of their names.
    package func createTemporary(_ tables: [TemporaryTable]) throws {
        try dropTemporary(tables)
        for table in tables {
            try execute(
                sql: """
                    /* Set-up */
                    CREATE TEMP \(table.isView ? "VIEW" : "TABLE") \(table.name) \(table.definition)
                    """)
        }
    }

    /// Drops temporary tables where they exist.
    package func dropTemporary(_ tables: [TemporaryTable]) throws {
        for table in tables.reversed() {
            try execute(
                sql: """
                    /* Set-up */
                    DROP \(table.isView ? "VIEW" : "TABLE") IF EXISTS temp.\(table.name)
                    """)
        }
    }
}
