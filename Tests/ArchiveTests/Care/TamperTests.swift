internal import ArchiveTestSupport
@testable internal import Care
internal import Foundation
internal import HealthModel
internal import Importing
internal import Testing

/// Every edit of a healthy archive that no import makes must be found by the invariant that guards it.
@Suite struct TamperTests {
    /// An archive with all that invariants speak of, made once.
    private static let model = Result { try makeModel() }

    private static func makeModel() throws -> TestArchive {
        let archive = try TestArchive()
        let one = TestRecord(minute: 50, value: "7").xml
        func weight(_ value: String, _ unit: String) -> String {
            TestRecord(type: "HKQuantityTypeIdentifierBodyMass", minute: 60, value: value, unit: unit).xml
        }
        let entered = TestRecord.steps(30..<40) { $0.metadata = [("HKWasUserEntered", "1")] }
        let files = SideFileTests.track().merging(SideFileTests.electrocardiogram()) { a, _ in a }
        let first = TestRecord.steps(0..<20) + entered + [one, one, SideFileTests.workout()]
        try archive.add(TestExport(day: 1, first + [weight("70", "kg")], files: files))
        let renamed = TestRecord.steps(0..<20) { $0.source = "My Watch" } + entered + [SideFileTests.workout(70)]
        try archive.add(TestExport(day: 2, renamed + [weight("154.324", "lb")], files: files))
        try archive.add(TestExport(day: 3, first + [weight("154.324", "lb")], files: files))
        try archive.add(TestExport(day: 4, TestRecord.steps(18..<22), files: files, isTruncated: true))
        try archive.add(TestExport(day: 2, TestRecord.steps(0..<4))) { $0.chain = "other" }
        _ = try? archive.add(TestExport(day: 6, first), isCancelled: true)
        return archive
    }

