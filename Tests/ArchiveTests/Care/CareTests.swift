internal import ArchiveTestSupport
@testable internal import Care
internal import Foundation
internal import GRDB
internal import HealthModel
internal import Importing
internal import Questions
internal import Store
internal import Testing

/// Repair and reset: the old file is always kept.
@Suite struct CareTests {
    private func names(_ archive: TestArchive) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: archive.folder).sorted()
    }

    private func filled() throws -> TestArchive {
        let archive = try TestArchive()
        try archive.add(TestExport(day: 1, TestRecord.steps(0..<400)))
        try archive.add(TestExport(day: 2, TestRecord.steps(20..<400) { $0.source = "My Watch" }))
        return archive
    }

    private func repair(_ archive: TestArchive) throws -> (ArchiveRepair.Report, TestArchive) {
        let new = archive.folder + "/repaired.sqlite"
        let report = try ArchiveRepair.run(archive: archive.path, to: new) { _ in }
        return (report, try TestArchive(copyOf: new))
    }

    @Test func whatIsInterruptedSaysNothingAndLeavesNothing() throws {
        let archive = try filled()
        let reader = try ArchiveReader(path: archive.path) { true }
        defer { reader.close() }
        let new = archive.folder + "/new.sqlite"
        let attempts = [
            { _ = try reader.check(deep: true) { _ in } },
            { _ = try ArchiveRepair.run(archive: archive.path, to: new, isCancelled: { true }, progress: { _ in }) },
            { _ = try ArchiveBackup.run(archive: archive.path, to: new, isCancelled: { true }, progress: { _ in }) },
        ]
        for attempt in attempts {
            let error = #expect(throws: HealthProbeError.self) { try attempt() }
            #expect(error?.code == .interrupted)
        }
        #expect(try names(archive).filter { $0.hasPrefix("new.sqlite") }.isEmpty)
    }

    @Test func whatAKilledBackupLeftGoesWithTheNextOne() throws {
        let archive = try filled()
        let new = archive.folder + "/new.sqlite"
        // No process has so high a number.
        for suffix in ["", "-journal"] { try Data().write(to: URL(filePath: "\(new).creating-\(Int32.max)\(suffix)")) }
        _ = try ArchiveBackup.run(archive: archive.path, to: new, progress: { _ in })
        #expect(try names(archive).filter { $0.hasPrefix("new.sqlite") } == ["new.sqlite"])
    }

    @Test func aSoundArchiveIsSavedWhole() throws {
        let archive = try filled()
        let (report, new) = try repair(archive)
        #expect(report.lost.isEmpty && report.dropped.isEmpty && report.rederived.isEmpty)
        #expect(report.check.healthy)
        try new.expectHealthy()
        #expect(try new.row("SELECT count(*) FROM seals") == [3])
        #expect(
            try new.row("SELECT count(*) FROM record_versions")
                == (try archive.row("SELECT count(*) FROM record_versions")))
    }

    @Test(arguments: [
        "DELETE FROM identity_runs", "DELETE FROM row_spans",
        "UPDATE record_versions SET superseded = 1 - superseded WHERE closed_observation_id > 0",
        "UPDATE type_runs SET appeared_count = 0, evidence = '{}'", "UPDATE type_sums SET value_sum = 0",
        "UPDATE type_runs SET read_count = 1 << 62, visible_count = -1 << 62, latest_end = 1 << 62",
        "UPDATE imports SET state_digest = zeroblob(40)", "DROP INDEX record_versions_timeline",
        "CREATE TABLE evil (a)",
        "PRAGMA user_version = 0", "DELETE FROM archive_metadata",
        "UPDATE archive_metadata SET value = 'x' WHERE key = 'key_epoch'",
        "UPDATE archive_metadata SET value = '9' WHERE key = 'schema_version'; UPDATE archive_metadata SET value = '4' WHERE key = 'schema_version'",
        "UPDATE archive_metadata SET value = '9223372036854775807' WHERE key = 'key_epoch'",
        "UPDATE archive_metadata SET value = '0' WHERE key = 'key_epoch'",
        "UPDATE archive_metadata SET value = value || 'x' WHERE key <> 'key_epoch'",
        "INSERT INTO archive_metadata VALUES ('more', 'x')",
    ])
    func whatIsDerivedIsMadeAgain(edit: String) throws {
        let archive = try filled()
        try archive.tamper(edit)
        let (report, new) = try repair(archive)
        #expect(report.lost.isEmpty && report.rederived.isEmpty, "\(report)")
        try new.expectHealthy()
    }

    @Test func theKindOfASideFileFollowsFromItsPath() throws {
        let archive = try TestArchive()
        try archive.add(TestExport(day: 1, TestRecord.steps(0..<5), files: SideFileTests.electrocardiogram()))
        try archive.tamper("UPDATE side_files SET kind = 'x'")
        let (report, new) = try repair(archive)
        #expect(report.lost.isEmpty && report.rederived.isEmpty, "\(report)")
        #expect(try new.texts("SELECT kind FROM side_files") == ["electrocardiogram"])
        try new.expectHealthy()
    }

    @Test(arguments: [1, 2]) func equalCopiesOfALostOneAreCountedAnew(lost: Int) throws {
        let archive = try TestArchive()
        let one = TestRecord(value: "7").xml
        try archive.add(TestExport(day: 1, TestRecord.steps(5..<9) + [one, one, one, one]))
        try archive.add(TestExport(day: 2, TestRecord.steps(5..<9) + [one, one, one]))
        try archive.tamper("DELETE FROM record_versions WHERE ordinal = \(lost)")
        let (report, new) = try repair(archive)
        #expect(report.rederived == [1, 2])
        try new.expectHealthy()
        #expect(try new.texts("SELECT group_concat(ordinal, '') FROM record_versions WHERE ordinal > 0") == ["12"])
        try new.add(TestExport(day: 3, TestRecord.steps(5..<9) + [one, one, one]))
        #expect(try new.changes(3) == [1, 0, 0])
    }

    @Test func whatCannotBeReadIsListed() throws {
        let archive = try filled()
        var bytes = try Data(contentsOf: URL(fileURLWithPath: archive.path))
        let page =
            try archive.row(
                "SELECT pageno FROM dbstat WHERE name = 'record_versions' AND pagetype = 'leaf' ORDER BY pageno LIMIT 1 OFFSET 2"
            ).first
            ?? (try #require(Self.leafPage(bytes)))
        bytes.replaceSubrange(Int(page - 1) * 4096..<Int(page) * 4096, with: Data(repeating: 0xA5, count: 4096))
        try bytes.write(to: URL(fileURLWithPath: archive.path))
        let (report, new) = try repair(archive)
        #expect(report.lost.contains { $0.hasPrefix("record_versions: row ids") }, "\(report)")
        #expect(!report.rederived.isEmpty)
        #expect(try new.row("SELECT count(*) FROM record_versions").first ?? 0 > 500)
        #expect(report.check.healthy, "\(report.check.invariants.filter { !$0.holds })")
        #expect(try new.texts("SELECT outcome FROM run_log WHERE event = 'repair'") == ["incomplete"])
        #expect(try Data(contentsOf: URL(fileURLWithPath: archive.path)) == bytes)
    }

    /// A full disk ends a repair: no row that can be read is left out because the new file has no room for it.
    @Test func aFullDiskIsNoDamage() throws {
        let archive = try TestArchive()
        let old = try DatabaseQueue(path: archive.path)
        let root = try old.writeWithoutTransaction { db in
            try db.execute(sql: "PRAGMA foreign_keys = OFF; PRAGMA auto_vacuum = NONE")
            try Schema.versions.newest.create(db)
            try db.execute(
                sql: """
                    WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000)
                    INSERT INTO daily_aggregates SELECT 1, i, 1, 1, 1, 0, 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL FROM n
                    """)
            return try Int.fetchOne(db, sql: "SELECT rootpage FROM sqlite_master WHERE name = 'daily_aggregates'")
        }
        try old.close()
        try damageFirstLeaf(of: try #require(root), in: archive.path)
        func copy(room: Int) throws -> (rows: Int?, losses: [ArchiveCopy.Loss]) {
            let new = try DatabaseQueue(path: archive.folder + "/new-\(room).sqlite")
            return try new.writeWithoutTransaction { db in
                try db.execute(
                    sql: "PRAGMA foreign_keys = OFF; PRAGMA synchronous = OFF; ATTACH DATABASE ? AS old",
                    arguments: [archive.path])
                let copy = ArchiveCopy(db, schema: Schema.versions.newest, salvages: true)
                // The new file may grow by so many pages while this table is copied.
                try copy.run { table in
                    let pages = (try? Int.fetchOne(db, sql: "PRAGMA page_count")) ?? 0
                    let most = table == "daily_aggregates" ? pages + room : 1 << 20
                    _ = try? Int.fetchOne(db, sql: "PRAGMA max_page_count = \(most)")
                }
                return (try Int.fetchOne(db, sql: "SELECT count(*) FROM main.daily_aggregates"), copy.losses)
            }
        }
        let whole = try copy(room: 1000)
        #expect((1500..<2000).contains(whole.rows ?? 0) && whole.losses.map(\.table) == ["daily_aggregates"])
        let error = #expect(throws: DatabaseError.self) { try copy(room: 1) }
        #expect(error?.resultCode == .SQLITE_FULL)
    }

    /// Overwrites the first leaf page of a table without row ids.
    private func damageFirstLeaf(of root: Int, in path: String) throws {
        var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        let page = (root - 1) * 4096
        try #require(bytes[page] == 2, "more than one page")
        let cell = page + (Int(bytes[page + 12]) << 8 | Int(bytes[page + 13]))
        let leaf = bytes[cell..<(cell + 4)].reduce(0) { $0 << 8 | Int($1) }
        bytes.replaceSubrange((leaf - 1) * 4096..<leaf * 4096, with: [UInt8](repeating: 0xA5, count: 4096))
        try Data(bytes).write(to: URL(fileURLWithPath: path))
    }

    @Test(arguments: [100, 4096, 40_960]) func aTruncatedArchiveIsSavedAsFarAsItGoes(bytes: Int64) throws {
        let archive = try filled()
        let size = try #require(FileManager.default.attributesOfItem(atPath: archive.path)[.size] as? Int64)
        #expect(truncate(archive.path, Int(size - bytes)) == 0)
        let before = try names(archive)
        let (_, new) = try repair(archive)
        #expect(try new.row("SELECT count(*) FROM record_versions").first ?? 0 > 200)
        #expect(try names(archive) == before + ["repaired.sqlite"])
    }

    /// Ranges and links follow from what the files showed: damage to them loses nothing.
    @Test(arguments: [
        "UPDATE record_versions SET closed_observation_id = -1, superseded = 0; UPDATE past_ranges SET superseded = 1",
        "UPDATE record_versions SET closed_observation_id = 3, opened_observation_id = 4 WHERE id % 5 = 0",
        "UPDATE record_versions SET match_rule = NULL, previous_id = NULL; DELETE FROM past_ranges",
    ])
    func rangesAreMadeAgainFromWhatFilesShowed(edit: String) throws {
        let archive = try TestArchive()
        try archive.add(TestExport(day: 1, TestRecord.steps(0..<40)))
        try archive.add(TestExport(day: 2, TestRecord.steps(2..<40) { $0.source = "My Watch" }))
        try archive.add(TestExport(day: 3, TestRecord.steps(3..<50), isTruncated: true))
        try archive.add(TestExport(day: 4, TestRecord.steps(0..<60)))
        let before = try archive.read { try ContentDump.lines($0) }
        try archive.tamper(edit)
        let (report, new) = try repair(archive)
        #expect(report.check.failed.isEmpty, "\(report.check.failed)")
        #expect(ContentDump.differences(before, try new.read { try ContentDump.lines($0) }) == [])
    }

    /// Whatever is lost, what is left says of itself only what holds.
    @Test(arguments: [
        "DELETE FROM record_versions WHERE sample_type_id = (SELECT max(id) FROM sample_types)",
        "UPDATE record_versions SET closed_observation_id = -1 WHERE closed_observation_id = 2 AND superseded = 0",
        "DELETE FROM shown_sets", "DELETE FROM type_runs", "DELETE FROM record_versions WHERE id % 3 = 0",
        "DELETE FROM record_versions",
    ])
    func whatALargerCutLosesIsInNoCount(edit: String) throws {
        let archive = try TestArchive()
        let hearts = (0..<20).map {
            TestRecord(type: "HKQuantityTypeIdentifierHeartRate", minute: $0, unit: "count/min").xml
        }
        try archive.add(TestExport(day: 1, TestRecord.steps(0..<40) + hearts))
        try archive.add(TestExport(day: 2, TestRecord.steps(2..<40) { $0.source = "My Watch" }))
        try archive.add(TestExport(day: 3, TestRecord.steps(3..<50), isTruncated: true))
        try archive.add(TestExport(day: 4, TestRecord.steps(3..<50) + hearts)) {
            $0.allowUnrelated = true
            $0.types = TypeSelection(without: ["HeartRate"])
        }
        try archive.tamper(edit)
        let (report, _) = try repair(archive)
        #expect(report.check.failed.map(\.id).filter { $0.hasPrefix("D") } == [], "\(report.check.failed)")
    }

    /// A table leaf page that holds the word of a copy's blob; for SQLite builds without dbstat.
    private static func leafPage(_ bytes: Data) -> Int64? {
        let pages = (1..<(bytes.count / 4096)).filter { bytes[$0 * 4096] == 0x0D && bytes[$0 * 4096 + 4] > 10 }
        return pages.dropFirst(pages.count / 2).first.map { Int64($0 + 1) }
    }

    @Test func resetMovesAside() throws {
        let archive = try filled()
        let error = #expect(throws: HealthProbeError.self) {
            try ArchiveReset.run(archive.path, confirm: "other")
        }
        #expect(error?.code == .usage)
        let aside = try ArchiveReset.run(archive.path, confirm: "archive.sqlite")
        #expect(aside.hasSuffix(".reset"))
        #expect(!FileManager.default.fileExists(atPath: archive.path))
        try archive.add(TestExport(day: 1, TestRecord.steps(0..<5)))
        #expect(try archive.row("SELECT count(*) FROM imports") == [1])
        let old = try TestArchive(copyOf: aside)
        try old.expectHealthy()
        #expect(try old.texts("SELECT event FROM run_log ORDER BY id DESC LIMIT 1") == ["reset"])
    }

    private func addWithSources(_ archive: TestArchive) throws {
        try archive.add(TestExport(day: 1, TestRecord.steps(0..<5)))
        try FileManager.default.createDirectory(
            atPath: archive.path + ".sources/1.zip", withIntermediateDirectories: true)
    }

    @Test func resetMovesTheSourcesWithTheArchive() throws {
        let archive = try TestArchive()
        try addWithSources(archive)
        let sources = try FileManager.default.contentsOfDirectory(atPath: archive.path + ".sources")
        #expect(sources.count == 1)
        let aside = try ArchiveReset.run(archive.path, confirm: "archive.sqlite")
        #expect(try FileManager.default.contentsOfDirectory(atPath: aside + ".sources") == sources)
        #expect(try names(archive).filter { $0.hasPrefix("archive.sqlite.sources") } == [])
    }

    @Test func aResetThatCannotMoveAllMovesNothing() throws {
        let archive = try TestArchive()
        try addWithSources(archive)
        // Something is in the way of every name that the sources could get within the next seconds.
        for second in 0..<60 {
            let stamp = RebuiltFile.stamp(Date(timeIntervalSinceNow: Double(second)))
            try FileManager.default.createDirectory(
                atPath: "\(archive.path).\(stamp).reset.sources/taken", withIntermediateDirectories: true)
        }
        let error = #expect(throws: HealthProbeError.self) {
            try ArchiveReset.run(archive.path, confirm: "archive.sqlite")
        }
        #expect(error?.code == .cannotCreate)
        try archive.expectHealthy()
        #expect(try FileManager.default.contentsOfDirectory(atPath: archive.path + ".sources").count == 1)
    }

    @Test func aForeignFileIsMovedOnlyOnRequest() throws {
        let archive = try TestArchive()
        try Data("no archive".utf8).write(to: URL(fileURLWithPath: archive.path))
        #expect(throws: HealthProbeError.self) { try archive.writer() }
        #expect(try Data(contentsOf: URL(fileURLWithPath: archive.path)) == Data("no archive".utf8))
        let aside = try ArchiveReset.run(archive.path, confirm: "archive.sqlite")
        #expect(aside.hasSuffix(".prototype-backup"))
        #expect(try Data(contentsOf: URL(fileURLWithPath: aside)) == Data("no archive".utf8))
    }
}
