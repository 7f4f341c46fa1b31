internal import ArchiveAggregating
internal import ArchiveFile
internal import ArchiveReading
internal import ArchiveRows
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
            The order is type, start, end, identity, version, ordinal. A record belongs to an interval if it overlaps it: \
            it starts before --until and ends at or after --since. Days count in full.

            With --json, a last line {"next":"CURSOR"} follows if there are more records; pass the cursor to --after.
            """)

    @OptionGroup var common: CommonOptions
    @OptionGroup var display: DisplayOptions
    @OptionGroup var sql: ShowSQL
    @OptionGroup var selection: SelectionOptions

    @Option(help: .since) var since: String?

    @Option(help: .until) var until: String?

    @Option(help: ArgumentHelp("The records of a page, 1 to 100000.", valueName: "count"))
    var limit = 100

    @Option(help: ArgumentHelp("Continue after this cursor of the previous page.", valueName: "cursor"))
    var after: String?

    func validate() throws {
        guard (1...100_000).contains(limit) else { throw ValidationError("--limit takes a number from 1 to 100000.") }
        try common.requireOneForm(csv: selection.csv)
    }

    func run() throws {
        let zone = try display.zone()
        let page: RecordPage? = try common.read { db, chain in
            let observation = try selection.observation(in: chain)
            let question = try question(zone, db)
            try common.noteUnknownTypes(selection.type, db)
            return try sql.answer(common, db) { try RecordPage.read(db, chain: chain, at: observation, question) }
        }
        guard let page else { return }
        try Output.with { output in
            try common.print(page.lines, page.document(zone), asCSV: selection.csv, to: output) {
                page.csv(forTerminal: $0)
            }
            try output.flush()
            if !common.json, let next = page.next { common.note("More follow: --after \(next.text)") }
        }
    }

    private func question(_ zone: DisplayZone, _ db: ArchiveDatabase) throws -> RecordPage.Question {
        var question = RecordPage.Question()
        question.types = selection.types
        (question.since, question.until) = try TimeArgument.interval(since: since, until: until, zone: zone.zone)
        question.source = try common.sources(named: selection.source, db)
        question.limit = limit
        if let after {
            guard let cursor = PageCursor(after) else { throw HealthProbeError.foreignCursor }
            question.after = cursor
        }
        return question
    }
}
