internal import Archive
internal import GRDB
internal import Testing

/// The views of the database design, as `sqlite3` shows them.
@Suite struct ViewTests {
    private func archive() throws -> TestArchive {
        let archive = try TestArchive()
        try archive.add(
            TestExport(day: 1, TestRecord.steps(0..<3) + [SideFileTests.workout()], files: SideFileTests.track()))
        try archive.add(
            TestExport(day: 2, TestRecord.steps(1..<3) { $0.source = "My Watch" } + TestRecord.steps(8..<9)))
        return archive
    }

    @Test(arguments: [
        "id, device_chain_id, chain_position, observed_at, status, trigger_reason, time_zone_identifier FROM observations",
        "observation_id, sample_type_id, status, verified_visible_count FROM observation_type_runs",
        "observation_id, sample_type_id, visible_record_count, appeared_count, disappeared_count, value_sum, value_max "
            + "FROM observation_type_summaries",
        "id, sample_type_id, strict_fingerprint, semantic_fingerprint, first_seen_observation_id FROM samples",
        "id, sample_id, payload_hash, start_date, end_date, value_kind, numeric_value, unit, category_value, "
            + "source_revision_id, metadata_id, duration_seconds FROM sample_versions",
        "observation_id, sample_id, version_id, event_kind, observed_at FROM sample_observation_events",
        "sample_id, version_id, first_observation_id, last_observation_id FROM sample_visibility_ranges",
        "id, source_id, version FROM source_revisions", "id, name, model, hardware_version FROM hk_devices",
    ])
    func isReadable(columns: String) throws {
        let archive = try archive()
        let queue = try DatabaseQueue(path: archive.path)
        let rows = try queue.read { try Row.fetchAll($0, sql: "SELECT \(columns)") }
        #expect(!rows.isEmpty)
        try queue.close()
    }

    @Test func sayWhatHappened() throws {
        let archive = try archive()
        #expect(
            try archive.texts(
                """
                SELECT event_kind || ' ' || count(*) FROM sample_observation_events WHERE observation_id = 2
                GROUP BY event_kind ORDER BY 1
                """) == ["appeared 1", "disappeared 3", "representationChanged 2"])
        #expect(
            try archive.row("SELECT count(*) FROM sample_visibility_ranges WHERE last_observation_id IS NULL") == [3])
        #expect(try archive.row("SELECT count(*), count(DISTINCT strict_fingerprint) FROM samples") == [6, 6])
        #expect(
            try archive.texts("SELECT relationship_kind FROM sample_relationships") == ["workoutRoute"])
        #expect(try archive.row("SELECT max(length(payload_hash)) FROM sample_versions") == [64])
    }
}
