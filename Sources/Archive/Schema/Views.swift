/// The names of the database design as views, for `sqlite3` and other tools.
enum Views {
    static let sql = """
        CREATE VIEW observations AS
        SELECT i.id, i.device_chain_id, c.name AS chain,
            CASE WHEN i.status IN ('partial', 'completed') THEN row_number() OVER (
                PARTITION BY i.device_chain_id, i.status IN ('partial', 'completed')
                ORDER BY i.observed_at, i.status = 'completed', i.xml_sha256, i.id) END AS chain_position,
            CAST(i.observed_at AS REAL) AS observed_at, i.started_at, i.ended_at, i.status,
            'import' AS trigger_reason, i.program AS app_version, NULL AS os_version,
            i.time_zone AS time_zone_identifier, i.offset_seconds AS time_zone_seconds_from_gmt,
            (SELECT CAST(value AS INTEGER) FROM archive_metadata WHERE key = 'schema_version') AS schema_version,
            lower(hex(i.type_selection_sha256)) AS selected_type_set_hash, i.type_selection AS selected_type_set,
            i.note AS notes,
            i.locale, i.export_version, i.source_name, i.source_member, i.source_byte_count, i.source_sha256,
            i.xml_byte_count, i.xml_sha256, i.stopped_line, i.stopped_byte, i.stopped_reason
        FROM imports i JOIN device_chains c ON c.id = i.device_chain_id;

        CREATE VIEW observation_type_runs AS
        SELECT r.import_id AS observation_id, r.sample_type_id, t.type_identifier, r.status,
            i.started_at, i.ended_at, r.appeared_count AS inserted_event_count,
            r.disappeared_count AS deleted_event_count, r.visible_count AS verified_visible_count,
            r.read_count, NULL AS error_kind, NULL AS error_message_hash
        FROM type_runs r JOIN imports i ON i.id = r.import_id JOIN sample_types t ON t.id = r.sample_type_id;

        CREATE VIEW observation_type_summaries AS
        SELECT r.import_id AS observation_id, r.sample_type_id, r.visible_count AS visible_record_count,
            r.appeared_count, r.disappeared_count, r.representation_changed_count,
            CAST(r.earliest_start AS REAL) AS earliest_start_date, CAST(r.latest_end AS REAL) AS latest_end_date,
            (SELECT total(s.value_sum) FROM type_sums s
                WHERE s.import_id = r.import_id AND s.sample_type_id = r.sample_type_id) AS value_sum,
            (SELECT max(s.value_max) FROM type_sums s
                WHERE s.import_id = r.import_id AND s.sample_type_id = r.sample_type_id) AS value_max,
            NULL AS aggregate_hash, r.evidence, r.changed_fields
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

        -- Every copy with its key and payload columns filled in from the rows that have them.
        CREATE VIEW full_record_versions AS
        SELECT c.id, c.device_chain_id,
            iif(c.sample_id IS NULL, c.sample_type_id, k.sample_type_id) AS sample_type_id,
            iif(c.sample_id IS NULL, c.kind, k.kind) AS kind,
            iif(c.sample_id IS NULL, c.start_seconds, k.start_seconds) AS start_seconds,
            ifnull(c.sample_id, c.id) AS sample_id, c.payload_id,
            iif(c.sample_id IS NULL, c.start_seconds + c.duration, k.start_seconds + k.duration) AS end_seconds,
            iif(c.sample_id IS NULL, c.value, k.value) AS value,
            iif(c.sample_id IS NULL, c.lexical_form, k.lexical_form) AS lexical_form,
            iif(c.sample_id IS NULL, c.identity, k.identity) AS identity,
            iif(c.sample_id IS NULL, c.strict_key, k.strict_key) AS strict_key,
            c.descriptor_id,
            iif(c.payload_id IS NULL, c.creation_delay, p.creation_delay)
                + ifnull(iif(c.sample_id IS NULL, c.start_seconds, k.start_seconds), 0) AS creation_seconds,
            iif(c.payload_id IS NULL, c.metadata, p.metadata) AS metadata,
            iif(c.payload_id IS NULL, c.version, p.version) AS version,
            iif(c.payload_id IS NULL, c.extras, p.extras) AS extras,
            iif(c.payload_id IS NULL, c.volatile_fields, p.volatile_fields) AS volatile_fields,
            iif(c.payload_id IS NULL, c.version_without_track, p.version_without_track) AS version_without_track,
            c.ordinal, c.opened_observation_id, c.closed_observation_id, c.superseded,
            CASE WHEN c.match_rule IS NOT NULL THEN coalesce(c.previous_id, c.sample_id, c.payload_id) END AS previous_id,
            c.match_rule
        FROM record_versions c LEFT JOIN record_versions k ON k.id = c.sample_id LEFT JOIN record_versions p ON p.id = c.payload_id;

        -- All ranges of all copies of finished observations; first_observation_id is spelled out. A copy that no
        -- observation shows any more has an empty range in its row, and none here.
        CREATE VIEW record_version_ranges AS
        SELECT r.record_version_id, c.device_chain_id,
            ifnull(r.opened, (SELECT o.id FROM observations o
                WHERE o.device_chain_id = c.device_chain_id AND o.chain_position = 1)) AS first_observation_id,
            CASE WHEN r.closed > 0 THEN r.closed END AS last_observation_id,
            r.superseded, r.previous_id, r.match_rule
        FROM (
            SELECT id AS record_version_id, opened_observation_id AS opened, closed_observation_id AS closed, superseded,
                CASE WHEN match_rule IS NOT NULL THEN coalesce(previous_id, sample_id, payload_id) END AS previous_id,
                match_rule FROM record_versions
            UNION ALL
            SELECT record_version_id, opened_observation_id, closed_observation_id, superseded, previous_id, match_rule
            FROM past_ranges) r
        JOIN record_versions c ON c.id = r.record_version_id
        WHERE r.opened IS NULL AND EXISTS (SELECT 1 FROM imports i
                WHERE i.device_chain_id = c.device_chain_id AND i.status IN ('partial', 'completed'))
            OR r.opened <> r.closed AND r.opened IN (SELECT id FROM imports WHERE status IN ('partial', 'completed'));

        CREATE VIEW samples AS
        SELECT c.id, c.sample_type_id, NULL AS sample_uuid_hash, lower(hex(c.identity)) AS strict_fingerprint,
            NULL AS semantic_fingerprint, NULL AS fuzzy_key, r.first_observation_id AS first_seen_observation_id,
            CAST(i.observed_at AS REAL) AS first_seen_at
        FROM record_versions c
        JOIN (SELECT sample_id, first_observation_id FROM (
            SELECT ifnull(v.sample_id, v.id) AS sample_id, r.first_observation_id, row_number() OVER (
                PARTITION BY ifnull(v.sample_id, v.id) ORDER BY o.chain_position) AS place
            FROM record_version_ranges r JOIN record_versions v ON v.id = r.record_version_id JOIN observations o ON o.id = r.first_observation_id)
            WHERE place = 1) r ON r.sample_id = c.id
        JOIN imports i ON i.id = r.first_observation_id
        WHERE c.sample_id IS NULL;

        CREATE VIEW sample_versions AS
        SELECT f.id, f.sample_id, lower(hex(f.version)) AS payload_hash, CAST(f.start_seconds AS REAL) AS start_date,
            CAST(f.end_seconds AS REAL) AS end_date,
            CASE typeof(f.value) WHEN 'null' THEN 'none' WHEN 'text' THEN 'text' ELSE 'number' END AS value_kind,
            CASE WHEN typeof(f.value) IN ('integer', 'real') THEN CAST(f.value AS REAL) END AS numeric_value,
            u.unit, CASE WHEN typeof(f.value) = 'text' THEN f.value END AS category_value,
            CAST(f.end_seconds - f.start_seconds AS REAL) AS duration_seconds,
            f.descriptor_id AS source_revision_id, nullif(d.device_id, 0) AS hk_device_id,
            CASE typeof(f.metadata) WHEN 'integer' THEN f.metadata END AS metadata_id,
            CASE typeof(f.metadata) WHEN 'integer'
                THEN (SELECT m.metadata FROM metadata_sets m WHERE m.id = f.metadata)
                ELSE f.metadata END AS metadata_json,
            s.name AS source_name, d.source_version, f.ordinal
        FROM full_record_versions f JOIN descriptors d ON d.id = f.descriptor_id
        LEFT JOIN units u ON u.id = d.unit_id LEFT JOIN sources s ON s.id = d.source_id
        WHERE f.ordinal = 0 AND f.opened_observation_id IS NOT f.closed_observation_id AND f.device_chain_id IN (
            SELECT device_chain_id FROM imports WHERE status IN ('partial', 'completed'));

        CREATE VIEW sample_visibility_ranges AS
        SELECT ifnull(c.sample_id, c.id) AS sample_id, c.id AS version_id, c.ordinal,
            r.first_observation_id, r.last_observation_id,
            (SELECT CAST(observed_at AS REAL) FROM imports WHERE id = r.first_observation_id) AS first_seen_at,
            (SELECT CAST(observed_at AS REAL) FROM imports WHERE id = r.last_observation_id) AS last_seen_at
        FROM record_version_ranges r JOIN record_versions c ON c.id = r.record_version_id;

        CREATE VIEW sample_observation_events AS
        SELECT r.first_observation_id AS observation_id, ifnull(c.sample_id, c.id) AS sample_id, c.id AS version_id,
            iif(r.match_rule IS NULL, 'appeared', 'representationChanged') AS event_kind,
            (SELECT CAST(observed_at AS REAL) FROM imports WHERE id = r.first_observation_id) AS observed_at,
            CASE r.match_rule WHEN 0 THEN 'strictKey' WHEN 1 THEN 'unitConversion' WHEN 2 THEN 'syncIdentifier'
                WHEN 3 THEN 'externalUUID' WHEN 4 THEN 'activityUUID' WHEN 5 THEN 'valueSynonym' END
                AS evidence_kind,
            r.previous_id AS previous_version_id
        FROM record_version_ranges r JOIN record_versions c ON c.id = r.record_version_id
        UNION ALL
        SELECT r.last_observation_id, ifnull(c.sample_id, c.id), c.id, 'disappeared',
            (SELECT CAST(observed_at AS REAL) FROM imports WHERE id = r.last_observation_id), NULL, NULL
        FROM record_version_ranges r JOIN record_versions c ON c.id = r.record_version_id
        WHERE r.last_observation_id IS NOT NULL AND r.superseded = 0;

        CREATE VIEW sample_relationships AS
        SELECT import_id AS observation_id, source_id AS source_sample_id, target_id AS target_sample_id,
            kind AS relationship_kind, NULL AS metadata_id
        FROM relationships WHERE kind <> 'file';

        CREATE VIEW metadata_blobs AS SELECT id, metadata AS metadata_json FROM metadata_sets;
        """
}
