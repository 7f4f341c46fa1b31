extension Tables {
    /// What is known of the container that an observation came from.
    static let sourceMembers = """
        -- How the container of an import was kept: nothing of it, its names and hashes, or the file itself.
        CREATE TABLE import_sources (
            import_id INTEGER PRIMARY KEY REFERENCES imports (id),
            keep_source TEXT NOT NULL CHECK (keep_source IN ('copy', 'reference', 'none')),
            kept_name TEXT,
            CHECK (keep_source = 'copy' OR kept_name IS NULL)
        ) STRICT;

        -- The files in the container; sha256 is NULL for one that could not be read to its end.
        CREATE TABLE source_members (
            import_id INTEGER NOT NULL REFERENCES imports (id),
            path TEXT NOT NULL,
            role TEXT NOT NULL CHECK (role IN ('main', 'sideFile', 'other')),
            byte_count INTEGER NOT NULL,
            sha256 BLOB CHECK (length(sha256) = 32),
            PRIMARY KEY (import_id, path)
        ) STRICT, WITHOUT ROWID;
        """
}
