internal import ArchiveTestSupport
@testable internal import Days
internal import Foundation
internal import GRDB
internal import HealthModel
internal import Importing
internal import Store
internal import Testing
internal import TestSupport

/// Aggregates by local day against a model that adds up whole states, and the ways in which they are kept right.
@Suite struct AggregateTests {
    /// The aggregates as the archive has them at an observation, read from the documented view.
    static func stored(_ archive: TestArchive, at observation: Int64) throws -> [AggregateModel.Key: AggregateModel
        .Value]
    {
        try archive.read { db in
            let rows = try Row.fetchAll(
                db,
                sql: """
                    SELECT t.type_identifier, n.name, v.version, a.unit, a.local_day, a.visible_record_count,
                        a.number_count, a.value_sum, a.value_min, a.value_max, a.covered_seconds, a.value_mean,
                        a.sample_count
                    FROM daily_type_aggregates a JOIN sample_types t ON t.id = a.sample_type_id
                    JOIN observations o ON o.id = a.observation_id
                    JOIN source_revisions v ON v.id = a.source_revision_id JOIN sources n ON n.id = v.source_id
                    WHERE o.chain_position <= (SELECT chain_position FROM observations WHERE id = ?)
                    ORDER BY o.chain_position
                    """,
                arguments: [observation])
            var values: [AggregateModel.Key: AggregateModel.Value] = [:]
            for row in rows {
                let key = AggregateModel.Key(
                    type: row["type_identifier"], source: row["name"], version: row["version"], unit: row["unit"],
                    day: row["local_day"])
                let numbers: Int = row["number_count"]
                let sum: Double? = row["value_sum"]
                let mean: Double? = row["value_mean"]
                #expect((sum == nil) == (numbers == 0) && (mean == nil) == (numbers == 0))
                let value = AggregateModel.Value(
                    count: row["visible_record_count"], numbers: numbers, sum: sum ?? 0, minimum: row["value_min"],
                    maximum: row["value_max"], seconds: row["covered_seconds"], samples: row["sample_count"], mean: mean
                )
                #expect(values[key] != value, "a row that says what the one before said")
                values[key] = value.count == 0 ? nil : value
            }
            return values
        }
    }

    struct Setting: Sendable {
        var argument: String?
        var metadata: String?
        var offset = 0
        /// The zone that must follow.
        var wanted: String
        var origin: String
    }

    static let settings = [
        Setting(argument: "Europe/Berlin", metadata: "Asia/Tokyo", wanted: "Europe/Berlin", origin: "argument"),
        Setting(metadata: "America/New_York", offset: 3600, wanted: "America/New_York", origin: "metadata"),
        Setting(metadata: "Not/AZone", offset: 20_700, wanted: "+05:45", origin: "offset"),
        Setting(metadata: "America/St_Johns", offset: -12_600, wanted: "America/St_Johns", origin: "metadata"),
    ]

    @Test(arguments: 0..<24)
    func randomHistory(seed: Int) throws {
        let setting = Self.settings[seed % Self.settings.count]
        var random = SeededGenerator(seed: UInt64(seed) &+ 77)
        let pool = random.pool(zone: setting.metadata)
        let archive = try TestArchive()
        let zone =
            setting.origin == "offset" ? TimeZone(secondsFromGMT: setting.offset) : TimeZone(identifier: setting.wanted)
        var states: [Int64: [AggregateRecord]] = [:]
        for day in 1...4 {
            // At least one record that names the zone, so that it follows from the first export on.
            var state = pool.filter { _ in Int.random(in: 0..<10, using: &random) < 7 }
            if let named = pool.first(where: { $0.zone != nil }) { state = state.filter { $0 != named } + [named] }
            if day == 3 { state = state.map { $0.source == "Watch" ? Self.renamed($0) : $0 } }
            var export = TestExport(day: day, state.map { $0.xml(offset: setting.offset) })
            export.items.append("<ActivitySummary dateComponents=\"2024-01-01\" activeEnergyBurned=\"1\"/>")
            let sign = setting.offset < 0 ? "-" : "+"
            let minutes = abs(setting.offset) / 60
            export.date = "2026-02-0\(day) 10:00:00 \(sign)" + String(format: "%02d%02d", minutes / 60, minutes % 60)
            let outcome = try archive.add(export) {
                $0.allowUnrelated = true
                if day == 1 { $0.timeZone = setting.argument }
            }
            states[outcome.observationID] = state
        }
        #expect(
            try archive.texts("SELECT time_zone || ' ' || origin FROM chain_zones") == [
                "\(setting.wanted) \(setting.origin)"
            ])
        for (observation, state) in states {
            let expected = AggregateModel.aggregate(state, try #require(zone))
            let found = try Self.stored(archive, at: observation)
            #expect(found == expected, "observation \(observation)")
        }
    }

