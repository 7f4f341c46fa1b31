extension Tables {
    /// Aggregates by local day, the zones that make the days, and what they are known by.
    static let aggregates = """
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

        -- A row where an aggregate differs from that of the observation before; record_count 0: there is none any more.
        --   value_sum, value_sum_rest  the exact sum: rounded to a double, and what that leaves as further doubles.
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
            PRIMARY KEY (sample_type_id, day, series_id, import_id)
        ) STRICT, WITHOUT ROWID;

        CREATE VIEW daily_type_aggregates AS
        SELECT a.import_id AS observation_id, a.sample_type_id, CAST(d.bucket_start AS REAL) AS bucket_start,
            CAST(d.bucket_end AS REAL) AS bucket_end, a.record_count AS visible_record_count, a.value_sum, a.value_max,
            s.source_revision_id, NULL AS aggregate_hash, u.unit, a.number_count,
            a.value_sum / nullif(a.number_count, 0) AS value_mean, a.value_min, a.covered_seconds,
            date(a.day * 86400, 'unixepoch') AS local_day, s.device_chain_id
        FROM daily_aggregates a JOIN aggregate_series s ON s.id = a.series_id
        JOIN aggregate_days d ON d.device_chain_id = s.device_chain_id AND d.day = a.day
        LEFT JOIN units u ON u.id = s.unit_id;

        -- A row where a day of the month has one; the month's days as of that observation.
        CREATE VIEW monthly_type_aggregates AS
        SELECT m.import_id AS observation_id, m.sample_type_id, m.local_month,
            sum(a.record_count) AS visible_record_count, sum(a.value_sum) AS value_sum, max(a.value_max) AS value_max,
            s.source_revision_id, u.unit, sum(a.number_count) AS number_count,
            sum(a.value_sum) / nullif(sum(a.number_count), 0) AS value_mean, min(a.value_min) AS value_min,
            sum(a.covered_seconds) AS covered_seconds, s.device_chain_id
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
        """
}
