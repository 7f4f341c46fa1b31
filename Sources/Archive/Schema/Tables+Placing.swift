extension Tables {
    /// What places an export between others: which openings lie elsewhere than their import's rows, and what of an
    /// observation's state its own file did not show.
    static let placing = """
        -- Copies whose range was begun by an observation whose import neither added nor reopened them.
        CREATE TABLE moved_openings (
            observation_id INTEGER NOT NULL REFERENCES imports (id),
            record_version_id INTEGER NOT NULL REFERENCES record_versions (id),
            PRIMARY KEY (observation_id, record_version_id)
        ) STRICT, WITHOUT ROWID;

        -- Routes that an export showed without their file and that kept the track known before.
        CREATE TABLE kept_tracks (
            import_id INTEGER NOT NULL REFERENCES imports (id),
            record_version_id INTEGER NOT NULL REFERENCES record_versions (id),
            PRIMARY KEY (import_id, record_version_id)
        ) STRICT, WITHOUT ROWID;

        -- The kinds of side files whose folder an export lacked, as far as items depend on them.
        CREATE TABLE absent_folders (
            import_id INTEGER NOT NULL REFERENCES imports (id),
            kind TEXT NOT NULL CHECK (kind IN ('workoutRoute', 'electrocardiogram', 'clinicalRecord')),
            PRIMARY KEY (import_id, kind)
        ) STRICT, WITHOUT ROWID;
        """
}
