extension Tables {
    /// What the analysis of consolidation has found, and the index by which it finds condensed records.
    ///
    /// Copies are named without foreign keys: a later import may rewrite history before `to`, and the fingerprint says
    /// whether a stored run still speaks of the states that it was made of.
    static let analysis = """
        CREATE INDEX record_versions_condensed ON record_versions (sample_type_id, start_seconds)
            WHERE \(CondenserIdentifier.condition(""));

        -- One row a question; `fingerprint` covers the chain's states up to `to_import_id`.
        CREATE TABLE analysis_runs (
            id INTEGER PRIMARY KEY,
            from_import_id INTEGER NOT NULL REFERENCES imports (id),
            to_import_id INTEGER NOT NULL REFERENCES imports (id),
            through INTEGER NOT NULL CHECK (through IN (0, 1)),
            rules_version INTEGER NOT NULL,
            fingerprint BLOB NOT NULL CHECK (length(fingerprint) = 32),
            created_at REAL NOT NULL,
            UNIQUE (from_import_id, to_import_id, through)
        ) STRICT;

        -- What was found for a type: the verdict as JSON.
        CREATE TABLE analysis_types (
            run_id INTEGER NOT NULL REFERENCES analysis_runs (id) ON DELETE CASCADE,
            sample_type_id INTEGER NOT NULL REFERENCES sample_types (id),
            verdict TEXT NOT NULL,
            PRIMARY KEY (run_id, sample_type_id)
        ) STRICT, WITHOUT ROWID;

        -- A consolidation group: counts, sums in the canonical unit, coverage.
        CREATE TABLE analysis_groups (
            run_id INTEGER NOT NULL REFERENCES analysis_runs (id) ON DELETE CASCADE,
            number INTEGER NOT NULL,
            sample_type_id INTEGER NOT NULL REFERENCES sample_types (id),
            basis TEXT NOT NULL CHECK (basis IN ('condenserIdentifier', 'intervalAndSum')),
            completeness TEXT NOT NULL CHECK (completeness IN ('complete', 'partial', 'none')),
            workout TEXT,
            declared_count INTEGER,
            evidence TEXT NOT NULL,
            PRIMARY KEY (run_id, number)
        ) STRICT, WITHOUT ROWID;

        -- The records of a group: replacements (role 0) and constituents (role 1).
        CREATE TABLE analysis_members (
            run_id INTEGER NOT NULL,
            number INTEGER NOT NULL,
            role INTEGER NOT NULL CHECK (role IN (0, 1)),
            record_version_id INTEGER NOT NULL,
            disappeared_record_version_id INTEGER,
            last_import_id INTEGER REFERENCES imports (id),
            nested INTEGER NOT NULL DEFAULT 0 CHECK (nested IN (0, 1)),
            PRIMARY KEY (run_id, number, role, record_version_id),
            FOREIGN KEY (run_id, number) REFERENCES analysis_groups (run_id, number) ON DELETE CASCADE
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX analysis_members_record_version ON analysis_members (record_version_id);
        CREATE INDEX analysis_members_disappeared ON analysis_members (disappeared_record_version_id)
            WHERE disappeared_record_version_id <> record_version_id;
        """
}
