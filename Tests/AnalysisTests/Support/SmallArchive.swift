internal import Analysis
internal import Archive
internal import ExportReading
internal import Foundation
internal import GRDB
internal import HealthModel
internal import Importing

/// An archive of a few handwritten exports.
final class SmallArchive {
    let folder: String
    let path: String

    /// Imports exports of successive days; each is a list of records as XML.
    init(_ exports: [[String]]) throws {
        folder = NSTemporaryDirectory() + "analysis-tests-\(UUID().uuidString)"
        path = folder + "/archive.sqlite"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        for records in exports { try add(records) }
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    private var days = 0

    /// Imports one more export.
    func add(_ records: [String]) throws {
        days += 1
        let file = folder + "/export-\(days).xml"
        let xml = """
            <?xml version="1.0" encoding="UTF-8"?>
            <HealthData locale="en_US">
             <ExportDate value="2024-0\(days)-10 10:00:00 +0000"/>
             \(records.joined(separator: "\n "))
            </HealthData>
            """
        try xml.write(toFile: file, atomically: false, encoding: .utf8)
        let writer = try ArchiveWriter(
            path: path, secretFile: nil, environment: ["XDG_DATA_HOME": folder + "/data", "HOME": folder])
        defer { writer.close() }
        var options = ImportOptions()
        options.allowUnrelated = true
        _ = try ImportJob.run(
            try ExportContainer(path: file), options: options, writer: writer, isCancelled: { false },
            progress: { _ in })
    }

    /// A record; seconds count from 2024-01-09 12:00:00 UTC, `mark` is the condenser's identifier.
    static func record(
        _ type: String = "ActiveEnergyBurned", _ start: Int, _ end: Int, _ value: Double, unit: String = "kcal",
        source: String = "Watch", version: String = "10.1", mark: String? = nil
    ) -> String {
        func date(_ second: Int) -> String {
            let formatter = ISO8601DateFormatter()
            formatter.formatOptions = [
                .withFullDate, .withSpaceBetweenDateAndTime, .withTime, .withColonSeparatorInTime,
            ]
            return formatter.string(from: Date(timeIntervalSince1970: Double(1_704_801_600 + second))) + " +0000"
        }
        let head =
            "<Record type=\"HKQuantityTypeIdentifier\(type)\" sourceName=\"\(source)\" sourceVersion=\"\(version)\" unit=\"\(unit)\" "
        let dates =
            "creationDate=\"\(date(end + 5))\" startDate=\"\(date(start))\" endDate=\"\(date(end))\" value=\"\(value)\""
        guard let mark else { return head + dates + "/>" }
        return head + dates + "><MetadataEntry key=\"HKMetadataKeySyncIdentifier\" value=\"\(mark)\"/></Record>"
    }

    /// The condenser's identifier for seconds as above.
    static func mark(_ start: Double, _ end: Double, _ count: Int, version: Int = 3) -> String {
        let base = 1_704_801_600.0 - 978_307_200
        func time(_ second: Double) -> String { String(format: "%.5f", base + second) }
        return "\(version):1B17A065-3C55-4D0B-9C5E-0A8F2D4E6B71:\(time(start)):\(time(end)):\(count)"
    }

    /// Asks about two observations, by position.
    func ask<R>(
        _ from: Int, _ to: Int, through: Bool = false, _ body: (ConsolidationAnswer, Database, Chain) throws -> R
    ) throws -> R {
        let reader = try ArchiveReader(path: path)
        defer { reader.close() }
        return try reader.read { db in
            guard let chain = try Chain.read(db, name: "default") else { throw CocoaError(.fileNoSuchFile) }
            let question = ConsolidationQuestion(
                from: chain.finished[from - 1], to: chain.finished[to - 1], through: through)
            let answer = try Consolidation.answer(db, chain: chain, question)
            defer { answer.close() }
            return try body(answer, db, chain)
        }
    }
}
