package import Care
package import ExportReading
internal import Foundation
package import GRDB
package import History
package import Importing
internal import Store
internal import TestSupport

/// An archive in a folder of its own, filled through the whole import path.
///
/// `@unchecked Sendable`: only the counter of files changes, and each test fills its own archive.
package final class TestArchive: @unchecked Sendable {
    package let folder: String
    package let path: String
    package let environment: [String: String]
    private let checksImports: Bool
    private var files = 0

    /// - Parameter checksImports: whether a deep check follows each import.
    /// - Throws: what the file system says.
    package init(checksImports: Bool = true) throws {
        folder = "\(TestFolder.path)/\(UUID().uuidString)"
        path = folder + "/archive.sqlite"
        environment = ["XDG_DATA_HOME": folder + "/data", "HOME": folder]
        self.checksImports = checksImports
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }

    /// A copy of a closed archive, for tests that damage it.
    ///
    /// - Throws: what the file system says.
    package convenience init(copyOf path: String) throws {
        try self.init()
        try FileManager.default.copyItem(atPath: path, toPath: self.path)
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    /// A path in the folder that no other call returns.
    package func freshPath(_ label: String) -> String {
        files += 1
        return "\(folder)/\(label)-\(files)"
    }
}

extension TestArchive {
    /// - Throws: `HealthProbeError`.
    package func writer() throws -> ArchiveWriter {
        try ArchiveWriter(path: path, secretFile: nil, environment: environment)
    }

    /// Writes an export into the folder and opens it.
    ///
    /// - Throws: what the file system says; `HealthProbeError`.
    package func container(_ export: TestExport) throws -> ExportContainer {
        let place = freshPath("export")
        try export.write(to: place)
        return try ExportContainer(path: place)
    }

    /// Imports an export.
    ///
    /// - Throws: what the import throws; `TestSupport.Failure` where the archive behind it does not pass the check.
    @discardableResult
    package func add(
        _ export: TestExport, isCancelled: Bool = false,
        _ change: (inout ImportOptions) -> Void = { $0.allowUnrelated = true }
    ) throws -> ImportOutcome {
        try add(try container(export), isCancelled: isCancelled, change)
    }

    /// Imports the export at a path.
    ///
    /// - Throws: as above.
    @discardableResult
    package func add(path: String) throws -> ImportOutcome {
        try add(try ExportContainer(path: path), isCancelled: false) { $0.allowUnrelated = true }
    }

    private func add(
        _ container: ExportContainer, isCancelled: Bool, _ change: (inout ImportOptions) -> Void
    ) throws -> ImportOutcome {
        var options = ImportOptions()
        change(&options)
        let outcome = Result {
            let writer = try writer()
            defer { writer.close() }
            return try ImportJob.run(
                container, options: options, writer: writer, isCancelled: { isCancelled }, progress: { _ in })
        }
        if checksImports { try expectHealthy() }
        return try outcome.get()
    }

    /// - Throws: `TestSupport.Failure` that names the invariants of a deep check that do not hold.
    package func expectHealthy() throws {
        let broken = try check().invariants.filter { !$0.holds }
        guard broken.isEmpty else {
            throw TestSupport.Failure(broken.map { "\($0.id): \($0.detail ?? "")" }.joined(separator: "\n"))
        }
    }

    /// - Throws: `HealthProbeError`.
    package func check(deep: Bool = true) throws -> CheckResult {
        let reader = try ArchiveReader(path: path)
        defer { reader.close() }
        return try reader.check(deep: deep, progress: { _ in })
    }

    /// The invariants that do not hold.
    ///
    /// - Throws: `HealthProbeError`.
    package func failures() throws -> [String] { try check().invariants.filter { !$0.holds }.map(\.id) }
}

extension TestArchive {
    /// Asks on a connection for reading.
    ///
    /// - Throws: what `body` throws, and what SQLite says.
    package func read<R>(_ body: (Database) throws -> R) throws -> R {
        let queue = try ArchiveConnection.openReader(path)
        defer { try? queue.close() }
        return try queue.read(body)
    }

    /// `appeared/disappeared/changed` of an observation, over all types.
    ///
    /// - Throws: what SQLite says.
    package func changes(_ observation: Int64) throws -> [Int64] {
        try row(
            """
            SELECT sum(appeared_count), sum(disappeared_count), sum(representation_changed_count)
            FROM type_runs WHERE import_id = \(observation)
            """)
    }

    /// The integers of a query's first row.
    ///
    /// - Throws: what SQLite says.
    package func row(_ sql: String) throws -> [Int64] {
        try read { db in
            guard let row = try Row.fetchOne(db, sql: sql) else { return [] }
            return row.databaseValues.map { Int64.fromDatabaseValue($0) ?? -1 }
        }
    }

    /// The first column of a query's rows.
    ///
    /// - Throws: what SQLite says.
    package func texts(_ sql: String) throws -> [String] { try read { try String.fetchAll($0, sql: sql) } }

    /// Edits the file as no program should.
    ///
    /// - Throws: what SQLite says.
    package func tamper(_ sql: String) throws {
        var configuration = Configuration()
        configuration.foreignKeysEnabled = false
        let queue = try DatabaseQueue(path: path, configuration: configuration)
        try queue.writeWithoutTransaction { db in
            try db.execute(sql: sql)
            _ = try? db.checkpoint(.truncate)
        }
        try queue.close()
    }
}
