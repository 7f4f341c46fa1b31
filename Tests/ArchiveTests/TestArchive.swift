internal import Archive
internal import ExportReading
internal import Foundation
internal import GRDB
internal import HealthModel
internal import Importing
internal import Testing

/// An archive in a folder of its own, filled through the whole import path and checked deeply after each step.
///
/// `@unchecked Sendable`: only the export counter changes, and each test fills its own archive.
final class TestArchive: @unchecked Sendable {
    let folder: String
    let path: String
    let environment: [String: String]
    private var exports = 0

    init() throws {
        folder = NSTemporaryDirectory() + "healthprobe-tests-\(UUID().uuidString)"
        path = folder + "/archive.sqlite"
        environment = ["XDG_DATA_HOME": folder + "/data", "HOME": folder]
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }

    /// A copy of a closed archive, for tests that damage it.
    convenience init(copyOf path: String) throws {
        try self.init()
        try FileManager.default.copyItem(atPath: path, toPath: self.path)
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    func writer() throws -> ArchiveWriter {
        try ArchiveWriter(path: path, secretFile: nil, environment: environment)
    }

    func container(_ export: TestExport) throws -> ExportContainer {
        exports += 1
        let place = folder + "/export-\(exports)"
        try export.write(to: place)
        return try ExportContainer(path: place)
    }

    /// Imports an export and expects a healthy archive behind it.
    @discardableResult
    func add(
        _ export: TestExport, isCancelled: Bool = false, sourceLocation: SourceLocation = #_sourceLocation,
        _ change: (inout ImportOptions) -> Void = { $0.allowUnrelated = true }
    ) throws -> ImportOutcome {
        var options = ImportOptions()
        change(&options)
        let container = try container(export)
        defer { expectHealthy(sourceLocation: sourceLocation) }
        let writer = try writer()
        defer { writer.close() }
        return try ImportJob.run(
            container, options: options, writer: writer, isCancelled: { isCancelled }, progress: { _ in })
    }

    func read<R>(_ body: (Database) throws -> R) throws -> R {
        let queue = try ArchiveConnection.openReader(path)
        defer { try? queue.close() }
        return try queue.read(body)
    }

    func check(deep: Bool = true) throws -> CheckResult {
        let reader = try ArchiveReader(path: path)
        defer { reader.close() }
        return try reader.check(deep: deep, progress: { _ in })
    }

    func expectHealthy(sourceLocation: SourceLocation = #_sourceLocation) {
        do {
            let result = try check()
            for invariant in result.invariants where !invariant.holds {
                Issue.record("\(invariant.id): \(invariant.detail ?? "")", sourceLocation: sourceLocation)
            }
        } catch {
            Issue.record("The check cannot run: \(error)", sourceLocation: sourceLocation)
        }
    }

    /// `appeared/disappeared/changed` of an observation, over all types.
    func changes(_ observation: Int64) throws -> [Int64] {
        try row(
            """
            SELECT sum(appeared_count), sum(disappeared_count), sum(representation_changed_count)
            FROM type_runs WHERE import_id = \(observation)
            """)
    }

    func row(_ sql: String) throws -> [Int64] {
        try read { db in
            guard let row = try Row.fetchOne(db, sql: sql) else { return [] }
            return row.databaseValues.map { Int64.fromDatabaseValue($0) ?? -1 }
        }
    }

    func texts(_ sql: String) throws -> [String] { try read { try String.fetchAll($0, sql: sql) } }

    /// Edits the file as no program should.
    func tamper(_ sql: String) throws {
        var configuration = Configuration()
        configuration.foreignKeysEnabled = false
        let queue = try DatabaseQueue(path: path, configuration: configuration)
        try queue.writeWithoutTransaction { db in
            try db.execute(sql: sql)
            _ = try? db.checkpoint(.truncate)
        }
        try queue.close()
    }

    /// The invariants that do not hold.
    func failures() throws -> [String] { try check().invariants.filter { !$0.holds }.map(\.id) }
}
