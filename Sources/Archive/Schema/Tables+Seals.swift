extension Tables {
    /// Seals, the run log and the epochs of the key: rows are added and never changed.
    static let seals = """
        -- Each finished observation has a seal over canonical JSON; `sequence` is the order of importing.
        CREATE TABLE seals (
            sequence INTEGER PRIMARY KEY CHECK (sequence > 0),
            import_id INTEGER REFERENCES imports (id),
            seal BLOB NOT NULL CHECK (length(seal) = 32),
            statement TEXT NOT NULL
        ) STRICT;

        CREATE TABLE run_log (
            id INTEGER PRIMARY KEY CHECK (id > 0),
            logged_at REAL NOT NULL,
            event TEXT NOT NULL,
            outcome TEXT NOT NULL,
            import_id INTEGER,
            program TEXT NOT NULL,
            details TEXT NOT NULL,
            row_digest BLOB NOT NULL CHECK (length(row_digest) = 32)
        ) STRICT;

        CREATE TABLE key_epochs (
            id INTEGER PRIMARY KEY CHECK (id > 0),
            began_at REAL NOT NULL,
            key_id TEXT NOT NULL,
            row_digest BLOB NOT NULL CHECK (length(row_digest) = 32)
        ) STRICT;

        -- What is printed of a copy and in no hash of it: few rows, hashed by every seal.
        CREATE INDEX record_versions_volatile ON record_versions (id) WHERE volatile_fields IS NOT NULL;

        CREATE TRIGGER seals_update BEFORE UPDATE ON seals
        BEGIN SELECT RAISE(ABORT, 'seals are never changed'); END;
        CREATE TRIGGER seals_delete BEFORE DELETE ON seals
        BEGIN SELECT RAISE(ABORT, 'seals are never removed'); END;
        CREATE TRIGGER run_log_update BEFORE UPDATE ON run_log
        BEGIN SELECT RAISE(ABORT, 'the run log is never changed'); END;
        CREATE TRIGGER run_log_delete BEFORE DELETE ON run_log
        BEGIN SELECT RAISE(ABORT, 'nothing is removed from the run log'); END;
        CREATE TRIGGER key_epochs_update BEFORE UPDATE ON key_epochs
        BEGIN SELECT RAISE(ABORT, 'key epochs are never changed'); END;
        CREATE TRIGGER key_epochs_delete BEFORE DELETE ON key_epochs
        BEGIN SELECT RAISE(ABORT, 'key epochs are never removed'); END;
        """
}
