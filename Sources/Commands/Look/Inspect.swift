internal import ArgumentParser
internal import ExportReading
internal import Importing
internal import Presentation
internal import Reporting

/// The content of an export, without an archive.
struct Inspect: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "inspect",
        abstract: "Shows what is in an export, without an archive.",
        discussion: """
            Shows hashes, export date, UTC offset, locale, version, types with counts, side files, repairs, quarantine \
            and unknown elements. Nothing is written or unpacked.
            """)

    @OptionGroup var common: CommonOptions
    @OptionGroup var display: DisplayOptions

    @Argument(help: .export, completion: .file()) var paths: [String]

    func run() throws {
        Interruption.watch()
        let zone = try display.zone()
        let containers = try paths.map { try ExportContainer(path: $0) }
        let headings = FileHeadings(paths)
        var isPartial = false
        try Output.with { output in
            for (index, container) in containers.enumerated() {
                let progress = common.progress(container.name)
                defer { progress.finish() }
                let report = try Inspection.run(container) { done, items in
                    try Interruption.check()
                    progress.update(done: Int(done), total: Int(container.mainByteCount), items: Int(items))
                }
                progress.finish()
                isPartial = isPartial || !report.isComplete
                if index > 0, !common.json { try output.write("\n") }
                try common.print(.of(report.json, report.document(headings[container.path], zone)), to: output)
                try output.flush()
            }
        }
        if isPartial { throw ExitCode(ExitCodes.partial) }
    }
}
