internal import GRDB

/// The temporary tables of one analysis.
///
/// `analysis_records` holds every record that may be a constituent or a replacement: gone ones (`closed` is the chain
/// position at which they were no longer there) and visible ones (`closed` NULL); `analysis_inside` has what `OpenedInside`
/// found. `analysis_links` says which replacement
/// a record belongs to, `analysis_tops` under which it is shown: the replacement it belongs to, or (`analysis_handed`) one that
/// this was handed on to. The results have the columns of the archive's tables of the same names.
enum WorkingTables {
    static func create(_ db: Database) throws {
        try drop(db)
        try db.execute(
            sql: """
                CREATE TEMP TABLE analysis_waiting (id INTEGER PRIMARY KEY);
                CREATE TEMP TABLE analysis_continued (id INTEGER PRIMARY KEY, disappeared INTEGER NOT NULL);
                CREATE TEMP TABLE analysis_records (
                    id INTEGER PRIMARY KEY, type INTEGER, start INTEGER, end INTEGER, opened INTEGER, closed INTEGER,
                    last_import INTEGER, source INTEGER, first_source INTEGER, device INTEGER, version INTEGER,
                    descriptor INTEGER,
                    value REAL, tolerance REAL, weight INTEGER, mark TEXT, workout TEXT, low INTEGER, high INTEGER,
                    appeared INTEGER NOT NULL DEFAULT 0, disappeared INTEGER,
                    state INTEGER NOT NULL DEFAULT \(GroupPasses.State.undecided.rawValue), lead INTEGER);
                CREATE INDEX temp.analysis_records_lead ON analysis_records (lead) WHERE lead IS NOT NULL;
                CREATE TEMP TABLE analysis_inside (id INTEGER PRIMARY KEY);
                CREATE TEMP TABLE analysis_links (child INTEGER PRIMARY KEY, parent INTEGER NOT NULL);
                CREATE INDEX temp.analysis_links_parent ON analysis_links (parent);
                CREATE TEMP TABLE analysis_handed (
                    top INTEGER, child INTEGER, nested INTEGER NOT NULL, PRIMARY KEY (top, child)) WITHOUT ROWID;
                CREATE TEMP VIEW analysis_tops AS
                SELECT child, parent AS top, 0 AS nested FROM temp.analysis_links
                UNION ALL SELECT child, top, nested FROM temp.analysis_handed;
                CREATE TEMP TABLE analysis_trial (
                    parent INTEGER, start INTEGER, child INTEGER, PRIMARY KEY (parent, start, child)) WITHOUT ROWID;
                CREATE TEMP TABLE analysis_rejected (
                    replacement INTEGER PRIMARY KEY, count INTEGER, sum_before REAL, sum_after REAL, tolerance REAL,
                    reason TEXT);
                CREATE TEMP TABLE analysis_groups (
                    run_id INTEGER, number INTEGER, sample_type_id INTEGER, basis TEXT, completeness TEXT, workout TEXT,
                    declared_count INTEGER, evidence TEXT, PRIMARY KEY (run_id, number)) WITHOUT ROWID;
                CREATE TEMP TABLE analysis_members (
                    run_id INTEGER, number INTEGER, role INTEGER, record_version_id INTEGER, disappeared_record_version_id INTEGER,
                    last_import_id INTEGER, nested INTEGER, PRIMARY KEY (run_id, number, role, record_version_id)) WITHOUT ROWID;
                """)
    }

    // Indexes are made behind the first rows: sorting once is cheaper than keeping an index in order row by row.

    static func indexRecords(_ db: Database) throws {
        try db.execute(sql: "CREATE INDEX temp.analysis_records_order ON analysis_records (type, start, closed)")
    }

    static func indexReplacements(_ db: Database) throws {
        try db.execute(
            sql: """
                CREATE INDEX temp.analysis_records_opened ON analysis_records (opened);
                CREATE INDEX temp.analysis_records_marked ON analysis_records (type, device, workout, low)
                    WHERE mark IS NOT NULL;
                """)
    }

    static func indexMembers(_ db: Database) throws {
        try db.execute(
            sql: """
                CREATE INDEX temp.analysis_members_record_version ON analysis_members (record_version_id);
                CREATE INDEX temp.analysis_members_disappeared ON analysis_members (disappeared_record_version_id)
                    WHERE disappeared_record_version_id <> record_version_id;
                """)
    }

    static func drop(_ db: Database) throws {
        try db.execute(sql: "DROP VIEW IF EXISTS temp.analysis_tops")
        for name in [
            "waiting", "continued", "inside", "records", "links", "handed", "trial", "rejected", "groups", "members",
        ] {
            try db.execute(sql: "DROP TABLE IF EXISTS temp.analysis_\(name)")
        }
    }
}
