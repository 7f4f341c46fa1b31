internal import ArchiveTestSupport
internal import Foundation
internal import SyntheticExportGenerator

/// A generated phone whose dumps were imported into an archive of their own, with the truth beside it.
struct AnalysedPhone {
    let archive: TestArchive
    let truth: [TruthLine]

    /// Generates and imports the dumps of a scenario.
    init(_ scenario: Scenario, truthDetail: TruthDetail = .groups) throws {
        archive = try TestArchive(checksImports: false)
        let dumps = archive.folder + "/dumps"
        try FileManager.default.createDirectory(atPath: dumps, withIntermediateDirectories: true)
        let summaries = try SyntheticExportGenerator(scenario: scenario, form: .xml, truthDetail: truthDetail)
            .writeAll(to: dumps)
        truth = try TruthLine.read(dumps + "/truth.ndjson")
        for summary in summaries { try archive.add(path: dumps + "/" + summary.file) }
    }
}
