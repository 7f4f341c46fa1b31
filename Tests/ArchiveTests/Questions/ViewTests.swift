internal import ArchiveTestSupport
internal import Foundation
internal import GRDB
internal import GRDBSQLite
internal import HealthModel
@testable internal import History
internal import Questions
@testable internal import Store
internal import Testing
internal import TestSupport

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

    /// A first export may have a record twice, and both of a record's representations.
    @Test func theArchivesCountsAreThoseOfTheViews() throws {
        let archive = try TestArchive()
        let renamed = TestRecord.steps(0..<1) { $0.source = "My Watch" }
        try archive.add(TestExport(day: 1, TestRecord.steps(0..<3) + TestRecord.steps(0..<2) + renamed))
        try archive.add(TestExport(day: 2, TestRecord.steps(1..<4)))
        let queue = try DatabaseQueue(path: archive.path)
        let info = try queue.read { try ArchiveInfo.read($0) }
        try queue.close()
        #expect(try archive.row("SELECT count(*) FROM samples") == [info.counts.samples])
        #expect(try archive.row("SELECT count(*) FROM sample_versions") == [info.counts.versions])
        #expect(try archive.row("SELECT count(*) FROM record_versions") == [info.counts.recordVersions])
        #expect((info.counts.samples, info.counts.versions, info.counts.recordVersions) == (4, 5, 7))
    }

    @Test func visibleRecordsAreThoseOfEachObservation() throws {
        let archive = try archive()
        try archive.add(TestExport(day: 3, TestRecord.steps(0..<2)))
        try archive.add(TestExport(day: 4, TestRecord.steps(0..<3), isTruncated: true))
        #expect(
            try archive.texts(
                "SELECT observation_id || ' ' || count(*) FROM visible_records GROUP BY observation_id ORDER BY 1")
                == archive.texts(
                    "SELECT import_id || ' ' || sum(visible_count) FROM type_runs GROUP BY import_id ORDER BY 1"))
        #expect(
            try archive.texts(
                """
                SELECT type_identifier || ' ' || start_date || ' ' || value || ' ' || unit || ' ' || source_name || ' '
                    || length(identity) || ' ' || length(version) || ' ' || ordinal
                FROM visible_records WHERE observation_id = 3 AND type_identifier LIKE '%StepCount' ORDER BY 1 LIMIT 1
                """)
                == archive.texts(
                    """
                    SELECT v.type_identifier || ' ' || v.start_date || ' ' || f.value || ' ' || v.unit || ' ' || v.source_name || ' 64 64 0'
                    FROM sample_visibility_ranges r JOIN sample_versions v ON v.id = r.version_id
                    JOIN full_record_versions f ON f.id = v.id
                    WHERE r.first_observation_id = 3 AND v.type_identifier LIKE '%StepCount' ORDER BY 1 LIMIT 1
                    """))
    }

    @Test func whatTheArchiveKnowsIsFilled() throws {
        let archive = try archive()
        #expect(try archive.row("SELECT DISTINCT schema_version FROM observations") == [4])
        #expect(
            try archive.texts("SELECT DISTINCT selected_type_set || ' ' || selected_type_set_hash FROM observations")
                == ["[] \(TypeSelection.all.sha256.hex)"])
        try archive.add(
            TestExport(
                day: 3, TestRecord.steps(0..<2) + ["<Record type=\"HKQuantityTypeIdentifierHeartRate\"/>"]))
        try archive.add(TestExport(day: 4, TestRecord.steps(0..<2) + [SideFileTests.workout()]))
        try archive.add(TestExport(day: 5, TestRecord.steps(0..<2), isTruncated: true))
        #expect(
            try archive.texts(
                """
                SELECT DISTINCT observation_id || ' ' || error_kind FROM observation_type_runs
                WHERE status = 'incomplete' AND observation_id > 2 ORDER BY 1
                """
            ).filter { $0 != "3 folderAbsent" } == ["3 quarantined", "4 folderAbsent", "5 stopped"])
        #expect(
            try archive.row(
                "SELECT count(*) FROM observation_type_runs WHERE (status = 'incomplete') <> (error_kind IS NOT NULL)")
                == [0])
    }

    /// The vector of `docs/archive-format.md`.
    @Test func theHashOfASummaryFollowsFromItsArray() throws {
        let archive = try TestArchive()
        try archive.add(
            TestExport(
                day: 1,
                [
                    TestRecord(minute: 0, value: "4").xml, TestRecord(minute: 5, value: "2.5").xml,
                    TestRecord(minute: 9, value: "10", source: "My Watch").xml,
                ]))
        let array = """
            ["completed",3,3,0,0,1704067200,1704067800,["My Watch","count",1,10,10],["Watch","count",2,6.5,4]]
            """
        let hash = ItemHash.hash("hp:v2:type-summary:", array).hex
        #expect(try archive.texts("SELECT aggregate_hash FROM observation_type_summaries") == [hash])
        let page = try String(
            contentsOfFile: TestSupport.repository
                .appendingPathComponent("docs/archive-format.md").path, encoding: .utf8)
        #expect(page.contains(array) && page.contains(hash), "\(array) \(hash)")
    }

    /// The examples of `docs/archive-format.md` run, and none passes over all record versions.
    @Test func theDocumentedExamplesUseIndexes() throws {
        let archive = try TestArchive()
        try archive.add(TestExport(day: 1, TestRecord.steps(0..<400)))
        try archive.add(TestExport(day: 2, TestRecord.steps(0..<390)))
        try archive.add(TestExport(day: 3, TestRecord.steps(5..<395) { $0.source = $0.minute == 9 ? "x" : $0.source }))
        let page = try String(
            contentsOfFile: TestSupport.repository
                .appendingPathComponent("docs/archive-format.md").path, encoding: .utf8)
        let examples = page.components(separatedBy: "```sql\n").dropFirst().map { $0.components(separatedBy: "```")[0] }
        #expect(examples.count > 4)
        let queue = try DatabaseQueue(path: archive.path)
        defer { try? queue.close() }
        for example in examples {
            let steps = try queue.read { db in
                let statement = try db.makeStatement(sql: example)
                _ = try Row.fetchAll(statement)
                return sqlite3_stmt_status(statement.sqliteStatement, SQLITE_STMTSTATUS_FULLSCAN_STEP, 0)
            }
            #expect(steps < 300, "\(example) passes over \(steps) rows")
        }
    }

    /// The index of condensed records has the condition by which the program asks for them.
    @Test func theCondensersConditionIsThatOfItsIndex() {
        func plain(_ text: String) -> String { text.split(whereSeparator: \.isWhitespace).joined(separator: " ") }
        #expect(plain(Schema.versions.newest.ddl).contains("WHERE " + plain(CondenserIdentifier.condition("")) + ";"))
    }
}
