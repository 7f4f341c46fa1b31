-- Schema version 4 of a HealthProbe archive, frozen: a later version has a file of its own and a step in Schema.swift.
-- docs/archive-format.md explains every table, column and view.

-- Archive and observations
-- ------------------------

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

-- One row per import, failed, cancelled and withdrawn ones included; the view `observations` adds the chain's order.
CREATE TABLE imports (
    id INTEGER PRIMARY KEY CHECK (id BETWEEN 1 AND 32766),
    device_chain_id INTEGER NOT NULL REFERENCES device_chains (id),
    status TEXT NOT NULL CHECK (status IN ('started', 'partial', 'completed', 'failed', 'cancelled', 'withdrawn')),
    observed_at INTEGER NOT NULL,
    observed_at_origin TEXT NOT NULL CHECK (observed_at_origin IN ('exportDate', 'argument', 'modification')),
    started_at REAL NOT NULL,
    ended_at REAL,
    offset_seconds INTEGER,
    time_zone TEXT,
    locale TEXT,
    export_version TEXT,
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
    last_record_version_id INTEGER,
    -- Long texts, behind what order and look-ups read.
    doctype TEXT,
    document_extras TEXT
) STRICT;
-- The order of a chain.
CREATE INDEX imports_chain_order ON imports (device_chain_id, observed_at, status = 'completed', xml_sha256, id)
    WHERE status IN ('partial', 'completed');

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

-- What many record versions share: unit, source, source version, device; 0 stands for absent.
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

-- One row per version of a sample and ordinal.
--   kind        of which kind the item is: 0 record, 1 correlation, and so on (ItemKind).
--   sample_id   names the row that has the strict key's columns (kind, sample_type_id, start_seconds, duration,
--               value, lexical_form, strict_key, identity); NULL where this row has them.
--   payload_id  names the row that has the payload's columns (creation_delay, metadata, extras, volatile_fields,
--               version); NULL where this row has them.
--   opened_observation_id  NULL: visible since the chain's first observation.
--   closed_observation_id  -1: still visible.
--   match_rule, previous_id  by which rule this row continues another since it was opened, and which: NULL
--               stands for sample_id, or where that is NULL too for payload_id.
--   superseded   1 where another row continues this one since it was closed.
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
    kind INTEGER
) STRICT;
CREATE INDEX record_versions_timeline ON record_versions (sample_type_id, start_seconds, substr(identity, 1, 4))
    WHERE sample_id IS NULL;
CREATE INDEX record_versions_by_sample ON record_versions (sample_id) WHERE sample_id IS NOT NULL;
CREATE INDEX record_versions_disappeared ON record_versions (closed_observation_id)
    WHERE closed_observation_id > 0 AND superseded = 0;
CREATE INDEX record_versions_repeated ON record_versions (ordinal) WHERE ordinal > 0;

-- Where the rows of a type lie that an import added, for the merge join of the next import.
CREATE TABLE row_spans (
    import_id INTEGER NOT NULL REFERENCES imports (id),
    sample_type_id INTEGER NOT NULL REFERENCES sample_types (id),
    first_record_version_id INTEGER NOT NULL,
    last_record_version_id INTEGER NOT NULL,
    PRIMARY KEY (import_id, sample_type_id)
) STRICT, WITHOUT ROWID;

-- Earlier ranges of rows that became visible again.
CREATE TABLE past_ranges (
    record_version_id INTEGER NOT NULL REFERENCES record_versions (id),
    opened_observation_id INTEGER,
    closed_observation_id INTEGER NOT NULL REFERENCES imports (id),
    superseded INTEGER NOT NULL,
    previous_id INTEGER,
    match_rule INTEGER
) STRICT;
CREATE INDEX past_ranges_record_version ON past_ranges (record_version_id);

-- Sorted runs of (first four bytes of the identity, id of the record version), eight bytes an entry, big-endian.
CREATE TABLE identity_runs (
    run INTEGER NOT NULL,
    first_entry INTEGER NOT NULL,
    import_id INTEGER NOT NULL REFERENCES imports (id),
    entries BLOB NOT NULL,
    PRIMARY KEY (run, first_entry)
) STRICT, WITHOUT ROWID;

CREATE TABLE relationships (
    source_id INTEGER NOT NULL REFERENCES record_versions (id),
    kind TEXT NOT NULL CHECK (kind IN ('member', 'file')),
    target_id INTEGER NOT NULL,
    import_id INTEGER NOT NULL REFERENCES imports (id),
    PRIMARY KEY (source_id, kind, target_id)
) STRICT, WITHOUT ROWID;

