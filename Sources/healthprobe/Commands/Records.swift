internal import Archive
internal import ArgumentParser
internal import HealthModel
internal import Presentation
internal import Reporting

/// The records visible at an observation, page by page.
struct Records: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "records",
        abstract: "Lists the records visible at an observation, page by page.",
        discussion: """
            In the order of type, start, end, identity, version, copy. A record belongs to an interval when it overlaps it:
            it starts before --until and ends at or after --since; a day counts in full. With --json, a last line
            {"next":"CURSOR"} says that more follow: pass it to --after. Any page costs what the first one costs.

            \(ExitCodes.reading())
            """)

    @OptionGroup var common: CommonOptions
    @OptionGroup var display: DisplayOptions
    @OptionGroup var sql: ShowSQL

    @Option(help: ArgumentHelp("The observation: id, first, latest, latest~N, @2024-05-01.", valueName: "observation"))
    var at = "latest"

    @Option(
        help: ArgumentHelp("Only these types (HeartRate, ClinicalRecord/*); may repeat.", valueName: "type"),
        transform: NamedArgument.read)
    var type: [String] = []

    @Option(help: ArgumentHelp("Only records that end at or after this day or instant.", valueName: "time"))
    var since: String?

    @Option(
        help: ArgumentHelp(
            "Only records that start before this instant, or on this day at the latest.", valueName: "time"))
    var until: String?

    @Option(help: ArgumentHelp("Only records of the source of exactly this name.", valueName: "name"))
    var source: String?

    @Option(help: ArgumentHelp("Records of a page, 1 to 100000.", valueName: "count"))
    var limit = 100

    @Option(help: ArgumentHelp("Go on where the page before ended.", valueName: "cursor"))
    var after: String?

    @Flag(help: "Print CSV; cells that a spreadsheet would run as formulas get an apostrophe.")
    var csv = false

    func validate() throws {
        guard (1...100_000).contains(limit) else { throw ValidationError("--limit is a number from 1 to 100000.") }
        if csv, common.json { throw ValidationError("Choose one of --json and --csv.") }
    }

    func run() throws {
        let layout = try display.layout()
        let question = try question()
        let reader = try common.openReader()
        defer { reader.close() }
        let page: RecordPage? = try reader.read { db in
            let chain = try ObservationResolver.chain(db, name: common.chain)
            let observation = try ObservationResolver.resolve(at, in: chain)
            if sql.showSql {
                let query = try ArchiveSQL.records(db, chain, at: observation, question)
                try ShowSQL.print([query], asJSON: common.json)
                return nil
            }
            try common.noteUnknownTypes(type, db)
            return try RecordPage.read(db, chain: chain, at: observation, question)
        }
        guard let page else { return }
        try Output.with { try write(page, layout, $0) }
    }

    private func question() throws -> RecordPage.Question {
        var question = RecordPage.Question()
        let zone = try display.zone()
        question.types = type.isEmpty ? nil : TypeFilter(type)
        (question.since, question.until) = try TimeArgument.interval(since: since, until: until, zone: zone)
        question.source = source
        question.limit = limit
        if let after {
            guard let cursor = RecordCursor(after) else {
                throw ArchiveError(
                    .usage, "--after is no cursor of this program.",
                    hint: "Take it from the line {\"next\":…} of the page before, whole.")
            }
            question.after = cursor
        }
        return question
    }

    private func write(_ page: RecordPage, _ layout: TextLayout, _ output: Output) throws {
        if common.json {
            var writer = JSONWriter()
            for record in page.records { RecordJSON.appendLine(record, to: &writer) }
            if let next = page.next { RecordJSON.appendNext(next, to: &writer) }
            try output.write(writer.bytes)
            return
        }
        if csv {
            var writer = CSVWriter(guardsFormulas: true)
            writer.appendRow(RecordCSV.header)
            let isTerminal = Terminal.isTerminal(1)
            for record in page.records { RecordCSV.append(record, to: &writer, forTerminal: isTerminal) }
            try output.write(writer.bytes)
        } else {
            try output.write("Times in \(layout.zoneName)\n" + RecordText.table(page.records, layout))
        }
        try output.flush()
        if let next = page.next { common.note("More follow: --after \(next.text)") }
    }
}
