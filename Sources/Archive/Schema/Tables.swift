/// The tables of schema version 1; `docs/archive-format.md` explains each column.
enum Tables {
    static let sql = """
        CREATE TABLE schema_migrations (
            version INTEGER PRIMARY KEY,
            applied_at REAL NOT NULL,
            description TEXT NOT NULL
        ) STRICT;

        CREATE TABLE archive_metadata (
            key TEXT PRIMARY KEY,
            value TEXT NOT NULL
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE device_chains (
            id INTEGER PRIMARY KEY,
            name TEXT NOT NULL UNIQUE,
            device_chain_hash TEXT UNIQUE,
            created_at REAL NOT NULL,
            recovered_from_keychain INTEGER NOT NULL DEFAULT 0 CHECK (recovered_from_keychain IN (0, 1))
        ) STRICT;

        -- One row an import, failed and cancelled ones included; the view `observations` adds the chain's order.
        CREATE TABLE imports (
            id INTEGER PRIMARY KEY CHECK (id BETWEEN 1 AND 32766),
            device_chain_id INTEGER NOT NULL REFERENCES device_chains (id),
            status TEXT NOT NULL CHECK (status IN ('started', 'partial', 'completed', 'failed', 'cancelled')),
            observed_at INTEGER NOT NULL,
            observed_at_origin TEXT NOT NULL CHECK (observed_at_origin IN ('exportDate', 'argument', 'modification')),
            started_at REAL NOT NULL,
            ended_at REAL,
            offset_seconds INTEGER,
            time_zone TEXT,
            locale TEXT,
            export_version TEXT,
            doctype TEXT,
            document_extras TEXT,
            type_selection TEXT,
            type_selection_sha256 BLOB CHECK (length(type_selection_sha256) = 32),
            note TEXT,
            program TEXT NOT NULL,
            source_name TEXT NOT NULL,
            source_form TEXT NOT NULL CHECK (source_form IN ('zip', 'folder', 'xml')),
            source_member TEXT NOT NULL,
            source_byte_count INTEGER NOT NULL,
            source_sha256 BLOB CHECK (length(source_sha256) = 32),
            xml_byte_count INTEGER,
            xml_sha256 BLOB CHECK (length(xml_sha256) = 32),
            stopped_line INTEGER,
            stopped_byte INTEGER,
            stopped_reason TEXT,
            stream_digest BLOB CHECK (length(stream_digest) = 40),
            state_digest BLOB CHECK (length(state_digest) = 40),
            failure TEXT,
            first_record_version_id INTEGER,
            last_record_version_id INTEGER
        ) STRICT;

        CREATE TABLE sample_types (
            id INTEGER PRIMARY KEY,
            type_identifier TEXT NOT NULL UNIQUE,
            display_name TEXT,
            category TEXT
        ) STRICT;

        CREATE TABLE units (id INTEGER PRIMARY KEY, unit TEXT NOT NULL UNIQUE) STRICT;

        CREATE TABLE sources (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;

        CREATE TABLE devices (
            id INTEGER PRIMARY KEY,
            fields TEXT NOT NULL UNIQUE,
            first_text TEXT NOT NULL
        ) STRICT;

        -- What many copies share: unit, source, source version, device; 0 stands for absent.
        CREATE TABLE descriptors (
            id INTEGER PRIMARY KEY,
            unit_id INTEGER NOT NULL,
            source_id INTEGER NOT NULL,
            source_version TEXT,
            device_id INTEGER NOT NULL
        ) STRICT;
        CREATE UNIQUE INDEX descriptors_content
            ON descriptors (unit_id, source_id, device_id, ifnull(source_version, x'00'));
        -- For source revisions: all descriptors of one source and version.
        CREATE INDEX descriptors_revision ON descriptors (source_id, source_version);

        CREATE TABLE metadata_sets (id INTEGER PRIMARY KEY, metadata TEXT NOT NULL) STRICT;

        -- One row a copy of a representation of a sample.
        --   kind        of which kind the item is: 0 record, 1 correlation, and so on (ItemKind).
        --   sample_id   names the row that has the strict key's columns (kind, sample_type_id, start_seconds, duration,
        --               value, lexical_form, strict_key, identity); NULL where this row has them.
        --   payload_id  names the row that has the payload's columns (creation_delay, metadata, extras, volatile_fields,
        --               version_without_track, version); NULL where this row has them.
        --   opened_observation_id  NULL: visible since the chain's first observation.
        --   closed_observation_id  -1: still visible.
        --   match_rule, previous_id  by which pass this copy continues another since it was opened, and which: NULL
        --               stands for sample_id, or where that is NULL too for payload_id.
        --   superseded   1 where another copy continues this one since it was closed.
        CREATE TABLE record_versions (
            id INTEGER PRIMARY KEY,
            device_chain_id INTEGER NOT NULL,
            sample_type_id INTEGER,
            start_seconds INTEGER,
            duration INTEGER,
            value ANY,
            lexical_form TEXT,
            descriptor_id INTEGER NOT NULL,
            creation_delay INTEGER,
            metadata ANY,
            identity BLOB,
            version BLOB,
            ordinal INTEGER NOT NULL DEFAULT 0,
            closed_observation_id INTEGER NOT NULL DEFAULT -1,
            superseded INTEGER NOT NULL DEFAULT 0,
            opened_observation_id INTEGER,
            previous_id INTEGER,
            match_rule INTEGER,
            sample_id INTEGER,
            payload_id INTEGER,
            extras TEXT,
            volatile_fields TEXT,
            strict_key TEXT,
            version_without_track BLOB,
            kind INTEGER
        ) STRICT;
        CREATE INDEX record_versions_timeline ON record_versions (sample_type_id, start_seconds, substr(identity, 1, 4))
            WHERE sample_id IS NULL;
        CREATE INDEX record_versions_by_sample ON record_versions (sample_id) WHERE sample_id IS NOT NULL;
        CREATE INDEX record_versions_disappeared ON record_versions (closed_observation_id)
            WHERE closed_observation_id > 0 AND superseded = 0;
        CREATE INDEX record_versions_repeated ON record_versions (ordinal) WHERE ordinal > 0;

        -- Where the rows of a type lie that an import added, for the walk of the next import.
        CREATE TABLE row_spans (
            import_id INTEGER NOT NULL REFERENCES imports (id),
            sample_type_id INTEGER NOT NULL REFERENCES sample_types (id),
            first_record_version_id INTEGER NOT NULL,
            last_record_version_id INTEGER NOT NULL,
            PRIMARY KEY (import_id, sample_type_id)
        ) STRICT, WITHOUT ROWID;

        -- Earlier ranges of copies that came back.
        CREATE TABLE past_ranges (
            record_version_id INTEGER NOT NULL REFERENCES record_versions (id),
            opened_observation_id INTEGER,
            closed_observation_id INTEGER NOT NULL REFERENCES imports (id),
            superseded INTEGER NOT NULL,
            previous_id INTEGER,
            match_rule INTEGER
        ) STRICT;
        CREATE INDEX past_ranges_record_version ON past_ranges (record_version_id);

        -- Sorted runs of (first four bytes of the identity, copy id), eight bytes an entry, big-endian.
        CREATE TABLE identity_runs (
            run INTEGER NOT NULL,
            first_entry INTEGER NOT NULL,
            import_id INTEGER NOT NULL REFERENCES imports (id),
            entries BLOB NOT NULL,
            PRIMARY KEY (run, first_entry)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE relationships (
            source_id INTEGER NOT NULL REFERENCES record_versions (id),
            kind TEXT NOT NULL CHECK (kind IN ('member', 'workoutRoute', 'file')),
            target_id INTEGER NOT NULL,
            import_id INTEGER NOT NULL REFERENCES imports (id),
            PRIMARY KEY (source_id, kind, target_id)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE type_runs (
            import_id INTEGER NOT NULL REFERENCES imports (id),
            sample_type_id INTEGER NOT NULL REFERENCES sample_types (id),
            status TEXT NOT NULL CHECK (status IN ('completed', 'incomplete', 'excluded', 'absent')),
            read_count INTEGER NOT NULL,
            visible_count INTEGER NOT NULL,
            appeared_count INTEGER NOT NULL,
            disappeared_count INTEGER NOT NULL,
            representation_changed_count INTEGER NOT NULL,
            earliest_start INTEGER,
            latest_end INTEGER,
            evidence TEXT NOT NULL,
            changed_fields TEXT NOT NULL,
            PRIMARY KEY (import_id, sample_type_id)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE type_sums (
            import_id INTEGER NOT NULL REFERENCES imports (id),
            sample_type_id INTEGER NOT NULL REFERENCES sample_types (id),
            source_id INTEGER NOT NULL,
            unit_id INTEGER NOT NULL,
            visible_count INTEGER NOT NULL,
            number_count INTEGER NOT NULL,
            value_sum REAL NOT NULL,
            value_max REAL,
            PRIMARY KEY (import_id, sample_type_id, source_id, unit_id)
        ) STRICT, WITHOUT ROWID;

        -- The copies that a partial observation's own file showed, as runs of ids.
        CREATE TABLE read_runs (
            import_id INTEGER NOT NULL REFERENCES imports (id),
            first_record_version_id INTEGER NOT NULL,
            last_record_version_id INTEGER NOT NULL,
            PRIMARY KEY (import_id, first_record_version_id)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE repairs (
            import_id INTEGER NOT NULL REFERENCES imports (id),
            kind TEXT NOT NULL,
            count INTEGER NOT NULL,
            first_line INTEGER NOT NULL,
            PRIMARY KEY (import_id, kind)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE quarantine (
            id INTEGER PRIMARY KEY,
            import_id INTEGER NOT NULL REFERENCES imports (id),
            type_identifier TEXT,
            reason TEXT NOT NULL,
            line INTEGER NOT NULL,
            byte_start INTEGER NOT NULL,
            byte_end INTEGER NOT NULL,
            element TEXT NOT NULL
        ) STRICT;
        CREATE INDEX quarantine_import ON quarantine (import_id);

        CREATE TABLE unknown_names (
            import_id INTEGER NOT NULL REFERENCES imports (id),
            name TEXT NOT NULL,
            count INTEGER NOT NULL,
            PRIMARY KEY (import_id, name)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE import_warnings (
            import_id INTEGER NOT NULL REFERENCES imports (id),
            position INTEGER NOT NULL,
            warning TEXT NOT NULL,
            PRIMARY KEY (import_id, position)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE side_files (
            id INTEGER PRIMARY KEY,
            kind TEXT NOT NULL,
            content_sha256 BLOB NOT NULL UNIQUE CHECK (length(content_sha256) = 32),
            stored_sha256 BLOB NOT NULL CHECK (length(stored_sha256) = 32),
            byte_count INTEGER NOT NULL
        ) STRICT;

        CREATE TABLE side_file_parts (
            side_file_id INTEGER NOT NULL REFERENCES side_files (id),
            part INTEGER NOT NULL,
            deflated BLOB NOT NULL,
            PRIMARY KEY (side_file_id, part)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE import_side_files (
            import_id INTEGER NOT NULL REFERENCES imports (id),
            path TEXT NOT NULL,
            side_file_id INTEGER NOT NULL REFERENCES side_files (id),
            PRIMARY KEY (import_id, path)
        ) STRICT, WITHOUT ROWID;
        """
}