    private static func renamed(_ record: AggregateRecord) -> AggregateRecord {
        var record = record
        record.source = "My Watch"
        return record
    }

    /// All aggregates and days, without ids of series.
    private static func content(_ archive: TestArchive) throws -> [String] {
        try archive.texts(
            """
            SELECT json_array(a.observation_id, a.sample_type_id, a.bucket_start, a.bucket_end, a.visible_record_count,
                a.value_sum, a.value_max, a.source_revision_id, a.unit, a.number_count, a.value_min, a.covered_seconds,
                a.sample_count, a.extra_sum)
            FROM daily_type_aggregates a ORDER BY 1
            """)
    }

    private static func history() throws -> TestArchive {
        let archive = try TestArchive()
        try archive.add(TestExport(day: 1, TestRecord.steps(0..<2000)))
        try archive.add(
            TestExport(day: 2, TestRecord.steps(30..<2030) { $0.source = $0.minute % 3 == 0 ? "Other" : "Watch" }))
        try archive.add(TestExport(day: 3, TestRecord.steps(0..<1500), isTruncated: true))
        return archive
    }

    private static func write<R>(_ archive: TestArchive, _ body: (Database, Chain) throws -> R) throws -> R {
        let queue = try DatabaseQueue(path: archive.path)
        defer { try? queue.close() }
        return try queue.write { db in
            let chain = try Chain.read(db, name: "default")
            return try body(db, #require(chain))
        }
    }

    @Test func rebuildingChangesNothing() throws {
        let archive = try Self.history()
        let before = try Self.content(archive)
        #expect(before.count > 5)
        try Self.write(archive) { try Aggregates.rebuild($0, $1) }
        #expect(try Self.content(archive) == before)
        try archive.expectHealthy()
    }

    @Test(arguments: [
        "DELETE FROM daily_aggregates WHERE import_id = 2", "UPDATE daily_aggregates SET value_sum = value_sum + 1",
        "DELETE FROM daily_aggregates; DELETE FROM aggregate_days; DELETE FROM aggregate_series",
        "INSERT INTO daily_aggregates SELECT sample_type_id, day, series_id, 3, 1, 0, 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL "
            + "FROM daily_aggregates WHERE import_id = 1 AND (day, series_id) NOT IN (SELECT day, series_id FROM daily_aggregates "
            + "WHERE import_id = 3); DELETE FROM daily_aggregates WHERE import_id = 1",
    ])
    func insertionMakesTheTouchedDaysAnew(edit: String) throws {
        let archive = try Self.history()
        let before = try Self.content(archive)
        try archive.tamper(edit)
        #expect(try Self.content(archive) != before)
        let warning = try Self.write(archive) {
            try Aggregates.afterInsertion($0, $1, (2, 3), rows: "SELECT id FROM record_versions")
        }
        #expect(warning == nil)
        #expect(try Self.content(archive) == before)
        try archive.expectHealthy()
    }

    @Test(arguments: [
        "UPDATE daily_aggregates SET day = 9223372036854775807 WHERE day = (SELECT max(day) FROM daily_aggregates)",
        "UPDATE daily_aggregates SET extra_samples = 9223372036854775807 WHERE number_count > 0",
    ])
    func numbersThatNoArchiveHasAreDamage(edit: String) throws {
        let archive = try Self.history()
        try archive.tamper(edit)
        let error = #expect(throws: HealthProbeError.self) {
            try Self.write(archive) { try Aggregates.forEachSightedType($0, $1) { _, _ in } }
        }
        #expect(error?.code == .archiveDamaged)
    }

    @Test func anOffsetThatNoArchiveHasIsNone() {
        #expect(ChainZone.seconds("+9223372036854775807:00") == 0)
        #expect(ChainZone.seconds("-05:45:30") == -20_730)
    }

    @Test func anotherZoneMakesThemAnewAndSaysSo() throws {
        let archive = try TestArchive()
        let first = TestRecord.steps(0..<300)
        try archive.add(TestExport(day: 1, first))
        let second = first + TestRecord.steps(400..<401) { $0.metadata = [("HKTimeZone", "Asia/Kathmandu")] }
        let named = try archive.add(TestExport(day: 2, second))
        #expect(try archive.texts("SELECT time_zone FROM chain_zones") == ["Asia/Kathmandu"])
        let given = try archive.add(TestExport(day: 3, second)) { $0.timeZone = "Pacific/Apia" }
        #expect(try archive.texts("SELECT time_zone || origin FROM chain_zones") == ["Pacific/Apiaargument"])
        let warnings = (named.warnings + given.warnings).map { $0.contains("its aggregates were recomputed") }
        #expect(warnings == [true, true])
        // It depends on the order of importing: the log has it, the observation has not.
        #expect(try archive.row("SELECT count(*) FROM import_warnings") == [0])
        #expect(try archive.row("SELECT count(*) FROM run_log WHERE event = 'timeZone'") == [2])
        // The same exports with that zone from the start come to the same.
        let other = try TestArchive()
        try other.add(TestExport(day: 1, first)) { $0.timeZone = "Pacific/Apia" }
        try other.add(TestExport(day: 2, second))
        try other.add(TestExport(day: 3, second))
        #expect(try Self.content(archive) == Self.content(other))
    }