    static let edits: [(String, String)] = [
        ("PRAGMA ignore_check_constraints = ON; UPDATE relationships SET kind = 'x'", "A01-sqliteIntegrity"),
        ("PRAGMA ignore_check_constraints = ON; UPDATE import_sources SET kept_name = 'x'", "A01-sqliteIntegrity"),
        ("UPDATE schema_migrations SET version = 5 WHERE version = 4", "A03-schemaVersion"),
        ("DELETE FROM archive_metadata WHERE key = 'key_id'", "A03-schemaVersion"),
        ("DROP INDEX record_versions_by_sample", "A04-schemaObjects"),
        ("DROP VIEW metadata_blobs", "A04-schemaObjects"),
        ("CREATE TRIGGER t AFTER INSERT ON imports BEGIN DELETE FROM record_versions; END", "A04-schemaObjects"),
        ("CREATE TABLE evil (a)", "A04-schemaObjects"),
        ("CREATE VIEW evil AS SELECT 1", "A04-schemaObjects"),
        ("CREATE UNIQUE INDEX evil ON imports (note)", "A04-schemaObjects"),
        ("CREATE VIRTUAL TABLE evil USING fts5(a)", "A04-schemaObjects"),
        ("INSERT INTO repairs VALUES (99, 'k', 1, 1)", "A02-foreignKeys"),
        ("UPDATE record_versions SET descriptor_id = 9999 WHERE id = 3", "B01-references"),
        ("UPDATE record_versions SET metadata = 9999 WHERE id = 25", "B01-references"),
        (
            "UPDATE row_spans SET last_record_version_id = last_record_version_id - 1 WHERE import_id = 1",
            "B01-references"
        ),
        ("UPDATE relationships SET target_id = 9999", "B01-references"),
        ("UPDATE record_versions SET version = NULL WHERE id = 3", "B02-rowForm"),
        ("UPDATE record_versions SET identity = substr(identity, 1, 31) WHERE id = 3", "B02-rowForm"),
        ("UPDATE record_versions SET match_rule = 7 WHERE match_rule = 0", "B02-rowForm"),
        ("UPDATE type_runs SET evidence = CAST(CAST(evidence AS BLOB) || x'00' AS TEXT)", "B02-rowForm"),
        ("UPDATE record_versions SET volatile_fields = CAST(x'7BF09F98' AS TEXT) WHERE id = 3", "B02-rowForm"),
        (
            "UPDATE record_versions SET sample_id = (SELECT max(id) FROM record_versions WHERE sample_id IS NOT NULL) WHERE id = "
                + "(SELECT min(id) FROM record_versions WHERE sample_id IS NOT NULL)", "B03-inheritance"
        ),
        (
            "UPDATE record_versions SET descriptor_id = (SELECT max(id) FROM descriptors WHERE source_id <> 1) WHERE ordinal = 1",
            "B03-inheritance"
        ),
        (
            "INSERT INTO record_versions (id, device_chain_id, sample_type_id, start_seconds, duration, value, descriptor_id, "
                + "creation_delay, identity, version) SELECT (SELECT max(id) + 1 FROM record_versions), device_chain_id, sample_type_id, start_seconds, duration, "
                + "value, descriptor_id, creation_delay, identity, version FROM record_versions WHERE id = 1",
            "B04-uniqueSamples"
        ),
        ("UPDATE record_versions SET ordinal = 5 WHERE ordinal = 1", "B05-uniqueCopies"),
        ("UPDATE identity_runs SET entries = substr(entries, 1, length(entries) - 8)", "B06-identityIndex"),
        (
            "UPDATE identity_runs SET entries = CAST(substr(entries, 9) || substr(entries, 1, 8) AS BLOB)",
            "B06-identityIndex"
        ),
        ("INSERT INTO past_ranges VALUES (1, NULL, 3, 0, NULL, NULL)", "C01-ranges"),
        ("UPDATE record_versions SET closed_observation_id = 1 WHERE id = 30", "C01-ranges"),
        ("UPDATE record_versions SET opened_observation_id = 5 WHERE opened_observation_id = 4", "C01-ranges"),
        ("UPDATE record_versions SET opened_observation_id = 1 WHERE id = 30", "C01-ranges"),
        (
            "UPDATE record_versions SET closed_observation_id = 4 WHERE id = (SELECT payload_id FROM record_versions WHERE ordinal = 1)",
            "C02-visibleOrdinals"
        ),
        ("UPDATE record_versions SET superseded = 0 WHERE superseded = 1", "C03-successors"),
        ("UPDATE record_versions SET match_rule = NULL, previous_id = NULL WHERE match_rule = 1", "C03-successors"),
        ("UPDATE past_ranges SET superseded = 1 - superseded", "C03-successors"),
        ("UPDATE record_versions SET match_rule = 4 WHERE match_rule = 0", "C06-pairing"),
        ("UPDATE type_runs SET changed_fields = '{}' WHERE import_id = 2", "C06-pairing"),
        ("UPDATE type_runs SET appeared_count = appeared_count + 1 WHERE import_id = 3", "C06-pairing"),
        ("UPDATE record_versions SET closed_observation_id = 3 WHERE id = 25", "C06-pairing"),
        ("UPDATE type_runs SET visible_count = visible_count + 1 WHERE import_id = 2", "D01-typeSummaries"),
        ("UPDATE type_runs SET earliest_start = earliest_start + 1 WHERE import_id = 2", "D01-typeSummaries"),
        ("UPDATE type_sums SET value_sum = value_sum + 1e-9 WHERE import_id = 4", "D02-typeSums"),
        ("UPDATE type_sums SET value_max = value_max - 1 WHERE import_id = 1", "D02-typeSums"),
        ("UPDATE type_runs SET read_count = read_count + 1 WHERE import_id = 4", "D03-readCounts"),
        ("UPDATE type_runs SET status = 'absent' WHERE import_id = 1", "D03-readCounts"),
        ("DELETE FROM shown_sets WHERE import_id = 3", "C04-rangesFromEvents"),
        (
            "UPDATE shown_sets SET shown = (SELECT shown FROM shown_sets WHERE import_id = 2) WHERE visible IS NOT NULL",
            "D05-streamDigests"
        ),
        ("UPDATE imports SET state_digest = zeroblob(40) WHERE id = 2", "D04-stateDigests"),
        ("DELETE FROM record_versions WHERE id = 24", "D04-stateDigests"),
        ("UPDATE imports SET stream_digest = zeroblob(40) WHERE id = 1", "D05-streamDigests"),
        ("UPDATE chain_zones SET time_zone = 'Europe/Berlin'", "K01-chainZones"),
        ("DELETE FROM chain_zones", "K01-chainZones"),
        ("UPDATE imports SET time_zone = 'Asia/Tokyo' WHERE id = 2", "K01-chainZones"),
        ("INSERT INTO time_zone_counts VALUES (1, 'Asia/Tokyo', 1)", "K01-chainZones"),
        ("UPDATE aggregate_days SET bucket_end = bucket_end + 1", "K02-aggregateDays"),
        ("DELETE FROM aggregate_days WHERE day = (SELECT max(day) FROM aggregate_days)", "K02-aggregateDays"),
        ("INSERT INTO aggregate_days VALUES (1, 9, 777600, 864000)", "K02-aggregateDays"),
        ("UPDATE chain_zones SET offsets = '[[0,3600]]'", "K02-aggregateDays"),
        ("UPDATE daily_aggregates SET value_sum = value_sum + 1e-9 WHERE number_count > 0", "K03-dailyAggregates"),
        ("UPDATE daily_aggregates SET value_min = value_min - 1 WHERE import_id = 2", "K03-dailyAggregates"),
        (
            "UPDATE daily_aggregates SET covered_seconds = covered_seconds + 1 WHERE import_id = 3",
            "K03-dailyAggregates"
        ),
        ("DELETE FROM daily_aggregates WHERE import_id = 2", "K03-dailyAggregates"),
        (
            "INSERT INTO daily_aggregates SELECT sample_type_id, day, series_id, 3, record_count, number_count, covered_seconds, "
                + "value_sum, value_sum_rest, value_min, value_max, extra_samples, extra_sum, extra_sum_rest FROM daily_aggregates WHERE import_id = 1 ON CONFLICT DO NOTHING",
            "K03-dailyAggregates"
        ),
        (
            "UPDATE side_file_parts SET deflated = CAST(substr(deflated, 1, 20) || x'00' || substr(deflated, 22) AS BLOB)",
            "E01-sideFiles"
        ),
        ("UPDATE side_files SET byte_count = byte_count + 1", "E01-sideFiles"),
        ("DELETE FROM side_file_parts", "E01-sideFiles"),
        (
            "INSERT OR REPLACE INTO import_sources (import_id, keep_source, kept_name) VALUES (1, 'copy', 'other.zip')",
            "E02-sourceMembers"
        ),
        ("UPDATE imports SET xml_sha256 = NULL WHERE id = 3", "F01-unfinishedImports"),
        (
            "INSERT INTO imports (device_chain_id, status, observed_at, observed_at_origin, started_at, program, source_name, "
                + "source_form, source_member, source_byte_count) VALUES (1, 'failed', 0, 'argument', 0, '', '', 'xml', '', 0); "
                + "INSERT INTO repairs VALUES (6, 'k', 1, 1)", "F01-unfinishedImports"
        ),
        (
            "INSERT INTO analysis_runs VALUES (1, 1, 2, 0, 1, zeroblob(32), 0); "
                + "INSERT INTO analysis_groups VALUES (1, 1, 1, 'intervalAndSum', 'complete', NULL, NULL, '{}')",
            "H01-analyses"
        ),
        ("UPDATE record_versions SET value = value + 1 WHERE id = 25", "G01-identities"),
        ("UPDATE record_versions SET lexical_form = '3' WHERE id = 25", "G01-identities"),
        (
            "UPDATE record_versions SET start_seconds = start_seconds + 60 WHERE strict_key IS NOT NULL",
            "G01-identities"
        ),
        ("UPDATE record_versions SET metadata = '{\"a\":\"b\"}' WHERE id = 25", "G02-versions"),
        ("UPDATE record_versions SET creation_delay = creation_delay + 1 WHERE id = 25", "G02-versions"),
        (
            "UPDATE record_versions SET extras = replace(extras, 'samples', 'sample') WHERE extras IS NOT NULL",
            "G02-versions"
        ),
        ("UPDATE sources SET name = name || '!'", "G02-versions"),
        (
            "DROP TRIGGER seals_update; UPDATE seals SET statement = replace(statement, 'completed', 'partial')",
            "S01-sealChain"
        ),
        ("DROP TRIGGER seals_delete; DELETE FROM seals WHERE sequence = 2", "S01-sealChain"),
        ("DROP TRIGGER seals_delete; DELETE FROM seals WHERE sequence = 5", "S01-sealChain"),
        ("UPDATE imports SET note = 'x' WHERE id = 2", "S02-sealedFacts"),
        ("UPDATE imports SET source_sha256 = zeroblob(32) WHERE id = 1", "S02-sealedFacts"),
        ("UPDATE import_side_files SET path = path || 'x'", "S02-sealedFacts"),
        ("DELETE FROM relationships", "S02-sealedFacts"),
        ("UPDATE record_versions SET lexical_form = value || '.0' WHERE typeof(value) = 'integer'", "S02-sealedFacts"),
        ("UPDATE record_versions SET value = value + 1, identity = zeroblob(32) WHERE id = 25", "S03-changeLists"),
        ("DELETE FROM record_versions WHERE id = 24", "S03-changeLists"),
        (
            "UPDATE record_versions SET (value, identity, version) = (SELECT value, identity, version FROM record_versions WHERE id = 26) WHERE id = 25",
            "S03-changeLists"
        ),
        ("DROP TRIGGER run_log_update; UPDATE run_log SET outcome = 'healthy' WHERE id = 2", "S04-runningDigests"),
        ("DROP TRIGGER run_log_delete; DELETE FROM run_log WHERE id > 3", "S04-runningDigests"),
        ("UPDATE archive_metadata SET value = '7' WHERE key = 'key_epoch'", "S04-runningDigests"),
        ("UPDATE imports SET failure = 'other' WHERE status = 'cancelled'", "S06-loggedRows"),
        (
            """
            INSERT INTO imports (device_chain_id, status, observed_at, observed_at_origin, started_at, program,
                source_name, source_form, source_member, source_byte_count)
            SELECT device_chain_id, 'failed', 0, 'argument', 0, program, 'x', 'xml', 'x', 1 FROM imports WHERE id = 1
            """, "S06-loggedRows"
        ),
        ("INSERT INTO device_chains (name, created_at) VALUES ('another', 0)", "S06-loggedRows"),
        ("UPDATE metadata_sets SET metadata = metadata || ' '", "S02-sealedFacts"),
        ("UPDATE relationships SET import_id = 2", "S02-sealedFacts"),
        ("UPDATE row_spans SET last_record_version_id = last_record_version_id + 1", "S02-sealedFacts"),
        ("UPDATE chain_zones SET offsets = offsets || ' '", "S02-sealedFacts"),
        ("DROP TRIGGER seals_update; UPDATE seals SET import_id = 1", "S01-sealChain"),
        ("UPDATE identity_runs SET run = run + 1", "B06-identityIndex"),
        ("UPDATE identity_runs SET import_id = 3 WHERE import_id = 1", "B06-identityIndex"),
        ("UPDATE archive_metadata SET value = 'x' WHERE key = 'key_epoch'", "A03-schemaVersion"),
        ("UPDATE import_sources SET keep_source = 'none'", "E02-sourceMembers"),
        ("UPDATE daily_aggregates SET value_max = 1 WHERE number_count = 0", "K03-dailyAggregates"),
        ("UPDATE devices SET fields = replace(fields, 'Apple', 'Other')", "G03-devices"),
    ]

