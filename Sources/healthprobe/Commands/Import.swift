internal import Archive
internal import ArgumentParser
internal import ExportReading
internal import Foundation
internal import HealthModel
internal import Importing
internal import Presentation
internal import Reporting

/// Exports into the archive, oldest first.
struct Import: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Imports exports into the archive, the oldest first; creates the archive if there is none.",
        discussion: """
            Each export becomes one observation, at its date's place in the chain. Importing the same export again \
            makes no second observation; what the first one lacked is added.

            An interrupted import leaves nothing visible behind. Run the same command again.
            """)

    @OptionGroup var common: CommonOptions
    @OptionGroup var choice: ImportArguments

    @Argument(
        help: ArgumentHelp("export.zip, an unpacked folder or a bare XML file.", valueName: "path"), completion: .file()
    )
    var paths: [String]

    func validate() throws {
        if choice.observedAt != nil, paths.count > 1 {
            throw ValidationError("--observed-at takes one export at a time.")
        }
    }

    func run() throws {
        let options = try choice.options(chain: common.chain)
        let containers: [ExportContainer]
        do { containers = try ImportJob.sorted(paths) } catch {
            logRefused(error)
            throw error
        }
        let writer = try ArchiveWriter(
            path: common.archivePath, secretFile: common.secretFile, environment: common.environment)
        let reporter = common.progress("")
        defer {
            reporter.finish()
            writer.close()
            // Also where an import failed: what was done stays done.
            for notice in writer.notices { common.note("note: \(notice)") }
        }
        Interruption.watch()
        var isPartial = false
        try Output.with { output in
            var isFirst = true
            try ImportJob.runAll(
                containers, options: options, writer: writer, isCancelled: { Interruption.isRequested },
                code: { Failure($0).code }
            ) { label, progress in
                if let label { reporter.begin(label: label) }
                reporter.update(
                    done: Int(progress.bytesDone), total: progress.bytesTotal > 0 ? Int(progress.bytesTotal) : nil,
                    items: Int(progress.items))
            } each: { container, outcome in
                reporter.finish()
                let report = try report(of: outcome, writer)
                if !outcome.rederived.isEmpty {
                    let ids = outcome.rederived.map(String.init).joined(separator: ", ")
                    common.note(
                        "note: \(container.path) is older than observation \(ids); its changes were recomputed.")
                }
                isPartial = isPartial || report.observation.status == .partial
                if !isFirst, !common.json { try output.write("\n") }
                isFirst = false
                let (known, added) = (outcome.alreadyImported, outcome.supplemented)
                try common.print(
                    .of(
                        report.importLine(alreadyImported: known, supplemented: added),
                        report.importDocument(alreadyImported: known, supplemented: added, DisplayZone(.gmt))),
                    to: output)
                try output.flush()
            }
        }
        if isPartial { throw ExitCode(ExitCodes.partial) }
    }

    /// What the archive says of an import; in JSON with the warning of this command line that people get on standard error.
    private func report(of outcome: ImportOutcome, _ writer: ArchiveWriter) throws -> ObservationReport {
        try writer.read { db in
            var report = try ObservationReport.read(db, id: outcome.observationID)
            report.warnings += outcome.warnings
            // By now the archive has all types of the export, those too that were not taken.
            if let warning = try common.unknownTypes(choice.type + choice.excludeType, db) {
                common.note(warning)
                if common.json { report.warnings.append(warning) }
            }
            return report
        }
    }

    /// Notes in the log of an archive that is there that something was not taken for an export.
    private func logRefused(_ error: any Error) {
        let writer = try? ArchiveWriter(
            existing: common.archivePath, secretFile: common.secretFile, environment: common.environment)
        try? writer?.log(.importRun, outcome: Failure(error).code)
        writer?.close()
    }
}