    /// What another machine with other tables recorded stands: its check holds here, and its offsets are used.
    @Test func aZoneThatThisMachineDoesNotKnowIsTakenAsRecorded() throws {
        let archive = try TestArchive()
        try archive.add(TestExport(day: 1, TestRecord.steps(0..<300))) { $0.timeZone = "Pacific/Apia" }
        try archive.add(TestExport(day: 2, TestRecord.steps(5..<300)))
        let before = try Self.content(archive)
        try archive.tamper(
            "UPDATE imports SET time_zone = 'Mars/Olympus' WHERE id = 1; UPDATE chain_zones SET time_zone = 'Mars/Olympus'"
        )
        func failing() throws -> [String] { try archive.failures().filter { $0.hasPrefix("K") } }
        #expect(try failing() == [])
        try Self.rebuild(archive)
        #expect(try failing() == [])
        #expect(try Self.content(archive) == before)
        // Where nothing is recorded, no other zone's days get that name.
        try archive.tamper("DELETE FROM chain_zones")
        let error = #expect(throws: HealthProbeError.self) { try Self.rebuild(archive) }
        #expect(error?.message.contains("Mars/Olympus") == true)
    }

    private static func rebuild(_ archive: TestArchive) throws {
        let queue = try DatabaseQueue(path: archive.path)
        defer { try? queue.close() }
        try queue.write { try Aggregates.rebuild($0, try #require(try Chain.read($0, name: "default"))) }
    }

    @Test func anUnchangedExportAddsNothing() throws {
        let archive = try TestArchive()
        try archive.add(TestExport(day: 1, TestRecord.steps(0..<300)))
        try archive.add(TestExport(day: 2, TestRecord.steps(0..<300)))
        #expect(try archive.row("SELECT count(*) FROM daily_aggregates WHERE import_id = 2") == [0])
    }

    @Test func supplementsKeepThem() throws {
        let archive = try TestArchive()
        let pulse = (0..<50).map {
            TestRecord(type: "HKQuantityTypeIdentifierHeartRate", minute: $0, unit: "count/min").xml
        }
        try archive.add(TestExport(day: 1, TestRecord.steps(0..<30)))
        let export = TestExport(day: 2, TestRecord.steps(5..<40) + pulse)
        try archive.add(export) { options in
            options.types = TypeSelection(without: ["HeartRate"])
        }
        let outcome = try archive.add(export)
        #expect(outcome.supplemented)
        let found = try Self.stored(archive, at: 2)
        #expect(found.values.map(\.count).sorted() == [35, 50])
    }

    @Test func monthsAreTheirDays() throws {
        let archive = try Self.history()
        try archive.read { db in
            let chain = try #require(try Chain.read(db, name: "default"))
            for observation in chain.finished {
                var question = AggregateQuestion()
                var days: [String: (Int64, Double)] = [:]
                try Aggregates.forEachBucket(db, chain, at: observation, question) { bucket in
                    let key = "\(bucket.label.prefix(7)) \(bucket.sourceName ?? "all")"
                    let known = days[key] ?? (0, 0)
                    // Whole numbers: their sums are exact.
                    days[key] = (known.0 + bucket.aggregate.count, known.1 + (bucket.aggregate.sum ?? 0))
                }
                question.size = .month
                var months: [String: (Int64, Double)] = [:]
                try Aggregates.forEachBucket(db, chain, at: observation, question) { bucket in
                    if bucket.overlappingSources != nil, days["\(bucket.label) all"] == nil { return }
                    months["\(bucket.label) \(bucket.sourceName ?? "all")"] =
                        (bucket.aggregate.count, bucket.aggregate.sum ?? 0)
                }
                #expect(
                    months.filter { !$0.key.hasSuffix("all") }.mapValues { "\($0)" }
                        == days.filter { !$0.key.hasSuffix("all") }.mapValues { "\($0)" })
                let view = try Row.fetchAll(
                    db,
                    sql: """
                        SELECT m.local_month || ' ' || n.name AS key, m.visible_record_count, m.value_sum
                        FROM monthly_type_aggregates m JOIN source_revisions v ON v.id = m.source_revision_id
                        JOIN sources n ON n.id = v.source_id WHERE m.observation_id = ? AND m.visible_record_count > 0
                        """,
                    arguments: [observation.id])
                for row in view {
                    let wanted = months[row["key"]]
                    #expect(wanted?.0 == row["visible_record_count"] && wanted?.1 == row["value_sum"])
                }
                #expect(!view.isEmpty)
            }
        }
    }
}
