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

-- The record versions that a partial observation's own file showed, as runs of ids.
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

-- Record versions whose range was begun by an observation whose import neither added nor reopened them.
CREATE TABLE moved_openings (
    observation_id INTEGER NOT NULL REFERENCES imports (id),
    record_version_id INTEGER NOT NULL REFERENCES record_versions (id),
    PRIMARY KEY (observation_id, record_version_id)
) STRICT, WITHOUT ROWID;

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
    CAST(i.observed_at AS REAL) AS observed_at, i.started_at, i.ended_at, i.status,
    'import' AS trigger_reason, i.program AS app_version, NULL AS os_version,
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
    END AS error_kind, NULL AS error_message_hash
FROM type_runs r JOIN imports i ON i.id = r.import_id JOIN sample_types t ON t.id = r.sample_type_id;

CREATE VIEW observation_type_summaries AS
SELECT r.import_id AS observation_id, r.sample_type_id, r.visible_count AS visible_record_count,
    r.appeared_count, r.disappeared_count, r.representation_changed_count,
    CAST(r.earliest_start AS REAL) AS earliest_start_date, CAST(r.latest_end AS REAL) AS latest_end_date,
    (SELECT sum(s.value_sum) FROM type_sums s
        WHERE s.import_id = r.import_id AND s.sample_type_id = r.sample_type_id AND s.number_count > 0) AS value_sum,
    (SELECT max(s.value_max) FROM type_sums s
        WHERE s.import_id = r.import_id AND s.sample_type_id = r.sample_type_id) AS value_max,
    lower(hex(r.aggregate_hash)) AS aggregate_hash, r.evidence, r.changed_fields
FROM type_runs r;

CREATE VIEW source_revisions AS
SELECT min(d.id) AS id, d.source_id, NULL AS product_type, d.source_version AS version,
    NULL AS operating_system_version, s.name AS source_name
FROM descriptors d JOIN sources s ON s.id = d.source_id GROUP BY d.source_id, d.source_version;

CREATE VIEW hk_devices AS
SELECT id, json_extract(fields, '$.name') AS name, json_extract(fields, '$.manufacturer') AS manufacturer,
    json_extract(fields, '$.model') AS model, json_extract(fields, '$.hardware') AS hardware_version,
    json_extract(fields, '$.firmware') AS firmware_version,
    json_extract(fields, '$.software') AS software_version,
    json_extract(fields, '$.localIdentifier') AS local_identifier,
    json_extract(fields, '$.UDIDeviceIdentifier') AS udi, fields
FROM devices;

-- Every record version with its key and payload columns resolved through sample_id and payload_id.
CREATE VIEW full_record_versions AS
SELECT c.id, c.device_chain_id,
    iif(c.sample_id IS NULL, c.kind, k.kind) AS kind,
    iif(c.sample_id IS NULL, c.sample_type_id, k.sample_type_id) AS sample_type_id,
    iif(c.sample_id IS NULL, c.start_seconds, k.start_seconds) AS start_seconds,
    ifnull(c.sample_id, c.id) AS sample_id, c.payload_id,
    iif(c.sample_id IS NULL, ifnull(c.start_seconds, 0) + c.duration, ifnull(k.start_seconds, 0) + k.duration)
        AS end_seconds,
    iif(c.sample_id IS NULL, c.duration, k.duration) AS duration,
    iif(c.sample_id IS NULL, c.value, k.value) AS value,
    iif(c.sample_id IS NULL, c.lexical_form, k.lexical_form) AS lexical_form,
    iif(c.sample_id IS NULL, c.identity, k.identity) AS identity,
    iif(c.sample_id IS NULL, c.strict_key, k.strict_key) AS strict_key,
    c.descriptor_id,
    iif(c.payload_id IS NULL, c.creation_delay, p.creation_delay)
        + ifnull(iif(c.sample_id IS NULL, c.start_seconds, k.start_seconds), 0) AS creation_seconds,
    iif(c.payload_id IS NULL, c.creation_delay, p.creation_delay) AS creation_delay,
    iif(c.payload_id IS NULL, c.metadata, p.metadata) AS metadata,
    iif(c.payload_id IS NULL, c.version, p.version) AS version,
    iif(c.payload_id IS NULL, c.extras, p.extras) AS extras,
    iif(c.payload_id IS NULL, c.volatile_fields, p.volatile_fields) AS volatile_fields,
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
WHERE i.id = (SELECT f.id FROM imports f
    WHERE f.device_chain_id = i.device_chain_id AND f.status IN ('partial', 'completed')
    ORDER BY f.observed_at, f.status = 'completed', f.xml_sha256, f.id LIMIT 1)
