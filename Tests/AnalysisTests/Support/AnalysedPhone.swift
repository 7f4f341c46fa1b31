internal import Analysis
internal import Archive
internal import ExportReading
internal import Foundation
internal import GRDB
internal import HealthModel
internal import Importing
internal import SyntheticExportGenerator

/// A generated phone whose dumps were imported into an archive of their own, with the truth beside it.
final class AnalysedPhone {
    let folder: String
    let path: String
    let truth: [TruthLine]

    /// Generates and imports the dumps of a scenario.
    init(_ scenario: Scenario, truthDetail: TruthDetail = .groups) throws {
        folder = NSTemporaryDirectory() + "analysis-tests-\(UUID().uuidString)"
        path = folder + "/archive.sqlite"
        let dumps = folder + "/dumps"
        try FileManager.default.createDirectory(atPath: dumps, withIntermediateDirectories: true)
        let summaries = try SyntheticExportGenerator(scenario: scenario, form: .xml, truthDetail: truthDetail)
            .writeAll(to: dumps)
        truth = try TruthLine.read(dumps + "/truth.ndjson")
        let writer = try ArchiveWriter(
            path: path, secretFile: nil, environment: ["XDG_DATA_HOME": folder + "/data", "HOME": folder])
        defer { writer.close() }
        for summary in summaries {
            var options = ImportOptions()
            options.allowUnrelated = true
            _ = try ImportJob.run(
                try ExportContainer(path: dumps + "/" + summary.file), options: options, writer: writer,
                isCancelled: { false }, progress: { _ in })
        }
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    /// Asks on a connection for reading; observations are given by their position in the chain.
    func ask<R>(
        _ from: Int, _ to: Int, through: Bool = false,
        _ body: (ConsolidationAnswer, Database) throws -> R
    ) throws -> R {
        let reader = try ArchiveReader(path: path)
        defer { reader.close() }
        return try reader.read { db in
            guard let chain = try Chain.read(db, name: "default") else { throw CocoaError(.fileNoSuchFile) }
            let question = ConsolidationQuestion(
                from: chain.finished[from - 1], to: chain.finished[to - 1], through: through)
            let answer = try Consolidation.answer(db, chain: chain, question)
            defer { answer.close() }
            return try body(answer, db)
        }
    }

    /// Compares two observations, given by their position in the chain.
    func diff(
        _ from: Int, _ to: Int, _ body: @escaping (_ change: DiffChange, _ rows: RecordRows) throws -> Void
    ) throws {
        let reader = try ArchiveReader(path: path)
        defer { reader.close() }
        try reader.read { db in
            guard let chain = try Chain.read(db, name: "default") else { throw CocoaError(.fileNoSuchFile) }
            let rows = try RecordRows(db)
            _ = try Diff.run(
                db, chain: chain, from: chain.finished[from - 1], to: chain.finished[to - 1], types: nil, source: nil
            ) { try body($0, rows) }
        }
    }
}
