internal import Archive
internal import ExportReading
internal import Exporting
internal import Foundation
internal import GRDB
internal import Importing
internal import TestSupport

/// An archive in a folder of its own, filled through the whole import path, and bags written from it.
final class ExportArchive {
    let folder: String
    let path: String
    let environment: [String: String]
    private var count = 0

    init() throws {
        folder = NSTemporaryDirectory() + "healthprobe-exports-\(UUID().uuidString)"
        path = folder + "/archive.sqlite"
        environment = ["XDG_DATA_HOME": folder + "/data", "HOME": folder]
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    /// Imports an export of a day in January 2024.
    func add(day: Int, _ items: [String], files: [String: String] = [:], isTruncated: Bool = false) throws {
        count += 1
        let place = folder + "/export-\(count)"
        let date = "2024-01-\(day < 10 ? "0" : "")\(day) 10:00:00 +0000"
        let xml = """
            <?xml version="1.0" encoding="UTF-8"?>
            <HealthData locale="en_US">
             <ExportDate value="\(date)"/>
             \(items.joined(separator: "\n "))
            \(isTruncated ? " <Record type=\"HK" : "</HealthData>")

            """
        try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
        for (name, text) in files.merging(["export.xml": xml], uniquingKeysWith: { $1 }) {
            let file = place + "/" + name
            try FileManager.default.createDirectory(
                atPath: (file as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
            try text.write(toFile: file, atomically: false, encoding: .utf8)
        }
        try add(place)
    }

    /// Imports an export at a path.
    func add(_ place: String) throws {
        var options = ImportOptions()
        options.allowUnrelated = true
        let writer = try ArchiveWriter(path: path, secretFile: nil, environment: environment)
        defer { writer.close() }
        _ = try ImportJob.run(
            try ExportContainer(path: place), options: options, writer: writer, isCancelled: { false },
            progress: { _ in })
    }

    /// The question that most tests ask.
    func question(
        _ kind: ExportKind = .records, _ format: ExportFormat = .ndjson, from: Int64? = nil, to: Int64 = 1,
        _ change: (inout ExportQuestion) -> Void = { _ in }
    ) -> ExportQuestion {
        var question = ExportQuestion(kind: kind, chain: "default", from: from, to: to)
        question.format = format
        change(&question)
        return question
    }

    /// Writes an export and returns its bag.
    func export(
        _ question: ExportQuestion, archive: String? = nil,
        _ change: (inout BagExport.Options) -> Void = { _ in }
    ) throws -> TestBag {
        count += 1
        var options = BagExport.Options(output: folder + "/bag-\(count)")
        change(&options)
        let reader = try ArchiveReader(path: archive ?? path)
        defer { reader.close() }
        let result = try reader.read {
            try BagExport.write(Snapshot($0, chain: question.chain), question, key: key(), options: options)
        }
        return TestBag(folder: options.output, result: result)
    }

    /// The archive's key.
    func key() throws -> ArchiveKey? {
        let uuid = try read { try ArchiveInfo.identity($0).uuid }
        return try KeyPlace(archive: uuid, secretFile: nil, environment: environment).read()
    }

    func record(_ result: BagExport.Outcome) throws {
        let writer = try ArchiveWriter(path: path, secretFile: nil, environment: environment)
        defer { writer.close() }
        try writer.record(result.recording, items: result.items)
    }

    func read<R>(_ body: (Database) throws -> R) throws -> R {
        let reader = try ArchiveReader(path: path)
        defer { reader.close() }
        return try reader.read(body)
    }
}

extension ExportArchive {
    /// Edits the file as no program should.
    func edit(_ sql: String) throws {
        let queue = try DatabaseQueue(path: path)
        try queue.writeWithoutTransaction { db in
            try db.execute(sql: sql)
            _ = try? db.checkpoint(.truncate)
        }
        try queue.close()
    }
}
