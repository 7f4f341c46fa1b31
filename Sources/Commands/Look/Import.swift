internal import ArgumentParser
internal import Evidence
internal import ExportReading
internal import Foundation
internal import HealthModel
internal import History
internal import Importing
internal import Presentation
internal import Questions
internal import Reporting
internal import Store

/// Exports into the archive, oldest first.
struct Import: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Imports exports into the archive, the oldest first; creates the archive if there is none.",
        discussion: """
            Each export becomes one observation, at its date's place in the chain. Importing the same export again \
            makes no second observation; what the first one lacked is added.

            An interrupted import leaves nothing visible behind. Run the same command again.

            A file that is refused (65, 66) does not stop the others; the exit code is that of \
            the first refused file.
            """)

    @OptionGroup var common: CommonOptions
    @OptionGroup var choice: ImportArguments
    @OptionGroup var place: CacheOptions

    @Argument(help: .export, completion: .file()) var paths: [String]

    func validate() throws {
        if choice.observedAt != nil, paths.count > 1 {
            throw ValidationError("--observed-at takes one export at a time.")
        }
        if choice.sourceName != nil, paths.count > 1 {
            throw ValidationError("--source-name takes one export at a time.")
        }
    }

    func run() throws {
        Interruption.watch()
        let start = ContinuousClock.now
        let cache = try place.file(common)
        let options = try choice.options(chain: common.chain)
        let batch: ImportBatch
        do { batch = try ImportBatch(paths, name: choice.sourceName) } catch {
            log(error)
            throw error
        }
        // A file that is no export creates no archive.
        let writer = batch.exports.isEmpty ? try? common.openWriter() : try common.openWriter(mustExist: false)
        if let what = writer?.olderCopy { common.warnOfOlderCopy(what) }
        let reporter = common.progress("")
        var summary = ImportSummary(paths: paths, chain: common.chain)
        var refusal: HealthProbeError?
        defer {
            reporter.finish()
            if let writer, !summary.isEmpty, !Interruption.isRequested {
                keepVerdicts(writer)
                common.updateCache(cache, ofArchive: writer.path, since: start)
            }
            if refusal != nil, summary.isEmpty { writer?.closeWithoutTrace() } else { writer?.close() }
            // Also if an import failed: earlier imports stay.
            for notice in writer?.notices ?? [] { common.note("note: \(notice)") }
        }
        try Output.with { output in
            try batch.run(
                options: options, writer: writer, isCancelled: { Interruption.isRequested }
            ) { label, progress in
                if let label { reporter.begin(label: label) }
                reporter.update(
                    done: Int(progress.bytesDone), total: progress.bytesTotal > 0 ? Int(progress.bytesTotal) : nil,
                    items: Int(progress.items),
                    kinds: progress.kinds.filter { $0.count > 0 }.map { ($0.type, $0.count) })
            } each: { result in
                reporter.finish()
                switch result {
                case .refused(let path, let error):
                    refusal = refusal ?? error
                    guard paths.count > 1 else { throw error }
                    Failure.report(error, asJSON: common.json)
                    summary.refused.append(path)
                case .imported(let container, let outcome):
                    guard let writer else { return }
                    try print(outcome, of: container, writer, &summary, to: output)
                }
            }
            guard let writer, !summary.isEmpty, !common.json, !common.quiet else { return }
            keepVerdicts(writer)
            try printStory(writer, summary, to: output)
            if paths.count > 1 {
                let observations = try writer.read { try Chain.read($0, name: common.chain)?.finished.count ?? 0 }
                try output.write("\n")
                try output.write(summary.document(observations: observations))
            }
        }
        if let refusal { throw ExitCode(refusal.code.exitCode) }
        if summary.partial > 0 { throw ExitCode(ExitCodes.partial) }
    }

    /// Stores what consolidation explains between neighbours, so that comparisons read it; says how long that took.
    ///
    /// The imports are done by then: what fails here is found again by the next comparison.
    private func keepVerdicts(_ writer: ArchiveWriter) {
        let start = ContinuousClock.now
        var count = 0
        do {
            guard let chain = try writer.read({ try Chain.read($0, name: common.chain) }) else { return }
            for question in try writer.read({ try Consolidation.unanswered($0, chain: chain) }) {
                if Interruption.isRequested { return }
                try writer.write { try Consolidation.keep($0, chain: chain, question) }
                count += 1
            }
        } catch {
            common.note("note: Merged records were not looked for: \(HealthProbeError(error).message)")
        }
        guard count > 0 else { return }
        let milliseconds = (ContinuousClock.now - start) / .milliseconds(1)
        common.note(String(format: "Looked for merged records in %.1f s.", milliseconds / 1_000))
    }

    /// What became of the records since the export before the last one that was imported.
    private func printStory(_ writer: ArchiveWriter, _ summary: ImportSummary, to output: Output) throws {
        guard let id = summary.newest else { return }
        let story = try writer.read { db in
            guard let chain = try Chain.read(db, name: common.chain),
                let observation = chain.finished.first(where: { $0.id == id })
            else { return Document() }
            return try ChangeStory.document(db, chain, of: observation, DisplayZone(.gmt))
        }
        guard !story.blocks.isEmpty else { return }
        try output.write(story)
    }

    private func print(
        _ outcome: ImportOutcome, of container: ExportContainer, _ writer: ArchiveWriter,
        _ summary: inout ImportSummary,
        to output: Output
    ) throws {
        let report = try report(of: outcome, writer)
        if !outcome.rederived.isEmpty {
            let ids = outcome.rederived.map(String.init).joined(separator: ", ")
            let name = choice.sourceName ?? container.path
            common.note("note: \(name) is older than observation \(ids); its changes were recomputed.")
        }
        if !summary.isEmpty, !common.json, !common.quiet { try output.write("\n") }
        summary.add(outcome, report)
        // With --quiet only JSON is printed.
        guard common.json || !common.quiet else { return }
        let heading = summary.heading(of: container.path)
        try common.print(
            .of(report.importLine(outcome), report.importDocument(outcome, heading, DisplayZone(.gmt))), to: output)
        try output.flush()
    }

    /// The result of an import; in JSON with this command's warnings, which text prints on standard error.
    private func report(of outcome: ImportOutcome, _ writer: ArchiveWriter) throws -> ObservationReport {
        try writer.read { db in
            var report = try ObservationReport.read(db, id: outcome.observationID)
            report.warnings += outcome.warnings
            // By now the archive has all types of the export, also those left out.
            if let warning = try common.unknownTypes(choice.type + choice.excludeType, db) {
                common.note(warning)
                if common.json { report.warnings.append(warning) }
            }
            return report
        }
    }

    /// Notes in the log of an archive that is there that a file could not be read.
    private func log(_ error: any Error) {
        guard let writer = try? common.openWriter() else { return }
        let error = HealthProbeError(error)
        var path = paths[0]
        if case .file(let named) = error.place { path = named }
        try? writer.log(
            .importRun, outcome: error.code.rawValue, file: OfferedFile(path: path, name: choice.sourceName))
        writer.close()
    }
}
