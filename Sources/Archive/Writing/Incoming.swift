internal import GRDB

/// The temporary tables of one import: what the walk did not find again, and what is no longer shown.
enum Incoming {
    /// The columns that a prepared item fills, in the order in which `RowBinder` binds them from parameter 2 on.
    static let columns = """
        sample_type_id, start_seconds, duration, value, lexical_form, descriptor_id, creation_delay, metadata, identity,
        version, extras, volatile_fields, strict_key, version_without_track
        """
    /// What a temporary table has beside them: the identity's first eight bytes, by which SQLite sorts fastest.
    static let keyedColumns = columns + ", key"
    static let parameters = "?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?"

    static func create(_ db: Database) throws {
        try drop(db)
        let table = """
            (seq INTEGER PRIMARY KEY, sample_type_id INTEGER, start_seconds INTEGER, duration INTEGER, value,
            lexical_form TEXT, descriptor_id INTEGER, creation_delay INTEGER, metadata, identity BLOB, version BLOB,
            extras TEXT, volatile_fields TEXT, strict_key TEXT, version_without_track BLOB, key INTEGER)
            """
        try db.execute(
            sql: """
                CREATE TEMP TABLE incoming \(table);
                CREATE TEMP TABLE nested \(table);
                CREATE TEMP TABLE outgoing (
                    ref INTEGER PRIMARY KEY, sample_type_id INTEGER, key INTEGER, identity BLOB, version BLOB);
                CREATE TEMP TABLE pairs (seq INTEGER NOT NULL, ref INTEGER NOT NULL, evidence INTEGER NOT NULL);
                CREATE TEMP TABLE members (
                    owner INTEGER NOT NULL, in_incoming INTEGER NOT NULL, kind TEXT NOT NULL, sample_type_id INTEGER,
                    start_seconds INTEGER, identity BLOB, path TEXT);
                CREATE TEMP TABLE placed (seq INTEGER PRIMARY KEY, record_version_id INTEGER NOT NULL);
                CREATE TEMP VIEW full_incoming AS
                SELECT seq, sample_type_id, start_seconds, start_seconds + duration AS end_seconds, value, lexical_form,
                    descriptor_id, creation_delay + ifnull(start_seconds, 0) AS creation_seconds, metadata, extras,
                    identity, version, strict_key
                FROM temp.incoming;
                CREATE TEMP VIEW incoming_refs AS
                SELECT seq AS ref, sample_type_id, key, identity, version FROM temp.incoming;
                """)
    }

    static func drop(_ db: Database) throws {
        try Insertion.drop(db)
        try db.execute(
            sql: """
                DROP VIEW IF EXISTS temp.incoming_refs;
                DROP VIEW IF EXISTS temp.full_incoming;
                DROP TABLE IF EXISTS temp.incoming;
                DROP TABLE IF EXISTS temp.nested;
                DROP TABLE IF EXISTS temp.outgoing;
                DROP TABLE IF EXISTS temp.pairs;
                DROP TABLE IF EXISTS temp.members;
                DROP TABLE IF EXISTS temp.placed;
                """)
    }
}
