/// The tables of recorded exports.
enum ExportTables {
    static let sql = """
        -- One row an export that was written; what was asked, and the hash of what came out. Rows are never changed.
        CREATE TABLE export_manifests (
            id INTEGER PRIMARY KEY CHECK (id > 0),
            export_id TEXT NOT NULL CHECK (length(export_id) = 64),
            created_at REAL NOT NULL,
            export_kind TEXT NOT NULL,
            from_observation_id INTEGER REFERENCES imports (id),
            to_observation_id INTEGER REFERENCES imports (id),
            filter_json TEXT NOT NULL,
            manifest_hash TEXT NOT NULL CHECK (length(manifest_hash) = 64),
            record_count INTEGER NOT NULL,
            program TEXT NOT NULL,
            has_items INTEGER NOT NULL CHECK (has_items IN (0, 1)),
            recorded_at REAL NOT NULL,
            items_digest BLOB CHECK (length(items_digest) = 32),
            row_digest BLOB NOT NULL CHECK (length(row_digest) = 32),
            UNIQUE (export_id, manifest_hash)
        ) STRICT;

        CREATE TABLE export_items (
            export_manifest_id INTEGER NOT NULL REFERENCES export_manifests (id),
            position INTEGER NOT NULL,
            sample_id INTEGER NOT NULL,
            version_id INTEGER NOT NULL,
            item_hash TEXT NOT NULL CHECK (length(item_hash) = 64),
            PRIMARY KEY (export_manifest_id, position)
        ) STRICT, WITHOUT ROWID;

        CREATE TRIGGER export_manifests_update BEFORE UPDATE ON export_manifests
        BEGIN SELECT RAISE(ABORT, 'recorded exports are never changed'); END;
        CREATE TRIGGER export_manifests_delete BEFORE DELETE ON export_manifests
        BEGIN SELECT RAISE(ABORT, 'recorded exports are never removed'); END;
        """
}
