import Foundation

/// Makes Apple Health exports of a phone that never existed, of any size, dump after dump, and says what changed between
/// the dumps.
///
/// The data flow: a ``Scenario`` (seed, size, dumps with their changes) is resolved into dumps; the simulated phone says
/// what each day brought, as a pure function of seed, type and day; a `History` applies to every day what happened between the
/// dumps, again by hashing alone; a `DumpWriter` goes type by type and day by day and streams XML and side files into a
/// file, folder or zip, while a `Comparison` streams the truth. No more than one day of one type is ever in memory.
package struct SyntheticExportGenerator {
    private let scenario: Scenario
    private let form: ExportForm
    private let truthDetail: TruthDetail

    /// A generator for a scenario.
    package init(scenario: Scenario, form: ExportForm = .xml, truthDetail: TruthDetail = .full) {
        self.scenario = scenario
        self.form = form
        self.truthDetail = truthDetail
    }

    /// Writes all dumps into a folder: `dump-1.xml` (or `dump-1/`, `dump-1.zip`), `dump-1.summary.json`, …, `truth.ndjson`.
    ///
    /// - Parameter progress: called with after each dump what it holds.
    /// - Throws: what the file system says.
    @discardableResult
    package func writeAll(
        to folder: String, progress: (DumpSummary) -> Void = { _ in }
    ) throws -> [DumpSummary] {
        let history = History(phone: scenario.phone(), dumps: scenario.resolvedDumps())
        let truth = try TruthWriter(path: folder + "/truth.ndjson", detail: truthDetail)
        var summaries: [DumpSummary] = []
        for number in history.dumps.indices {
            let name = fileName("dump-\(number + 1)")
            let summary = try write(history, number, path: folder + "/" + name, name: name, truth: truth)
            try Self.save(summary, to: folder + "/dump-\(number + 1).summary.json")
            progress(summary)
            summaries.append(summary)
        }
        try truth.close()
        return summaries
    }

    /// Writes one dump to `path` and nothing else.
    ///
    /// - Parameter number: 0 for the first.
    /// - Throws: what the file system says.
    package func write(dump number: Int, to path: String) throws -> DumpSummary {
        let history = History(phone: scenario.phone(), dumps: scenario.resolvedDumps())
        return try write(history, number, path: path, name: URL(fileURLWithPath: path).lastPathComponent, truth: nil)
    }

    /// Writes a summary as JSON with sorted keys.
    ///
    /// - Throws: what the file system says.
    package static func save(_ summary: DumpSummary, to path: String) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        try (encoder.encode(summary) + Data([0x0A])).write(to: URL(fileURLWithPath: path))
    }

    private func write(
        _ history: History, _ number: Int, path: String, name: String, truth: TruthWriter?
    ) throws -> DumpSummary {
        let container: any ExportContainer =
            switch form {
            case .xml: FileContainer(path: path, keepsSideFiles: false)
            case .folder: FileContainer(path: path, keepsSideFiles: true)
            case .zip: try ZipContainer(path: path)
            }
        truth?.dump = number + 1
        let writer = DumpWriter(
            history: history, number: number, container: container, truth: truth, file: name)
        try writer.write()
        if form == .zip { try ZipDamage.apply(history.dumps[number].malformations, to: path) }
        return writer.summary
    }

    private func fileName(_ stem: String) -> String {
        form == .folder ? stem : "\(stem).\(form.rawValue)"
    }
}