UNION ALL
-- Visible since the import that added the row.
SELECT c.id, c.device_chain_id, i.id, nullif(c.closed_observation_id, -1), c.superseded,
    CASE WHEN c.match_rule IS NOT NULL THEN coalesce(c.previous_id, c.sample_id, c.payload_id) END, c.match_rule, k.id,
    c.ordinal
FROM imports i JOIN record_versions c ON c.opened_observation_id = i.id
    AND c.id BETWEEN i.first_record_version_id AND i.last_record_version_id
JOIN record_versions k ON k.id = ifnull(c.sample_id, c.id) AND (c.id = k.id OR c.sample_id = k.id)
    AND k.sample_id IS NULL
WHERE i.status IN ('partial', 'completed') AND c.closed_observation_id <> i.id
UNION ALL
-- Visible since an observation that did not add the row: it came back, or its opening was moved.
SELECT c.id, c.device_chain_id, i.id, nullif(c.closed_observation_id, -1), c.superseded,
    CASE WHEN c.match_rule IS NOT NULL THEN coalesce(c.previous_id, c.sample_id, c.payload_id) END, c.match_rule, k.id,
    c.ordinal
FROM imports i JOIN record_versions c ON c.opened_observation_id = i.id
    AND c.id IN (SELECT record_version_id FROM past_ranges UNION SELECT record_version_id FROM moved_openings)
    AND c.id NOT BETWEEN i.first_record_version_id AND i.last_record_version_id
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
JOIN imports i ON i.id = ifnull(p.opened_observation_id, (SELECT f.id FROM imports f
    WHERE f.device_chain_id = c.device_chain_id AND f.status IN ('partial', 'completed')
    ORDER BY f.observed_at, f.status = 'completed', f.xml_sha256, f.id LIMIT 1))
WHERE p.opened_observation_id IS NOT p.closed_observation_id AND i.status IN ('partial', 'completed');

-- The records that each observation shows.
CREATE VIEW visible_records AS
SELECT i.id AS observation_id, t.type_identifier, CAST(k.start_seconds AS REAL) AS start_date,
    CAST(k.start_seconds + k.duration AS REAL) AS end_date, k.value, u.unit, s.name AS source_name,
    lower(hex(k.identity)) AS identity, lower(hex(iif(c.payload_id IS NULL, c.version, p.version))) AS version,
    c.ordinal
FROM imports i JOIN record_versions c ON c.device_chain_id = i.device_chain_id
JOIN record_versions k ON k.id = ifnull(c.sample_id, c.id) AND (c.id = k.id OR c.sample_id = k.id)
    AND k.sample_id IS NULL
LEFT JOIN record_versions p ON p.id = c.payload_id
LEFT JOIN sample_types t ON t.id = k.sample_type_id
LEFT JOIN descriptors d ON d.id = c.descriptor_id
LEFT JOIN units u ON u.id = d.unit_id
LEFT JOIN sources s ON s.id = d.source_id
WHERE i.status IN ('partial', 'completed')
    AND (c.opened_observation_id IS NULL OR EXISTS (SELECT 1 FROM imports o WHERE o.id = c.opened_observation_id
        AND (o.observed_at, o.status = 'completed', o.xml_sha256, o.id)
            <= (i.observed_at, i.status = 'completed', i.xml_sha256, i.id)))
    AND (c.closed_observation_id = -1 OR EXISTS (SELECT 1 FROM imports o WHERE o.id = c.closed_observation_id
        AND (o.observed_at, o.status = 'completed', o.xml_sha256, o.id)
            > (i.observed_at, i.status = 'completed', i.xml_sha256, i.id)))
