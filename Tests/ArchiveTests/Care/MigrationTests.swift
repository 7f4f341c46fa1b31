internal import ArchiveTestSupport
@testable internal import Care
internal import Foundation
internal import GRDB
internal import HealthModel
@testable internal import Store
internal import Testing
internal import TestSupport

/// The migration of a small archive of the first schema to a made-up next version: the old file is always kept, the rows are equal.
@Suite struct MigrationTests {
    private static let fixture = TestSupport.repository
        .appendingPathComponent("Tests/ArchiveTests/Fixtures/schema-4.sqlite").path

    private struct Failure: Error {}

    /// Version 4 and a version with one more table, which its step fills.
    private static func migration(step: @escaping @Sendable (Database) throws -> Void = fill) -> Migration {
        Migration(
            versions: Schema.versions + [
                Schema(
                    version: 5, description: "Made up for a test",
                    ddl: Schema.versions.newest.ddl
                        + "CREATE TABLE seen_types (type_identifier TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;",
                    migrate: step)
            ])
    }

    @Sendable private static func fill(_ db: Database) throws {
        try db.execute(sql: "INSERT INTO seen_types SELECT type_identifier FROM sample_types")
    }

    private func bytes(_ path: String) throws -> Data { try Data(contentsOf: URL(fileURLWithPath: path)) }

    private func names(_ archive: TestArchive) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: archive.folder).sorted()
    }

    /// All rows of the tables of schema 4, but for what a migration itself records.
    private func rows(_ path: String) throws -> [String] {
        let queue = try DatabaseQueue(path: path)
        defer { try? queue.close() }
        return try queue.read { db in
            try Schema.versions.newest.objects().filter { $0.type == "table" && $0.name != "schema_migrations" }
                .flatMap { table in
                    let condition =
                        switch table.name {
                        case "archive_metadata": "WHERE key <> 'schema_version'"
                        case "run_log": "WHERE event <> 'migration'"
                        default: ""
                        }
                    return try Row.fetchAll(db, sql: "SELECT * FROM \(table.name) \(condition)")
                        .map { "\(table.name) \($0.databaseValues)" }.sorted()
                }
        }
    }

    @Test func theFixtureIsOfTheOldestVersion() throws {
        #expect(try Migration.version(Self.fixture) == Schema.versions[0].version)
        let archive = try TestArchive(copyOf: Self.fixture)
        #expect(try !rows(archive.path).isEmpty)
        #expect(try archive.row("SELECT count(*) FROM imports WHERE status = 'completed'") == [3])
    }

    @Test func everyRowIsCopiedAndTheStepRuns() throws {
        let archive = try TestArchive(copyOf: Self.fixture)
        let (before, old) = (try rows(archive.path), try bytes(archive.path))
        #expect(try Self.migration().run(archive.path) != nil)
        #expect(try rows(archive.path) == before)
        let queue = try DatabaseQueue(path: archive.path)
        func texts(_ sql: String) throws -> [String] { try queue.read { try String.fetchAll($0, sql: sql) } }
        #expect(try texts("PRAGMA user_version") == ["5"])
        #expect(try texts("SELECT version FROM schema_migrations ORDER BY version") == ["4", "5"])
        let types = try texts("SELECT type_identifier FROM sample_types ORDER BY 1")
        #expect(try texts("SELECT type_identifier FROM seen_types") == types)
        #expect(try texts("SELECT count(*) FROM run_log WHERE event = 'migration'") == ["1"])
        try queue.close()
        let kept = try #require(try names(archive).first { $0.hasSuffix(".schema-4") })
        #expect(try bytes(archive.folder + "/" + kept) == old)
        #expect(try names(archive).filter { $0.contains(".creating-") } == [])
        #expect(try Self.migration().run(archive.path) == nil)
        // This program reads version 4 alone.
        let error = #expect(throws: HealthProbeError.self) { try archive.check() }
        #expect(error?.code == .newerArchive)
    }

    /// The step throws, or what it leaves does not pass the check.
    @Test(arguments: [true, false]) func aFailureLeavesTheOldFile(throwing: Bool) throws {
        let archive = try TestArchive(copyOf: Self.fixture)
        let (old, there) = (try bytes(archive.path), try names(archive))
        let migration = Self.migration { db in
            if throwing { throw Failure() }
            try db.execute(sql: "DELETE FROM type_sums")
        }
        #expect(throws: (any Error).self) { try migration.run(archive.path) }
        #expect(try bytes(archive.path) == old)
        #expect(try names(archive) == there)
    }

    /// What a kill leaves is what lies on the disk at that moment: an archive of the old version, and another attempt
    /// succeeds.
    @Test func aKillLeavesTheOldFile() throws {
        let archive = try TestArchive(copyOf: Self.fixture)
        let before = try rows(archive.path)
        var left: [TestArchive] = []
        _ = try Self.migration().run(archive.path) { _ in
            guard let copy = try? TestArchive() else { return }
            for name in (try? names(archive)) ?? [] {
                try? FileManager.default.copyItem(
                    atPath: archive.folder + "/" + name, toPath: copy.folder + "/" + name)
            }
            left.append(copy)
        }
        #expect(left.count > 10)
        for copy in left {
            #expect(try Migration.version(copy.path) == 4)
            #expect(try rows(copy.path) == before)
        }
        let last = try #require(left.last)
        try last.expectHealthy()
        #expect(try Self.migration().run(last.path) != nil)
        #expect(try rows(last.path) == before)
    }

    @Test(arguments: [1, 2, 3]) func anArchiveOfADevelopmentVersionIsRefused(version: Int) throws {
        let archive = try TestArchive(copyOf: Self.fixture)
        try archive.tamper("PRAGMA user_version = \(version)")
        let old = try bytes(archive.path)
        for error in [
            #expect(throws: HealthProbeError.self) { try archive.check() },
            #expect(throws: HealthProbeError.self) { try archive.writer() },
            #expect(throws: HealthProbeError.self) {
                try ArchiveRepair.run(archive: archive.path, to: archive.folder + "/new.sqlite") { _ in }
            },
        ] {
            #expect(error?.code == .olderArchive && error?.code.exitCode == 65)
            #expect(error?.hint.contains("archive reset") == true && error?.hint.contains("import the exports") == true)
        }
        #expect(try bytes(archive.path) == old)
    }
}