-- left_out: 1 where the export shows the type although its selection leaves it out.
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
    aggregate_hash BLOB CHECK (length(aggregate_hash) = 32),
    left_out INTEGER NOT NULL DEFAULT 0 CHECK (left_out IN (0, 1)),
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

-- The record versions that an observation's file showed, and those visible at it: sets of ids. Bit n, counted from the lowest
-- of the first byte, is the row n; the bytes are deflated, with their number in front (eight bytes, little-endian).
--   visible  NULL where it is the same as shown.
CREATE TABLE shown_sets (
    import_id INTEGER PRIMARY KEY REFERENCES imports (id),
    shown BLOB NOT NULL,
    visible BLOB
) STRICT;

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
CREATE INDEX quarantine_import ON quarantine (import_id, type_identifier);

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

-- The place of an observation between others
-- ------------------------------------------

-- The routes that an export showed.
--   owner_id  the row of the item that the route stands in; NULL where that is none.
--   side_file_id  the file that it names; NULL where the export does not have it.
CREATE TABLE shown_routes (
    import_id INTEGER NOT NULL REFERENCES imports (id),
    record_version_id INTEGER NOT NULL REFERENCES record_versions (id),
    owner_id INTEGER REFERENCES record_versions (id),
    side_file_id INTEGER REFERENCES side_files (id),
    PRIMARY KEY (record_version_id, import_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX shown_routes_import ON shown_routes (import_id);
CREATE INDEX shown_routes_owner ON shown_routes (owner_id);

-- The kinds of side files whose folder an export lacked, as far as items depend on them.
CREATE TABLE absent_folders (
    import_id INTEGER NOT NULL REFERENCES imports (id),
    kind TEXT NOT NULL CHECK (kind IN ('workoutRoute', 'electrocardiogram', 'clinicalRecord')),
    PRIMARY KEY (import_id, kind)
) STRICT, WITHOUT ROWID;

-- Kept containers
-- ---------------

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

-- Aggregates by local day
-- -----------------------

-- In whose days a chain is aggregated; offsets are pairs of (first instant, seconds east of UTC) as JSON.
CREATE TABLE chain_zones (
    device_chain_id INTEGER PRIMARY KEY REFERENCES device_chains (id),
    time_zone TEXT NOT NULL,
    origin TEXT NOT NULL CHECK (origin IN ('argument', 'metadata', 'offset')),
    offsets TEXT NOT NULL
) STRICT;

-- How often the items of an export name a zone as their HKTimeZone.
CREATE TABLE time_zone_counts (
    import_id INTEGER NOT NULL REFERENCES imports (id),
    time_zone TEXT NOT NULL,
    item_count INTEGER NOT NULL CHECK (item_count > 0),
    PRIMARY KEY (import_id, time_zone)
) STRICT, WITHOUT ROWID;

CREATE TABLE aggregate_series (
    id INTEGER PRIMARY KEY,
    device_chain_id INTEGER NOT NULL REFERENCES device_chains (id),
    source_revision_id INTEGER NOT NULL REFERENCES descriptors (id),
    unit_id INTEGER NOT NULL,
    UNIQUE (device_chain_id, source_revision_id, unit_id)
) STRICT;

-- The local days that have an aggregate, as instants.
CREATE TABLE aggregate_days (
    device_chain_id INTEGER NOT NULL REFERENCES device_chains (id),
    day INTEGER NOT NULL,
    bucket_start INTEGER NOT NULL,
    bucket_end INTEGER NOT NULL CHECK (bucket_end > bucket_start),
    PRIMARY KEY (device_chain_id, day)
) STRICT, WITHOUT ROWID;

-- One row where an aggregate differs from that of the observation before; record_count 0: there is none any more.
--   value_sum, value_sum_rest  the exact sum: rounded to a double, and what that leaves as further doubles.
--   extra_samples   how many samples condensed records with a number stand for beyond themselves; NULL for none.
--   extra_sum, extra_sum_rest  of a type that does not add up: the exact sum of their values, each times what it stands
--                   for beyond itself; NULL where extra_samples is.
CREATE TABLE daily_aggregates (
    sample_type_id INTEGER NOT NULL REFERENCES sample_types (id),
    day INTEGER NOT NULL,
    series_id INTEGER NOT NULL REFERENCES aggregate_series (id),
    import_id INTEGER NOT NULL REFERENCES imports (id),
    record_count INTEGER NOT NULL CHECK (record_count >= 0),
    number_count INTEGER NOT NULL CHECK (number_count BETWEEN 0 AND record_count),
    covered_seconds INTEGER NOT NULL CHECK (covered_seconds >= 0),
    value_sum REAL,
    value_sum_rest BLOB CHECK (length(value_sum_rest) % 8 = 0),
    value_min REAL,
    value_max REAL,
    extra_samples INTEGER CHECK (extra_samples > 0),
    extra_sum REAL CHECK (extra_sum IS NULL OR extra_samples IS NOT NULL),
    extra_sum_rest BLOB CHECK (length(extra_sum_rest) % 8 = 0),
    PRIMARY KEY (sample_type_id, day, series_id, import_id)
) STRICT, WITHOUT ROWID;

-- Analyses of consolidation
-- -------------------------

-- Rows whose own metadata may have the condenser's mark: CondenserIdentifier.condition(_:) states the same.
CREATE INDEX record_versions_condensed ON record_versions (sample_type_id, start_seconds)
    WHERE typeof(metadata) = 'text' AND instr(metadata, '"HKMetadataKeySyncIdentifier":"') > 0
        AND metadata GLOB '*"HKMetadataKeySyncIdentifier":"[0-9]*:*-*-*-*-*:*.?????:*.?????:[0-9]*"*';

-- One row per question. A later import may rewrite history before `to`: record versions are named without foreign
-- keys, and `fingerprint` covers the chain's states up to `to_import_id`.
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

-- The record versions of a group: replacements (role 0) and constituents (role 1).
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

-- Recorded exports
-- ----------------

-- One row per export that was written: what was asked, and the hash of the result. Rows are never changed.
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

-- Seals, run log, key epochs: rows are added and never changed
-- ------------------------------------------------------------

-- Each finished observation, withdrawal and repair has a seal over canonical JSON; `sequence` is the order of importing.
CREATE TABLE seals (
    sequence INTEGER PRIMARY KEY CHECK (sequence > 0),
    import_id INTEGER REFERENCES imports (id),
    seal BLOB NOT NULL CHECK (length(seal) = 32),
    statement TEXT NOT NULL
) STRICT;

-- file_name, byte_count, sha256: of a file that was offered to `import`; NULL for other events.
CREATE TABLE run_log (
    id INTEGER PRIMARY KEY CHECK (id > 0),
    logged_at REAL NOT NULL,
    event TEXT NOT NULL,
    outcome TEXT NOT NULL,
    import_id INTEGER,
    program TEXT NOT NULL,
    details TEXT NOT NULL,
    file_name TEXT,
    byte_count INTEGER CHECK (byte_count >= 0),
    sha256 BLOB CHECK (length(sha256) = 32),
    row_digest BLOB NOT NULL CHECK (length(row_digest) = 32)
) STRICT;

CREATE TABLE key_epochs (
    id INTEGER PRIMARY KEY CHECK (id > 0),
    began_at REAL NOT NULL,
    key_id TEXT NOT NULL,
    row_digest BLOB NOT NULL CHECK (length(row_digest) = 32)
) STRICT;

-- What an export prints and no hash of the item covers: few rows, hashed by every seal.
CREATE INDEX record_versions_volatile ON record_versions (id) WHERE volatile_fields IS NOT NULL;
CREATE INDEX record_versions_lexical ON record_versions (id) WHERE lexical_form IS NOT NULL;

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

-- Views
-- -----

-- The names of the database design as views, for sqlite3 and other tools.
--
-- Record versions are joined with the row of their sample by two conditions that mean the same: with the first SQLite
-- goes from a row to its sample, with the second from a sample or a type to its rows. Descriptions (type, unit,
-- source) are joined with LEFT JOIN, which costs nothing where their columns are not asked for.

-- Every import. A finished observation has its place in the chain.
CREATE VIEW observations AS
SELECT i.id, i.device_chain_id, c.name AS chain,
    CASE WHEN i.status IN ('partial', 'completed') THEN row_number() OVER (
        PARTITION BY i.device_chain_id, i.status IN ('partial', 'completed')
        ORDER BY i.observed_at, i.status = 'completed', i.xml_sha256, i.id) END AS chain_position,
    CAST(i.observed_at AS DOUBLE) AS observed_at, i.started_at, i.ended_at, i.status,
    'import' AS trigger_reason, i.program AS app_version, CAST(NULL AS VARCHAR) AS os_version,
    i.time_zone AS time_zone_identifier, i.offset_seconds AS time_zone_seconds_from_gmt,
    (SELECT CAST(value AS INTEGER) FROM archive_metadata WHERE key = 'schema_version') AS schema_version,
    nullif(lower(hex(i.type_selection_sha256)), '') AS selected_type_set_hash, i.type_selection AS selected_type_set,
    i.note AS notes, i.locale, i.export_version, i.source_name, i.source_member, i.source_byte_count, i.source_sha256,
    i.xml_byte_count, i.xml_sha256, i.stopped_line, i.stopped_byte, i.stopped_reason
FROM imports i JOIN device_chains c ON c.id = i.device_chain_id;

-- error_kind: why a type is incomplete.
CREATE VIEW observation_type_runs AS
SELECT r.import_id AS observation_id, r.sample_type_id, t.type_identifier, r.status,
    i.started_at, i.ended_at, r.appeared_count AS inserted_event_count,
    r.disappeared_count AS deleted_event_count, r.visible_count AS verified_visible_count, r.read_count,
    CASE WHEN r.status <> 'incomplete' THEN NULL
        WHEN EXISTS (SELECT 1 FROM quarantine q
            WHERE q.import_id = r.import_id AND q.type_identifier = t.type_identifier) THEN 'quarantined'
        WHEN i.status = 'partial' THEN 'stopped'
        WHEN EXISTS (SELECT 1 FROM absent_folders f WHERE f.import_id = r.import_id AND CASE f.kind
            WHEN 'workoutRoute' THEN t.type_identifier = 'HKWorkoutRouteTypeIdentifier'
            WHEN 'electrocardiogram' THEN t.type_identifier = 'HKDataTypeIdentifierElectrocardiogram'
            WHEN 'clinicalRecord' THEN t.type_identifier GLOB 'ClinicalRecord/*' END) THEN 'folderAbsent'
    END AS error_kind, CAST(NULL AS VARCHAR) AS error_message_hash
FROM type_runs r JOIN imports i ON i.id = r.import_id JOIN sample_types t ON t.id = r.sample_type_id;

CREATE VIEW observation_type_summaries AS
SELECT r.import_id AS observation_id, r.sample_type_id, r.visible_count AS visible_record_count,
    r.appeared_count, r.disappeared_count, r.representation_changed_count,
    CAST(r.earliest_start AS DOUBLE) AS earliest_start_date, CAST(r.latest_end AS DOUBLE) AS latest_end_date,
    (SELECT sum(s.value_sum) FROM type_sums s
        WHERE s.import_id = r.import_id AND s.sample_type_id = r.sample_type_id AND s.number_count > 0) AS value_sum,
    (SELECT max(s.value_max) FROM type_sums s
        WHERE s.import_id = r.import_id AND s.sample_type_id = r.sample_type_id) AS value_max,
    lower(hex(r.aggregate_hash)) AS aggregate_hash, r.evidence, r.changed_fields
FROM type_runs r;

CREATE VIEW source_revisions AS
SELECT min(d.id) AS id, d.source_id, CAST(NULL AS VARCHAR) AS product_type, d.source_version AS version,
    CAST(NULL AS VARCHAR) AS operating_system_version, s.name AS source_name
FROM descriptors d JOIN sources s ON s.id = d.source_id GROUP BY d.source_id, d.source_version, s.name;

CREATE VIEW hk_devices AS
SELECT id, fields ->> '$.name' AS name, fields ->> '$.manufacturer' AS manufacturer, fields ->> '$.model' AS model,
    fields ->> '$.hardware' AS hardware_version, fields ->> '$.firmware' AS firmware_version,
    fields ->> '$.software' AS software_version, fields ->> '$.localIdentifier' AS local_identifier,
    fields ->> '$.UDIDeviceIdentifier' AS udi, fields
FROM devices;

-- The columns of record versions that hold numbers and texts: value, and metadata, which is the id of a set or its
-- text. DuckDB reads no such column, but it has SQLite answer a view whose functions it lacks (likely does nothing), as
-- texts. The number's digits are those that lead back to it.
CREATE VIEW mixed_columns AS
SELECT id, value, CASE WHEN typeof(value) IN ('integer', 'real') THEN printf('%!.17g', value) END AS digits,
    CASE WHEN typeof(value) = 'text' THEN value END AS text, metadata,
    CASE WHEN typeof(metadata) = 'integer' THEN metadata END AS metadata_id
FROM record_versions WHERE likely(id IS NOT NULL);

-- Every record version with its key and payload columns resolved through sample_id and payload_id. typeof(1) is
-- 'integer' in SQLite and 'INTEGER' in DuckDB, which does not read the columns of a branch that it never takes.
CREATE VIEW full_record_versions AS
SELECT c.id, c.device_chain_id,
    CASE WHEN c.sample_id IS NULL THEN c.kind ELSE k.kind END AS kind,
    CASE WHEN c.sample_id IS NULL THEN c.sample_type_id ELSE k.sample_type_id END AS sample_type_id,
    CASE WHEN c.sample_id IS NULL THEN c.start_seconds ELSE k.start_seconds END AS start_seconds,
    ifnull(c.sample_id, c.id) AS sample_id, c.payload_id,
    CASE WHEN c.sample_id IS NULL THEN ifnull(c.start_seconds, 0) + c.duration
        ELSE ifnull(k.start_seconds, 0) + k.duration END AS end_seconds,
    CASE WHEN c.sample_id IS NULL THEN c.duration ELSE k.duration END AS duration,
    CASE WHEN typeof(1) <> 'integer' THEN
            (SELECT m.value FROM mixed_columns m WHERE m.id = CAST(ifnull(c.sample_id, c.id) AS VARCHAR))
        WHEN c.sample_id IS NULL THEN c.value ELSE k.value END AS value,
    CASE WHEN c.sample_id IS NULL THEN c.lexical_form ELSE k.lexical_form END AS lexical_form,
    CASE WHEN c.sample_id IS NULL THEN c.identity ELSE k.identity END AS identity,
    CASE WHEN c.sample_id IS NULL THEN c.strict_key ELSE k.strict_key END AS strict_key,
    c.descriptor_id,
    CASE WHEN c.payload_id IS NULL THEN c.creation_delay ELSE p.creation_delay END
        + ifnull(CASE WHEN c.sample_id IS NULL THEN c.start_seconds ELSE k.start_seconds END, 0) AS creation_seconds,
    CASE WHEN c.payload_id IS NULL THEN c.creation_delay ELSE p.creation_delay END AS creation_delay,
    CASE WHEN typeof(1) <> 'integer' THEN
            (SELECT m.metadata FROM mixed_columns m WHERE m.id = CAST(ifnull(c.payload_id, c.id) AS VARCHAR))
        WHEN c.payload_id IS NULL THEN c.metadata ELSE p.metadata END AS metadata,
    CASE WHEN c.payload_id IS NULL THEN c.version ELSE p.version END AS version,
    CASE WHEN c.payload_id IS NULL THEN c.extras ELSE p.extras END AS extras,
    CASE WHEN c.payload_id IS NULL THEN c.volatile_fields ELSE p.volatile_fields END AS volatile_fields,
    c.ordinal, c.opened_observation_id, c.closed_observation_id, c.superseded,
    CASE WHEN c.match_rule IS NOT NULL THEN coalesce(c.previous_id, c.sample_id, c.payload_id) END AS previous_id,
    c.match_rule
FROM record_versions c
LEFT JOIN record_versions k ON k.id = c.sample_id
LEFT JOIN record_versions p ON p.id = c.payload_id;

-- All ranges of all record versions of finished observations, first_observation_id resolved. A row that no observation
-- shows any more has an empty range, and none here.
CREATE VIEW record_version_ranges AS
-- Visible since the chain's first observation.
SELECT c.id AS record_version_id, c.device_chain_id, i.id AS first_observation_id,
    nullif(c.closed_observation_id, -1) AS last_observation_id, c.superseded,
    CASE WHEN c.match_rule IS NOT NULL THEN coalesce(c.previous_id, c.sample_id, c.payload_id) END AS previous_id,
    c.match_rule, k.id AS sample_id, c.ordinal
FROM imports i JOIN record_versions c ON c.device_chain_id = i.device_chain_id AND c.opened_observation_id IS NULL
JOIN record_versions k ON k.id = ifnull(c.sample_id, c.id) AND (c.id = k.id OR c.sample_id = k.id)
    AND k.sample_id IS NULL
WHERE i.id IN (SELECT id FROM observations WHERE chain_position = 1)
UNION ALL
-- Visible since a later one.
SELECT c.id, c.device_chain_id, i.id, nullif(c.closed_observation_id, -1), c.superseded,
    CASE WHEN c.match_rule IS NOT NULL THEN coalesce(c.previous_id, c.sample_id, c.payload_id) END, c.match_rule, k.id,
    c.ordinal
FROM imports i JOIN record_versions c ON c.opened_observation_id = i.id
JOIN record_versions k ON k.id = ifnull(c.sample_id, c.id) AND (c.id = k.id OR c.sample_id = k.id)
    AND k.sample_id IS NULL
WHERE i.status IN ('partial', 'completed') AND c.closed_observation_id <> i.id
UNION ALL
-- Earlier ranges.
SELECT c.id, c.device_chain_id, i.id, p.closed_observation_id, p.superseded, p.previous_id, p.match_rule, k.id,
    c.ordinal
FROM past_ranges p JOIN record_versions c ON c.id = p.record_version_id
JOIN record_versions k ON k.id = ifnull(c.sample_id, c.id) AND (c.id = k.id OR c.sample_id = k.id)
    AND k.sample_id IS NULL
JOIN imports i ON i.id = ifnull(p.opened_observation_id,
    (SELECT o.id FROM observations o WHERE o.device_chain_id = c.device_chain_id AND o.chain_position = 1))
WHERE ifnull(p.opened_observation_id, 0) <> p.closed_observation_id AND i.status IN ('partial', 'completed');

-- The records that each observation shows: those of the range that each has now, and of the earlier ranges.
CREATE VIEW visible_records AS
SELECT i.id AS observation_id, t.type_identifier, CAST(k.start_seconds AS DOUBLE) AS start_date,
    CAST(k.start_seconds + k.duration AS DOUBLE) AS end_date, m.value,
    CASE WHEN typeof(m.value) = 'VARCHAR' THEN CAST(m.digits AS DOUBLE)
        WHEN typeof(m.value) IN ('integer', 'real') THEN CAST(m.value AS DOUBLE) END AS numeric_value,
    u.unit, s.name AS source_name, lower(hex(k.identity)) AS identity,
    lower(hex(CASE WHEN c.payload_id IS NULL THEN c.version ELSE p.version END)) AS version, c.ordinal
FROM observations i JOIN record_versions c ON c.device_chain_id = i.device_chain_id
JOIN record_versions k ON k.id = ifnull(c.sample_id, c.id) AND (c.id = k.id OR c.sample_id = k.id)
    AND k.sample_id IS NULL
LEFT JOIN observations o ON o.id = c.opened_observation_id
LEFT JOIN observations e ON e.id = c.closed_observation_id
LEFT JOIN mixed_columns m ON m.id = CAST(k.id AS VARCHAR)
LEFT JOIN record_versions p ON p.id = c.payload_id
LEFT JOIN sample_types t ON t.id = k.sample_type_id
LEFT JOIN descriptors d ON d.id = c.descriptor_id
LEFT JOIN units u ON u.id = d.unit_id
LEFT JOIN sources s ON s.id = d.source_id
WHERE i.chain_position IS NOT NULL
    AND ((c.opened_observation_id IS NULL OR o.chain_position <= i.chain_position)
            AND (c.closed_observation_id = -1 OR e.chain_position > i.chain_position)
        OR EXISTS (SELECT 1 FROM past_ranges r LEFT JOIN observations b ON b.id = r.opened_observation_id
            JOIN observations g ON g.id = r.closed_observation_id
            WHERE r.record_version_id = c.id AND g.chain_position > i.chain_position
                AND (r.opened_observation_id IS NULL OR b.chain_position <= i.chain_position)));

-- first_seen_observation_id: of all ranges of the sample's rows that are not empty.
CREATE VIEW samples AS
SELECT k.id, k.sample_type_id, CAST(NULL AS VARCHAR) AS sample_uuid_hash, lower(hex(k.identity)) AS strict_fingerprint,
    CAST(NULL AS VARCHAR) AS semantic_fingerprint, CAST(NULL AS VARCHAR) AS fuzzy_key,
    i.id AS first_seen_observation_id, i.observed_at AS first_seen_at, t.type_identifier
FROM record_versions k
JOIN observations i ON i.device_chain_id = k.device_chain_id
    AND i.chain_position = CASE WHEN k.opened_observation_id IS NULL THEN 1 ELSE (
        SELECT min(r.chain_position)
        FROM (SELECT CASE WHEN c.opened_observation_id IS NULL THEN 1 ELSE o.chain_position END AS chain_position
            FROM record_versions c LEFT JOIN observations o ON o.id = c.opened_observation_id
            WHERE ifnull(c.sample_id, c.id) = k.id AND (c.id = k.id OR c.sample_id = k.id)
                AND ifnull(c.opened_observation_id, 0) <> c.closed_observation_id
            UNION ALL
            SELECT CASE WHEN p.opened_observation_id IS NULL THEN 1 ELSE o.chain_position END
            FROM record_versions c JOIN past_ranges p ON p.record_version_id = c.id
            LEFT JOIN observations o ON o.id = p.opened_observation_id
            WHERE ifnull(c.sample_id, c.id) = k.id AND (c.id = k.id OR c.sample_id = k.id)
                AND ifnull(p.opened_observation_id, 0) <> p.closed_observation_id) r) END
LEFT JOIN sample_types t ON t.id = k.sample_type_id
WHERE k.sample_id IS NULL;

CREATE VIEW sample_versions AS
SELECT c.id, k.id AS sample_id,
    lower(hex(CASE WHEN c.payload_id IS NULL THEN c.version ELSE p.version END)) AS payload_hash,
    CAST(k.start_seconds AS DOUBLE) AS start_date, CAST(k.start_seconds + k.duration AS DOUBLE) AS end_date,
    CASE WHEN m.value IS NULL THEN 'none' WHEN m.text IS NULL THEN 'number' ELSE 'text' END AS value_kind,
    CASE WHEN typeof(m.value) = 'VARCHAR' THEN CAST(m.digits AS DOUBLE)
        WHEN typeof(m.value) IN ('integer', 'real') THEN CAST(m.value AS DOUBLE) END AS numeric_value,
    u.unit, m.text AS category_value, CAST(k.duration AS DOUBLE) AS duration_seconds,
    (SELECT min(r.id) FROM descriptors r WHERE r.source_id = d.source_id AND (r.source_version = d.source_version
        OR (r.source_version IS NULL AND d.source_version IS NULL))) AS source_revision_id,
    nullif(d.device_id, 0) AS hk_device_id, b.id AS metadata_id,
    ifnull(b.metadata, a.metadata) AS metadata_json,
    s.name AS source_name, d.source_version, c.ordinal, t.type_identifier
FROM record_versions c
JOIN record_versions k ON k.id = ifnull(c.sample_id, c.id) AND (c.id = k.id OR c.sample_id = k.id)
    AND k.sample_id IS NULL
LEFT JOIN mixed_columns m ON m.id = CAST(k.id AS VARCHAR)
LEFT JOIN record_versions p ON p.id = c.payload_id
LEFT JOIN mixed_columns a ON a.id = CAST(ifnull(c.payload_id, c.id) AS VARCHAR)
LEFT JOIN metadata_sets b ON b.id = CAST(a.metadata_id AS BIGINT)
LEFT JOIN sample_types t ON t.id = k.sample_type_id
LEFT JOIN descriptors d ON d.id = c.descriptor_id
LEFT JOIN units u ON u.id = d.unit_id
LEFT JOIN sources s ON s.id = d.source_id
WHERE c.ordinal = 0 AND ifnull(c.opened_observation_id, 0) <> c.closed_observation_id
    AND c.device_chain_id IN (SELECT device_chain_id FROM imports WHERE status IN ('partial', 'completed'));

CREATE VIEW sample_visibility_ranges AS
SELECT r.sample_id, r.record_version_id AS version_id, r.ordinal, r.first_observation_id, r.last_observation_id,
    (SELECT CAST(observed_at AS DOUBLE) FROM imports WHERE id = r.first_observation_id) AS first_seen_at,
    (SELECT CAST(observed_at AS DOUBLE) FROM imports WHERE id = r.last_observation_id) AS last_seen_at
FROM record_version_ranges r;

CREATE VIEW sample_observation_events AS
SELECT r.first_observation_id AS observation_id, r.sample_id, r.record_version_id AS version_id,
    'appeared' AS event_kind,
    (SELECT CAST(observed_at AS DOUBLE) FROM imports WHERE id = r.first_observation_id) AS observed_at,
    CAST(NULL AS TEXT) AS evidence_kind, CAST(NULL AS BIGINT) AS previous_version_id
FROM record_version_ranges r WHERE r.match_rule IS NULL
UNION ALL
SELECT r.first_observation_id, r.sample_id, r.record_version_id, 'representationChanged',
    (SELECT CAST(observed_at AS DOUBLE) FROM imports WHERE id = r.first_observation_id),
    CASE r.match_rule WHEN 0 THEN 'strictKey' WHEN 1 THEN 'unitConversion' WHEN 2 THEN 'syncIdentifier'
        WHEN 3 THEN 'externalUUID' WHEN 4 THEN 'activityUUID' WHEN 5 THEN 'valueSynonym' END,
    r.previous_id
FROM record_version_ranges r WHERE r.match_rule IS NOT NULL
UNION ALL
SELECT i.id, k.id, c.id, 'disappeared', CAST(i.observed_at AS DOUBLE), NULL, NULL
FROM imports i JOIN record_versions c ON c.closed_observation_id = i.id
JOIN record_versions k ON k.id = ifnull(c.sample_id, c.id) AND (c.id = k.id OR c.sample_id = k.id)
    AND k.sample_id IS NULL
WHERE c.closed_observation_id > 0 AND c.superseded = 0 AND ifnull(c.opened_observation_id, 0) <> c.closed_observation_id
UNION ALL
SELECT i.id, k.id, c.id, 'disappeared', CAST(i.observed_at AS DOUBLE), NULL, NULL
FROM past_ranges p JOIN record_versions c ON c.id = p.record_version_id
JOIN imports i ON i.id = p.closed_observation_id
JOIN record_versions k ON k.id = ifnull(c.sample_id, c.id) AND (c.id = k.id OR c.sample_id = k.id)
    AND k.sample_id IS NULL
WHERE p.superseded = 0 AND ifnull(p.opened_observation_id, 0) <> p.closed_observation_id;

-- The dates of local days, the first day of their months and of the next ones. SQLite answers it for DuckDB, too.
CREATE VIEW aggregate_dates AS
SELECT device_chain_id, day, strftime('%Y-%m-%d', day * 86400, 'unixepoch') AS local_day,
    strftime('%Y-%m', day * 86400, 'unixepoch') AS local_month,
    CAST(strftime('%s', day * 86400, 'unixepoch', 'start of month') AS BIGINT) / 86400 AS first_day,
    CAST(strftime('%s', day * 86400, 'unixepoch', 'start of month', '+1 month') AS BIGINT) / 86400 AS end_day
FROM aggregate_days;

CREATE VIEW daily_type_aggregates AS
SELECT a.import_id AS observation_id, a.sample_type_id, CAST(d.bucket_start AS DOUBLE) AS bucket_start,
    CAST(d.bucket_end AS DOUBLE) AS bucket_end, a.record_count AS visible_record_count, a.value_sum, a.value_max,
    s.source_revision_id, CAST(NULL AS VARCHAR) AS aggregate_hash, u.unit, a.number_count,
    (a.value_sum + ifnull(a.extra_sum, 0))
        / nullif(a.number_count + CASE WHEN a.extra_sum IS NULL THEN 0 ELSE a.extra_samples END, 0) AS value_mean,
    a.value_min, a.covered_seconds, l.local_day, s.device_chain_id,
    a.number_count + ifnull(a.extra_samples, 0) AS sample_count, a.extra_sum
FROM daily_aggregates a JOIN aggregate_series s ON s.id = a.series_id
JOIN aggregate_days d ON d.device_chain_id = s.device_chain_id AND d.day = a.day
JOIN aggregate_dates l ON l.device_chain_id = CAST(s.device_chain_id AS VARCHAR) AND l.day = CAST(a.day AS VARCHAR)
LEFT JOIN units u ON u.id = s.unit_id;

-- A row where a day of the month has one; the month's days as of that observation.
CREATE VIEW monthly_type_aggregates AS
SELECT m.import_id AS observation_id, m.sample_type_id, m.local_month,
    CAST(sum(a.record_count) AS BIGINT) AS visible_record_count, sum(a.value_sum) AS value_sum,
    max(a.value_max) AS value_max, s.source_revision_id, u.unit, CAST(sum(a.number_count) AS BIGINT) AS number_count,
    (sum(a.value_sum) + ifnull(sum(a.extra_sum), 0)) / nullif(sum(a.number_count)
        + ifnull(sum(CASE WHEN a.extra_sum IS NULL THEN 0 ELSE a.extra_samples END), 0), 0) AS value_mean,
    min(a.value_min) AS value_min, CAST(sum(a.covered_seconds) AS BIGINT) AS covered_seconds, s.device_chain_id,
    CAST(sum(a.number_count + ifnull(a.extra_samples, 0)) AS BIGINT) AS sample_count, sum(a.extra_sum) AS extra_sum
FROM (SELECT DISTINCT b.import_id, b.sample_type_id, b.series_id, l.local_month,
        CAST(l.first_day AS BIGINT) AS first_day, CAST(l.end_day AS BIGINT) AS end_day
    FROM daily_aggregates b JOIN aggregate_series s ON s.id = b.series_id
    JOIN aggregate_dates l ON l.device_chain_id = CAST(s.device_chain_id AS VARCHAR)
        AND l.day = CAST(b.day AS VARCHAR)) m
JOIN observations i ON i.id = m.import_id
JOIN daily_aggregates a ON a.sample_type_id = m.sample_type_id AND a.day >= m.first_day
    AND a.day < m.end_day AND a.series_id = m.series_id
JOIN aggregate_series s ON s.id = m.series_id
LEFT JOIN units u ON u.id = s.unit_id
WHERE a.import_id = (SELECT b.import_id FROM daily_aggregates b JOIN observations j ON j.id = b.import_id
    WHERE b.sample_type_id = a.sample_type_id AND b.day = a.day AND b.series_id = a.series_id
        AND j.chain_position <= i.chain_position
    ORDER BY j.chain_position DESC LIMIT 1)
GROUP BY m.import_id, m.sample_type_id, m.local_month, m.series_id, s.source_revision_id, s.device_chain_id, u.unit;

CREATE VIEW sample_relationships AS
SELECT import_id AS observation_id, source_id AS source_sample_id, target_id AS target_sample_id,
    kind AS relationship_kind, CAST(NULL AS BIGINT) AS metadata_id
FROM relationships WHERE kind <> 'file'
UNION ALL
SELECT r.import_id, ifnull(o.sample_id, o.id), ifnull(c.sample_id, c.id), 'workoutRoute', NULL
FROM shown_routes r JOIN record_versions o ON o.id = r.owner_id JOIN record_versions c ON c.id = r.record_version_id;

CREATE VIEW metadata_blobs AS SELECT id, metadata AS metadata_json FROM metadata_sets;
