-- Schema version 1 of a cache: what pages show of an archive, made again from it at any time. docs/cache.md explains it.

CREATE TABLE cache_metadata (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;

-- Texts that many rows have: names of types, units, sources, buckets, hashes of sources.
CREATE TABLE cache_texts (id INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE) STRICT;

-- One row for each set of rows that is made and checked together; 0 and '' where a column does not apply.
--   sample_type_identifier  of results the hash of the question.
--   part        of diff summaries 1 where labels of an analysis are in it; of diff members the number of the block.
--   source_hash over the columns above and what the rows were made of.
--   rows_id     of its rows; groups of an entity with equal rows share them.
--   rows_sha256 over its rows in order.
CREATE TABLE cache_groups (
    id INTEGER PRIMARY KEY,
    entity TEXT NOT NULL,
    device_chain_id INTEGER NOT NULL,
    observation_id INTEGER NOT NULL,
    to_observation_id INTEGER NOT NULL,
    through INTEGER NOT NULL,
    sample_type_identifier TEXT NOT NULL,
    part INTEGER NOT NULL,
    source_hash BLOB NOT NULL CHECK (length(source_hash) = 32),
    rows_id INTEGER NOT NULL,
    rows_sha256 BLOB NOT NULL CHECK (length(rows_sha256) = 32),
    row_count INTEGER NOT NULL,
    byte_count INTEGER NOT NULL,
    computed_at INTEGER NOT NULL,
    last_used_at INTEGER NOT NULL,
    UNIQUE (entity, device_chain_id, observation_id, to_observation_id, through, sample_type_identifier, part)
) STRICT;
CREATE INDEX cache_groups_rows ON cache_groups (rows_id);
CREATE INDEX cache_groups_content ON cache_groups (rows_sha256, entity);

-- Columns that name a text of cache_texts end with _name_id.

CREATE TABLE cached_archive_health (
    rows_id INTEGER NOT NULL,
    position INTEGER NOT NULL,
    last_integrity_check_at INTEGER,
    last_integrity_status TEXT,
    last_error_kind TEXT,
    last_error_message_hash BLOB,
    failed_invariants TEXT,
    sample_count INTEGER NOT NULL,
    version_count INTEGER NOT NULL,
    copy_count INTEGER NOT NULL,
    seal_count INTEGER NOT NULL,
    head_sequence INTEGER,
    byte_count INTEGER NOT NULL,
    PRIMARY KEY (rows_id, position)
) STRICT, WITHOUT ROWID;

CREATE TABLE cached_observation_rows (
    rows_id INTEGER NOT NULL,
    position INTEGER NOT NULL,
    observation_id INTEGER NOT NULL,
    observed_at INTEGER NOT NULL,
    status TEXT NOT NULL,
    trigger_reason TEXT NOT NULL,
    time_zone_identifier TEXT,
    tracked_type_count INTEGER NOT NULL,
    visible_record_count INTEGER NOT NULL,
    appeared_count INTEGER NOT NULL,
    disappeared_count INTEGER NOT NULL,
    representation_changed_count INTEGER NOT NULL,
    source_aggregate_hash BLOB NOT NULL,
    quarantined_count INTEGER NOT NULL,
    is_partial INTEGER NOT NULL,
    source_name TEXT NOT NULL,
    note TEXT,
    PRIMARY KEY (rows_id, position)
) STRICT, WITHOUT ROWID;

CREATE TABLE cached_type_summaries (
    rows_id INTEGER NOT NULL,
    position INTEGER NOT NULL,
    type_name_id INTEGER NOT NULL,
    display_name_id INTEGER NOT NULL,
    visible_record_count INTEGER NOT NULL,
    appeared_count INTEGER NOT NULL,
    disappeared_count INTEGER NOT NULL,
    representation_changed_count INTEGER NOT NULL,
    earliest_start_date INTEGER,
    latest_end_date INTEGER,
    value_sum REAL,
    value_max REAL,
    aggregate_hash BLOB NOT NULL,
    status TEXT NOT NULL,
    read_count INTEGER NOT NULL,
    unit_name_id INTEGER,
    source_count INTEGER NOT NULL,
    PRIMARY KEY (rows_id, position)
) STRICT, WITHOUT ROWID;

-- Days and months; the kind is the group's.
CREATE TABLE cached_aggregates (
    rows_id INTEGER NOT NULL,
    position INTEGER NOT NULL,
    bucket_start INTEGER NOT NULL,
    bucket_end INTEGER NOT NULL,
    zone_name_id INTEGER NOT NULL,
    visible_record_count INTEGER NOT NULL,
    value_sum REAL,
    value_max REAL,
    source_hash_name_id INTEGER,
    label_name_id INTEGER NOT NULL,
    source_name_id INTEGER,
    unit_name_id INTEGER,
    number_count INTEGER NOT NULL,
    sample_count INTEGER NOT NULL,
    value_min REAL,
    value_mean REAL,
    covered_seconds INTEGER NOT NULL,
    overlap_not_removed INTEGER NOT NULL,
    PRIMARY KEY (rows_id, position)
) STRICT, WITHOUT ROWID;

-- days: as `diff --json` prints them. changed_days, verdict: all that pages show of them, and what the analysis found.
CREATE TABLE cached_diff_summaries (
    rows_id INTEGER NOT NULL,
    position INTEGER NOT NULL,
    type_name_id INTEGER NOT NULL,
    appeared_count INTEGER NOT NULL,
    disappeared_count INTEGER NOT NULL,
    representation_changed_count INTEGER NOT NULL,
    consolidation_likely INTEGER,
    uncertainty_reason TEXT NOT NULL,
    before_count INTEGER NOT NULL,
    after_count INTEGER NOT NULL,
    evidence TEXT NOT NULL,
    changed_fields TEXT NOT NULL,
    labels TEXT NOT NULL,
    uncertainty TEXT NOT NULL,
    day_count INTEGER NOT NULL,
    days TEXT NOT NULL,
    changed_days TEXT,
    verdict TEXT,
    PRIMARY KEY (rows_id, position)
) STRICT, WITHOUT ROWID;

-- position counts through all blocks of a diff. steps: of the evidence `lineage`.
CREATE TABLE cached_diff_members (
    rows_id INTEGER NOT NULL,
    position INTEGER NOT NULL,
    change TEXT NOT NULL,
    after_copy_id INTEGER,
    before_copy_id INTEGER,
    evidence TEXT,
    type_name_id INTEGER NOT NULL,
    steps TEXT,
    PRIMARY KEY (rows_id, position)
) STRICT, WITHOUT ROWID;

CREATE TABLE cached_export_manifests (
    rows_id INTEGER NOT NULL,
    position INTEGER NOT NULL,
    export_id TEXT NOT NULL,
    export_kind TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    from_observation_id INTEGER,
    to_observation_id INTEGER,
    filter_summary TEXT NOT NULL,
    record_count INTEGER NOT NULL,
    manifest_hash TEXT NOT NULL,
    file_url_bookmark_data TEXT,
    status TEXT NOT NULL,
    recorded_at INTEGER NOT NULL,
    row_id INTEGER NOT NULL,
    PRIMARY KEY (rows_id, position)
) STRICT, WITHOUT ROWID;

-- What a command printed: its output, and a note on standard error.
CREATE TABLE cached_results (
    rows_id INTEGER NOT NULL,
    position INTEGER NOT NULL,
    output BLOB NOT NULL,
    note TEXT,
    PRIMARY KEY (rows_id, position)
) STRICT, WITHOUT ROWID;

-- Views
-- -----

CREATE VIEW CachedArchiveHealth AS
SELECT CAST((SELECT value FROM cache_metadata WHERE key = 'archive_schema_version') AS INTEGER) AS archiveSchemaVersion,
    CAST((SELECT value FROM cache_metadata WHERE key = 'cache_schema_version') AS INTEGER) AS cacheSchemaVersion,
    r.last_integrity_check_at AS lastIntegrityCheckAt, r.last_integrity_status AS lastIntegrityStatus,
    r.last_error_kind AS lastErrorKind, nullif(lower(hex(r.last_error_message_hash)), '') AS lastErrorMessageHash,
    (SELECT value FROM cache_metadata WHERE key = 'cache_build_id') AS cacheBuildID, g.computed_at AS computedAt,
    r.failed_invariants AS failedInvariants, r.sample_count AS sampleCount, r.version_count AS versionCount,
    r.copy_count AS copyCount, r.seal_count AS sealCount, r.head_sequence AS headSequence, r.byte_count AS byteCount
FROM cached_archive_health r JOIN cache_groups g ON g.rows_id = r.rows_id;

CREATE VIEW CachedObservationRow AS
SELECT r.observation_id AS observationID, r.observed_at AS observedAt, r.status, r.trigger_reason AS triggerReason,
    r.time_zone_identifier AS timeZoneIdentifier, r.tracked_type_count AS trackedTypeCount,
    r.visible_record_count AS visibleRecordCount, r.appeared_count AS appearedCount,
    r.disappeared_count AS disappearedCount, r.representation_changed_count AS representationChangedCount,
    CAST((SELECT value FROM cache_metadata WHERE key = 'archive_schema_version') AS INTEGER) AS archiveSchemaVersion,
    CAST((SELECT value FROM cache_metadata WHERE key = 'cache_schema_version') AS INTEGER) AS cacheSchemaVersion,
    lower(hex(r.source_aggregate_hash)) AS sourceAggregateHash, g.computed_at AS computedAt,
    g.device_chain_id AS deviceChainID, r.position + 1 AS chainPosition, r.quarantined_count AS quarantinedCount,
    r.is_partial AS isPartial, r.source_name AS sourceName, r.note
FROM cached_observation_rows r JOIN cache_groups g ON g.rows_id = r.rows_id;

CREATE VIEW CachedTypeSummary AS
SELECT g.observation_id AS observationID, t.text AS sampleTypeIdentifier, d.text AS displayName,
    r.visible_record_count AS visibleRecordCount, r.appeared_count AS appearedCount,
    r.disappeared_count AS disappearedCount, r.representation_changed_count AS representationChangedCount,
    r.earliest_start_date AS earliestStartDate, r.latest_end_date AS latestEndDate, r.value_sum AS valueSum,
    r.value_max AS valueMax, lower(hex(r.aggregate_hash)) AS aggregateHash, g.computed_at AS computedAt, r.status,
    r.read_count AS readCount, u.text AS unit, r.source_count AS sourceCount
FROM cached_type_summaries r JOIN cache_groups g ON g.rows_id = r.rows_id
LEFT JOIN cache_texts t ON t.id = r.type_name_id LEFT JOIN cache_texts d ON d.id = r.display_name_id
LEFT JOIN cache_texts u ON u.id = r.unit_name_id;

-- Days and months, each with its kind.
CREATE VIEW cached_buckets AS
SELECT g.observation_id AS observationID, g.sample_type_identifier AS sampleTypeIdentifier,
    r.bucket_start AS bucketStart, r.bucket_end AS bucketEnd, z.text AS timeZoneIdentifier,
    r.visible_record_count AS visibleRecordCount, r.value_sum AS valueSum, r.value_max AS valueMax,
    h.text AS sourceRevisionDisplayHash, lower(hex(g.rows_sha256)) AS aggregateHash, g.computed_at AS computedAt,
    CASE g.entity WHEN 'CachedDailyAggregate' THEN 'day' ELSE 'month' END AS bucketKind, l.text AS localLabel, s.text AS sourceName, u.text AS unit, r.number_count AS numberCount,
    r.sample_count AS sampleCount, r.value_min AS valueMin, r.value_mean AS valueMean,
    r.covered_seconds AS coveredSeconds, r.overlap_not_removed AS overlapNotRemoved
FROM cached_aggregates r JOIN cache_groups g ON g.rows_id = r.rows_id
LEFT JOIN cache_texts z ON z.id = r.zone_name_id LEFT JOIN cache_texts l ON l.id = r.label_name_id
LEFT JOIN cache_texts s ON s.id = r.source_name_id LEFT JOIN cache_texts u ON u.id = r.unit_name_id
LEFT JOIN cache_texts h ON h.id = r.source_hash_name_id;

CREATE VIEW CachedDailyAggregate AS SELECT * FROM cached_buckets WHERE bucketKind = 'day';

CREATE VIEW CachedMonthlyAggregate AS SELECT * FROM cached_buckets WHERE bucketKind = 'month';

-- The rows with the labels of an analysis where there are any, else those without.
CREATE VIEW CachedDiffSummary AS
SELECT g.observation_id AS fromObservationID, g.to_observation_id AS toObservationID, t.text AS sampleTypeIdentifier,
    r.appeared_count AS appearedCount, r.disappeared_count AS disappearedCount,
    r.representation_changed_count AS representationChangedCount, r.consolidation_likely AS consolidationLikely,
    r.uncertainty_reason AS uncertaintyReason, lower(hex(g.source_hash)) AS sourceAggregateHash,
    g.computed_at AS computedAt, g.through, r.before_count AS beforeCount, r.after_count AS afterCount, r.evidence,
    r.changed_fields AS changedFields, r.labels, r.uncertainty, r.day_count AS dayCount, r.days
FROM cached_diff_summaries r JOIN cache_groups g ON g.rows_id = r.rows_id
LEFT JOIN cache_texts t ON t.id = r.type_name_id
WHERE g.part = 1 OR NOT EXISTS (SELECT 1 FROM cache_groups o
    WHERE o.entity = g.entity AND o.device_chain_id = g.device_chain_id AND o.observation_id = g.observation_id
        AND o.to_observation_id = g.to_observation_id AND o.through = g.through AND o.part = 1);

CREATE VIEW CachedDiffMember AS
SELECT g.observation_id AS fromObservationID, g.to_observation_id AS toObservationID, g.through, r.position, r.change,
    r.after_copy_id AS afterCopyID, r.before_copy_id AS beforeCopyID, r.evidence, t.text AS sampleTypeIdentifier
FROM cached_diff_members r JOIN cache_groups g ON g.rows_id = r.rows_id LEFT JOIN cache_texts t ON t.id = r.type_name_id;

CREATE VIEW CachedExportManifest AS
SELECT r.export_id AS exportID, r.export_kind AS exportKind, r.created_at AS createdAt,
    r.from_observation_id AS fromObservationID, r.to_observation_id AS toObservationID,
    r.filter_summary AS filterSummary, r.record_count AS recordCount, r.manifest_hash AS manifestHash,
    r.file_url_bookmark_data AS fileURLBookmarkData, r.status, g.computed_at AS computedAt,
    r.recorded_at AS recordedAt, r.row_id AS rowID
FROM cached_export_manifests r JOIN cache_groups g ON g.rows_id = r.rows_id;

CREATE VIEW CachedResult AS
SELECT g.sample_type_identifier AS questionHash, lower(hex(g.source_hash)) AS sourceHash, r.output, r.note,
    g.computed_at AS computedAt
FROM cached_results r JOIN cache_groups g ON g.rows_id = r.rows_id;