UNION ALL
SELECT i.id, t.type_identifier, CAST(k.start_seconds AS REAL), CAST(k.start_seconds + k.duration AS REAL), k.value,
    u.unit, s.name, lower(hex(k.identity)), lower(hex(iif(c.payload_id IS NULL, c.version, p.version))), c.ordinal
FROM past_ranges r JOIN record_versions c ON c.id = r.record_version_id
JOIN imports i ON i.device_chain_id = c.device_chain_id
JOIN record_versions k ON k.id = ifnull(c.sample_id, c.id)
LEFT JOIN record_versions p ON p.id = c.payload_id
LEFT JOIN sample_types t ON t.id = k.sample_type_id
LEFT JOIN descriptors d ON d.id = c.descriptor_id
LEFT JOIN units u ON u.id = d.unit_id
LEFT JOIN sources s ON s.id = d.source_id
WHERE i.status IN ('partial', 'completed')
    AND (r.opened_observation_id IS NULL OR EXISTS (SELECT 1 FROM imports o WHERE o.id = r.opened_observation_id
        AND (o.observed_at, o.status = 'completed', o.xml_sha256, o.id)
            <= (i.observed_at, i.status = 'completed', i.xml_sha256, i.id)))
    AND EXISTS (SELECT 1 FROM imports o WHERE o.id = r.closed_observation_id
        AND (o.observed_at, o.status = 'completed', o.xml_sha256, o.id)
            > (i.observed_at, i.status = 'completed', i.xml_sha256, i.id));

CREATE VIEW samples AS
SELECT k.id, k.sample_type_id, NULL AS sample_uuid_hash, lower(hex(k.identity)) AS strict_fingerprint,
    NULL AS semantic_fingerprint, NULL AS fuzzy_key, i.id AS first_seen_observation_id,
    CAST(i.observed_at AS REAL) AS first_seen_at, t.type_identifier
FROM record_versions k
LEFT JOIN imports i ON i.id = iif(k.opened_observation_id IS NULL, (SELECT f.id FROM imports f
        WHERE f.device_chain_id = k.device_chain_id AND f.status IN ('partial', 'completed')
        ORDER BY f.observed_at, f.status = 'completed', f.xml_sha256, f.id LIMIT 1), (
    SELECT o.id FROM imports o
    WHERE o.device_chain_id = k.device_chain_id AND o.status IN ('partial', 'completed') AND o.id IN (
        SELECT ifnull(c.opened_observation_id, (SELECT f.id FROM imports f
        WHERE f.device_chain_id = k.device_chain_id AND f.status IN ('partial', 'completed')
        ORDER BY f.observed_at, f.status = 'completed', f.xml_sha256, f.id LIMIT 1))
        FROM record_versions c
        WHERE (c.id = k.id OR c.sample_id = k.id) AND c.opened_observation_id IS NOT c.closed_observation_id
        UNION ALL
        SELECT ifnull(p.opened_observation_id, (SELECT f.id FROM imports f
        WHERE f.device_chain_id = k.device_chain_id AND f.status IN ('partial', 'completed')
        ORDER BY f.observed_at, f.status = 'completed', f.xml_sha256, f.id LIMIT 1))
        FROM record_versions c JOIN past_ranges p ON p.record_version_id = c.id
        WHERE c.id = k.id OR c.sample_id = k.id)
    ORDER BY o.observed_at, o.status = 'completed', o.xml_sha256, o.id LIMIT 1))
LEFT JOIN sample_types t ON t.id = k.sample_type_id
WHERE k.sample_id IS NULL
    AND k.device_chain_id IN (SELECT device_chain_id FROM imports WHERE status IN ('partial', 'completed'))
    AND (k.opened_observation_id IS NOT k.closed_observation_id
        OR EXISTS (SELECT 1 FROM past_ranges p WHERE p.record_version_id = k.id)
        OR EXISTS (SELECT 1 FROM record_versions c WHERE c.sample_id = k.id
            AND (c.opened_observation_id IS NOT c.closed_observation_id
                OR c.id IN (SELECT record_version_id FROM past_ranges))));