    @Test(arguments: edits)
    func isFound(edit: String, invariant: String) throws {
        let archive = try TestArchive(copyOf: try Self.model.get().path)
        try archive.tamper(edit)
        let failures = try archive.failures()
        #expect(failures.contains(invariant), "found: \(failures)")
    }

    @Test func tablesOfSQLiteAreNoneOfAnotherProgram() throws {
        let archive = try TestArchive(copyOf: try Self.model.get().path)
        try archive.tamper("ANALYZE")
        #expect(try archive.row("SELECT count(*) FROM sqlite_master WHERE name = 'sqlite_stat1'") == [1])
        try archive.expectHealthy()
    }

    /// The invariants of a deep check.
    private static let guarded = Set(edits.map(\.1)).union(["C05-eventsFromRanges", ArchiveCheck.rememberedHead])

    @Test func everyInvariantHasAnEdit() throws {
        let archive = try TestArchive(copyOf: try Self.model.get().path)
        #expect(Set(try archive.check().invariants.map(\.id)) == Self.guarded)
    }

    /// Damaged pages end in failed invariants, never in a crash or without an end.
    @Test(arguments: 1...24)
    func damagedPages(seed: Int) throws {
        let archive = try TestArchive(copyOf: try Self.model.get().path)
        var bytes = try Data(contentsOf: URL(fileURLWithPath: archive.path))
        var state = UInt64(seed) &* 0x9E37_79B9_7F4A_7C15
        func next(_ below: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % below
        }
        // Any page but the first, which holds the header; whole pages, pointers and single bytes.
        let page = 4096 * (1 + next(bytes.count / 4096 - 1))
        switch seed % 4 {
        case 0: bytes.replaceSubrange(page..<(page + 4096), with: Data(count: 4096))
        case 1:
            let other = 4096 * (1 + next(bytes.count / 4096 - 1))
            bytes.replaceSubrange(page..<(page + 4096), with: bytes[other..<(other + 4096)])
        case 2: for _ in 0..<40 { bytes[page + next(4096)] = UInt8(next(256)) }
        default: bytes = bytes.prefix(page)
        }
        try bytes.write(to: URL(fileURLWithPath: archive.path))
        do {
            let result = try archive.check()
            #expect(result.invariants.count == Self.guarded.count)
        } catch let error as HealthProbeError {
            #expect(error.code == .archiveDamaged)
        }
    }
}
