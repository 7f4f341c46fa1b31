internal import ArgumentParser
internal import Basics
internal import Exporting
internal import HealthModel
internal import Presentation
internal import Questions
internal import Reporting
internal import Store

/// The changes between two observations, as one file to send to another person.
struct Report: ParsableCommand {
    /// The forms of a report.
    enum Format: String, CaseIterable, ExpressibleByArgument {
        case html, markdown, json
    }

    static let configuration = CommandConfiguration(
        commandName: "report",
        abstract: "Writes a self-contained report of what changed between two observations.",
        discussion: """
            Without arguments, latest~1 is compared with latest; with --to alone, the observation before it is the \
            other side.

            The page needs no network and no script. The same archive and question give the same bytes; its SHA-256 is \
            printed. Markdown and JSON go to standard output without --output; their SHA-256 then goes to standard \
            error.

            The analysis is stored in the archive, where the queries of --show-sql find it.
            """)

    @OptionGroup var common: CommonOptions
    @OptionGroup var sql: ShowSQL
    @OptionGroup var athlete: SettingsOption

    @OptionGroup var pair: PairOptions
    @OptionGroup var comparison: ComparisonOptions

    @Option(help: ArgumentHelp("html, markdown or json.", valueName: "format"))
    var format: Format?

    @Option(
        help: ArgumentHelp("Where to write the report; - is standard output.", valueName: "path"), completion: .file())
    var output: String?

    @Flag(help: "Replace an earlier report at the output path.")
    var force = false

    private var path: String? { output == "-" ? nil : output }

    /// `--json` is short for `--format json`.
    private var chosen: Format { format ?? (common.json ? .json : .html) }

    func validate() throws {
        if chosen == .html, output == nil, !sql.showSql {
            throw ValidationError("Name the page: --output report.html.")
        }
        if common.json, let format, format != .json {
            throw ValidationError("Choose one of --json and --format \(format.rawValue).")
        }
    }

    func run() throws {
        let settings = try athlete.read(common.environment)
        let reader = try common.openReader()
        var recorder: ArchiveRecorder?
        defer {
            reader.close()
            recorder?.close()
        }
        let place = try path.map { path in
            let sort = OutputSort.file("report")
            return try OutputPlace(path, sort, OutputGuard(archive: reader.path), replaces: force)
        }
        var diffQueries: [PrintedQuery] = []
        let (report, impact) = try common.comparing {
            try reader.read { db in
                let chain = try ObservationResolver.chain(db, name: common.chain)
                let question = try comparison.question(pair, in: chain)
                try common.noteUnknownTypes(comparison.type, db)
                let report = try ComparisonReport.read(
                    db, chain: chain, question,
                    store: { answer in
                        // The queries of the report read what is stored here.
                        recorder = Consolidation.store(answer, db, chain: chain, archive: reader.path)
                    }, diffQueries: sql.showSql ? { diffQueries = $0 } : nil)
                return (report, try ReportImpact.read(Snapshot(db, chain: chain.name), question.ofAllTypes, settings))
            }
        }
        if sql.showSql { return try common.print(.queries(diffQueries + report.allQueries)) }
        let text =
            switch chosen {
            case .html: PageRenderer.text(report.document(impact), title: report.pageTitle)
            case .markdown: MarkdownRenderer.text(report.document(impact))
            case .json: report.json(impact).line + "\n"
            }
        guard let place, let path else {
            try Output.with { try $0.write(text) }
            return common.note("\(Digest256(hashing: text).hex)  -")
        }
        let digest = try place.publish(Array(text.utf8))
        try Output.with { try $0.write(digest, of: path) }
    }
}