CREATE VIEW sample_versions AS
SELECT c.id, k.id AS sample_id, lower(hex(iif(c.payload_id IS NULL, c.version, p.version))) AS payload_hash,
    CAST(k.start_seconds AS REAL) AS start_date, CAST(k.start_seconds + k.duration AS REAL) AS end_date,
    CASE typeof(k.value) WHEN 'null' THEN 'none' WHEN 'text' THEN 'text' ELSE 'number' END AS value_kind,
    CASE WHEN typeof(k.value) IN ('integer', 'real') THEN CAST(k.value AS REAL) END AS numeric_value,
    u.unit, CASE WHEN typeof(k.value) = 'text' THEN k.value END AS category_value,
    CAST(k.duration AS REAL) AS duration_seconds,
    (SELECT min(r.id) FROM descriptors r WHERE r.source_id = d.source_id AND r.source_version IS d.source_version)
        AS source_revision_id,
    nullif(d.device_id, 0) AS hk_device_id, m.id AS metadata_id,
    ifnull(m.metadata, iif(c.payload_id IS NULL, c.metadata, p.metadata)) AS metadata_json,
    s.name AS source_name, d.source_version, c.ordinal, t.type_identifier
FROM record_versions c
JOIN record_versions k ON k.id = ifnull(c.sample_id, c.id) AND (c.id = k.id OR c.sample_id = k.id)
    AND k.sample_id IS NULL
LEFT JOIN record_versions p ON p.id = c.payload_id
LEFT JOIN metadata_sets m ON m.id = iif(c.payload_id IS NULL, c.metadata, p.metadata)
    AND typeof(iif(c.payload_id IS NULL, c.metadata, p.metadata)) = 'integer'
LEFT JOIN sample_types t ON t.id = k.sample_type_id
LEFT JOIN descriptors d ON d.id = c.descriptor_id
LEFT JOIN units u ON u.id = d.unit_id
LEFT JOIN sources s ON s.id = d.source_id
WHERE c.ordinal = 0 AND c.opened_observation_id IS NOT c.closed_observation_id
    AND c.device_chain_id IN (SELECT device_chain_id FROM imports WHERE status IN ('partial', 'completed'));

CREATE VIEW sample_visibility_ranges AS
SELECT r.sample_id, r.record_version_id AS version_id, r.ordinal, r.first_observation_id, r.last_observation_id,
    (SELECT CAST(observed_at AS REAL) FROM imports WHERE id = r.first_observation_id) AS first_seen_at,
    (SELECT CAST(observed_at AS REAL) FROM imports WHERE id = r.last_observation_id) AS last_seen_at
FROM record_version_ranges r;

CREATE VIEW sample_observation_events AS
SELECT r.first_observation_id AS observation_id, r.sample_id, r.record_version_id AS version_id,
    iif(r.match_rule IS NULL, 'appeared', 'representationChanged') AS event_kind,
    (SELECT CAST(observed_at AS REAL) FROM imports WHERE id = r.first_observation_id) AS observed_at,
    CASE r.match_rule WHEN 0 THEN 'strictKey' WHEN 1 THEN 'unitConversion' WHEN 2 THEN 'syncIdentifier'
        WHEN 3 THEN 'externalUUID' WHEN 4 THEN 'activityUUID' WHEN 5 THEN 'valueSynonym' END AS evidence_kind,
    r.previous_id AS previous_version_id
FROM record_version_ranges r
UNION ALL
SELECT i.id, k.id, c.id, 'disappeared', CAST(i.observed_at AS REAL), NULL, NULL
FROM imports i JOIN record_versions c ON c.closed_observation_id = i.id
JOIN record_versions k ON k.id = ifnull(c.sample_id, c.id) AND (c.id = k.id OR c.sample_id = k.id)
    AND k.sample_id IS NULL
WHERE c.closed_observation_id > 0 AND c.superseded = 0 AND c.opened_observation_id IS NOT c.closed_observation_id
UNION ALL
SELECT i.id, k.id, c.id, 'disappeared', CAST(i.observed_at AS REAL), NULL, NULL
FROM past_ranges p JOIN record_versions c ON c.id = p.record_version_id
JOIN imports i ON i.id = p.closed_observation_id
JOIN record_versions k ON k.id = ifnull(c.sample_id, c.id) AND (c.id = k.id OR c.sample_id = k.id)
    AND k.sample_id IS NULL
