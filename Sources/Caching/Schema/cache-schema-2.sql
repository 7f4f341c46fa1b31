-- Schema version 2 of a cache: what pages show of an archive, made again from it at any time. docs/cache.md explains it.
-- Instants are Unix seconds, hashes hexadecimal.

-- archive_uuid, archive_schema_version, cache_schema_version, rules_version, logic_version, program, cache_build_id: what
-- the cache is of. stamp: of the state of the archive that all rows are of. seal, zones: parts of it. computed_at.
CREATE TABLE cache_metadata (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;

CREATE TABLE CachedArchiveHealth (
    archiveSchemaVersion INTEGER NOT NULL,
    cacheSchemaVersion INTEGER NOT NULL,
    lastIntegrityCheckAt INTEGER,
    lastIntegrityStatus TEXT,
    lastErrorKind TEXT,
    lastErrorMessageHash TEXT,
    cacheBuildID TEXT NOT NULL,
    computedAt INTEGER NOT NULL,
    failedInvariants TEXT,
    sampleCount INTEGER NOT NULL,
    versionCount INTEGER NOT NULL,
    copyCount INTEGER NOT NULL,
    sealCount INTEGER NOT NULL,
    headSequence INTEGER,
    byteCount INTEGER NOT NULL
) STRICT;

CREATE TABLE CachedObservationRow (
    observationID INTEGER PRIMARY KEY,
    observedAt INTEGER NOT NULL,
    status TEXT NOT NULL,
    triggerReason TEXT NOT NULL,
    timeZoneIdentifier TEXT,
    trackedTypeCount INTEGER NOT NULL,
    visibleRecordCount INTEGER NOT NULL,
    appearedCount INTEGER NOT NULL,
    disappearedCount INTEGER NOT NULL,
    representationChangedCount INTEGER NOT NULL,
    archiveSchemaVersion INTEGER NOT NULL,
    cacheSchemaVersion INTEGER NOT NULL,
    sourceAggregateHash TEXT NOT NULL,
    computedAt INTEGER NOT NULL,
    deviceChainID INTEGER NOT NULL,
    chainPosition INTEGER NOT NULL,
    quarantinedCount INTEGER NOT NULL,
    isPartial INTEGER NOT NULL,
    sourceName TEXT NOT NULL,
    note TEXT
) STRICT;

CREATE TABLE CachedTypeSummary (
    observationID INTEGER NOT NULL,
    sampleTypeIdentifier TEXT NOT NULL,
    displayName TEXT NOT NULL,
    visibleRecordCount INTEGER NOT NULL,
    appearedCount INTEGER NOT NULL,
    disappearedCount INTEGER NOT NULL,
    representationChangedCount INTEGER NOT NULL,
    earliestStartDate INTEGER,
    latestEndDate INTEGER,
    valueSum REAL,
    valueMax REAL,
    aggregateHash TEXT,
    computedAt INTEGER NOT NULL,
    status TEXT NOT NULL,
    readCount INTEGER NOT NULL,
    unit TEXT,
    sourceCount INTEGER NOT NULL,
    PRIMARY KEY (observationID, sampleTypeIdentifier)
) STRICT, WITHOUT ROWID;

-- Names that many buckets have.
CREATE TABLE cached_texts (id INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE) STRICT;

-- Months at all observations, days at the newest one of each chain. The rows of a bucket hold from the observation at
-- `position` of the chain until the bucket has rows at a later one; a bucket that then has no records has one with no count.
--   size  0: day, 1: month.
--   part  numbers the sources and units of a bucket in the order of `healthprobe aggregates`.
CREATE TABLE cached_buckets (
    device_chain_id INTEGER NOT NULL,
    size INTEGER NOT NULL,
    type_id INTEGER NOT NULL,
    bucket_start INTEGER NOT NULL,
    position INTEGER NOT NULL,
    part INTEGER NOT NULL,
    bucket_end INTEGER NOT NULL,
    label_id INTEGER NOT NULL,
    source_id INTEGER,
    source_hash_id INTEGER,
    unit_id INTEGER,
    record_count INTEGER NOT NULL,
    number_count INTEGER NOT NULL,
    sample_count INTEGER NOT NULL,
    covered_seconds INTEGER NOT NULL,
    value_sum REAL,
    value_min REAL,
    value_max REAL,
    value_mean REAL,
    overlap_not_removed INTEGER NOT NULL,
    PRIMARY KEY (device_chain_id, size, type_id, bucket_start, position, part)
) STRICT, WITHOUT ROWID;

-- The buckets of every observation that has them.
CREATE VIEW cached_bucket_rows AS
SELECT o.observationID, t.text AS sampleTypeIdentifier, b.bucket_start AS bucketStart, b.bucket_end AS bucketEnd,
    (SELECT z.value FROM cache_metadata z WHERE z.key = 'zone ' || b.device_chain_id) AS timeZoneIdentifier,
    b.record_count AS visibleRecordCount, b.value_sum AS valueSum, b.value_max AS valueMax,
    h.text AS sourceRevisionDisplayHash,
    (SELECT s.aggregateHash FROM CachedTypeSummary s
        WHERE s.observationID = o.observationID AND s.sampleTypeIdentifier = t.text) AS aggregateHash,
    o.computedAt, iif(b.size = 0, 'day', 'month') AS bucketKind, l.text AS localLabel, n.text AS sourceName,
    u.text AS unit, b.number_count AS numberCount, b.sample_count AS sampleCount, b.value_min AS valueMin,
    b.value_mean AS valueMean, b.covered_seconds AS coveredSeconds, b.overlap_not_removed AS overlapNotRemoved,
    o.deviceChainID, o.chainPosition
FROM CachedObservationRow o
JOIN cached_buckets b ON b.device_chain_id = o.deviceChainID AND b.record_count > 0
    AND b.position = (SELECT max(x.position) FROM cached_buckets x
        WHERE x.device_chain_id = b.device_chain_id AND x.size = b.size AND x.type_id = b.type_id
            AND x.bucket_start = b.bucket_start AND x.position <= o.chainPosition)
JOIN cached_texts t ON t.id = b.type_id
JOIN cached_texts l ON l.id = b.label_id
LEFT JOIN cached_texts n ON n.id = b.source_id
LEFT JOIN cached_texts u ON u.id = b.unit_id
LEFT JOIN cached_texts h ON h.id = b.source_hash_id;

CREATE VIEW CachedDailyAggregate AS
SELECT * FROM cached_bucket_rows r WHERE r.bucketKind = 'day' AND r.chainPosition =
    (SELECT max(o.chainPosition) FROM CachedObservationRow o WHERE o.deviceChainID = r.deviceChainID);

CREATE VIEW CachedMonthlyAggregate AS SELECT * FROM cached_bucket_rows WHERE bucketKind = 'month';

CREATE TABLE CachedDiffSummary (
    fromObservationID INTEGER NOT NULL,
    toObservationID INTEGER NOT NULL,
    sampleTypeIdentifier TEXT NOT NULL,
    appearedCount INTEGER NOT NULL,
    disappearedCount INTEGER NOT NULL,
    representationChangedCount INTEGER NOT NULL,
    consolidationLikely INTEGER,
    uncertaintyReason TEXT NOT NULL,
    sourceAggregateHash TEXT NOT NULL,
    computedAt INTEGER NOT NULL,
    beforeCount INTEGER NOT NULL,
    afterCount INTEGER NOT NULL,
    PRIMARY KEY (fromObservationID, toObservationID, sampleTypeIdentifier)
) STRICT, WITHOUT ROWID;

CREATE TABLE CachedExportManifest (
    exportID TEXT NOT NULL,
    exportKind TEXT NOT NULL,
    createdAt INTEGER NOT NULL,
    fromObservationID INTEGER,
    toObservationID INTEGER,
    filterSummary TEXT NOT NULL,
    recordCount INTEGER NOT NULL,
    manifestHash TEXT NOT NULL,
    fileURLBookmarkData TEXT,
    status TEXT NOT NULL,
    computedAt INTEGER NOT NULL,
    recordedAt INTEGER NOT NULL,
    rowID INTEGER PRIMARY KEY
) STRICT;