WHERE p.superseded = 0 AND p.opened_observation_id IS NOT p.closed_observation_id;

CREATE VIEW daily_type_aggregates AS
SELECT a.import_id AS observation_id, a.sample_type_id, CAST(d.bucket_start AS REAL) AS bucket_start,
    CAST(d.bucket_end AS REAL) AS bucket_end, a.record_count AS visible_record_count, a.value_sum, a.value_max,
    s.source_revision_id, NULL AS aggregate_hash, u.unit, a.number_count,
    (a.value_sum + ifnull(a.extra_sum, 0)) / nullif(a.number_count + iif(a.extra_sum IS NULL, 0, a.extra_samples), 0)
        AS value_mean,
    a.value_min, a.covered_seconds, date(a.day * 86400, 'unixepoch') AS local_day, s.device_chain_id,
    a.number_count + ifnull(a.extra_samples, 0) AS sample_count, a.extra_sum
FROM daily_aggregates a JOIN aggregate_series s ON s.id = a.series_id
JOIN aggregate_days d ON d.device_chain_id = s.device_chain_id AND d.day = a.day
LEFT JOIN units u ON u.id = s.unit_id;

-- A row where a day of the month has one; the month's days as of that observation.
CREATE VIEW monthly_type_aggregates AS
SELECT m.import_id AS observation_id, m.sample_type_id, m.local_month,
    sum(a.record_count) AS visible_record_count, sum(a.value_sum) AS value_sum, max(a.value_max) AS value_max,
    s.source_revision_id, u.unit, sum(a.number_count) AS number_count,
    (sum(a.value_sum) + total(a.extra_sum))
        / nullif(sum(a.number_count) + total(iif(a.extra_sum IS NULL, 0, a.extra_samples)), 0) AS value_mean,
    min(a.value_min) AS value_min, sum(a.covered_seconds) AS covered_seconds, s.device_chain_id,
    sum(a.number_count + ifnull(a.extra_samples, 0)) AS sample_count, sum(a.extra_sum) AS extra_sum
FROM (SELECT DISTINCT import_id, sample_type_id, series_id, strftime('%Y-%m', day * 86400, 'unixepoch') AS local_month,
        CAST(strftime('%s', day * 86400, 'unixepoch', 'start of month') AS INTEGER) / 86400 AS first_day,
        CAST(strftime('%s', day * 86400, 'unixepoch', 'start of month', '+1 month') AS INTEGER) / 86400 AS end_day
    FROM daily_aggregates) m
JOIN imports i ON i.id = m.import_id
CROSS JOIN daily_aggregates a ON a.sample_type_id = m.sample_type_id AND a.day >= m.first_day
    AND a.day < m.end_day AND a.series_id = m.series_id
JOIN aggregate_series s ON s.id = m.series_id
LEFT JOIN units u ON u.id = s.unit_id
WHERE a.import_id = (SELECT b.import_id FROM daily_aggregates b JOIN imports j ON j.id = b.import_id
    WHERE b.sample_type_id = a.sample_type_id AND b.day = a.day AND b.series_id = a.series_id
        AND (j.observed_at, j.status = 'completed', j.xml_sha256, j.id)
            <= (i.observed_at, i.status = 'completed', i.xml_sha256, i.id)
    ORDER BY j.observed_at DESC, j.status = 'completed' DESC, j.xml_sha256 DESC, j.id DESC LIMIT 1)
GROUP BY m.import_id, m.sample_type_id, m.local_month, m.series_id;

CREATE VIEW sample_relationships AS
SELECT import_id AS observation_id, source_id AS source_sample_id, target_id AS target_sample_id,
    kind AS relationship_kind, NULL AS metadata_id
FROM relationships WHERE kind <> 'file'
UNION ALL
SELECT r.import_id, ifnull(o.sample_id, o.id), ifnull(c.sample_id, c.id), 'workoutRoute', NULL
FROM shown_routes r JOIN record_versions o ON o.id = r.owner_id JOIN record_versions c ON c.id = r.record_version_id;

CREATE VIEW metadata_blobs AS SELECT id, metadata AS metadata_json FROM metadata_sets;
