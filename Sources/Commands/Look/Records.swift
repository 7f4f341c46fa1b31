internal import ArgumentParser
internal import Days
internal import Exporting
internal import HealthModel
internal import Presentation
internal import Questions
internal import Reporting
internal import Store

/// The records visible at an observation, page by page.
struct Records: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "records",
        abstract: "Lists the records visible at an observation, page by page.",
        discussion: """
            The order is type, start, end, identity, version, ordinal. A record belongs to an interval if it overlaps it: \
            it starts before --until and ends at or after --since. Days count in full.

            --state says of which state: visible, what the observation shows; finest, the same with the stored \
            originals of merged records instead of these; ever and everything, also what no longer was visible. For the \
            records as the phone recorded them take finest; for what was deleted as well, everything.

            With --json, a last line {"next":"CURSOR"} follows if there are more records; pass the cursor to --after. \
            --all, and --csv without --limit, print all records.
            """)

    @OptionGroup var common: CommonOptions
    @OptionGroup var display: DisplayOptions
    @OptionGroup var sql: ShowSQL
    @OptionGroup var selection: SelectionOptions

    @Option(help: .of(.records, "since")) var since: String?

    @Option(help: .of(.records, "until")) var until: String?

    @OptionGroup var paging: PagingOptions

    @Option(help: .recordState) var state = HealthState.visible

    @Flag(help: "All records, however many.")
    var all = false

    func validate() throws {
        if all, paging.limit != nil { throw ValidationError("Choose one of --all and --limit.") }
        try common.requireOneForm(csv: selection.csv)
    }

    func run() throws {
        let zone = try display.zone()
        let next = try Output.with { output in
            try common.read { db, chain -> PageCursor? in
                let observation = try selection.observation(in: chain)
                var question = try question(zone, db)
                try common.noteUnknownTypes(selection.type, db)
                var left = all ? Int.max : paging.rows(csv: selection.csv)
                var isFirst = true
                let rows = try state.rows(
                    Snapshot(db, chain: chain.name), at: observation, types: question.types, around: question.interval
                ).set
                repeat {
                    question.limit = min(left, left > PagingOptions.most ? Self.batch : left)
                    let answer = try sql.answer(common, db) {
                        try RecordPage.read(db, of: rows, question)
                    }
                    guard var page = answer else { return nil }
                    question.after = page.next
                    left -= page.records.count
                    // The line for the next page ends what was asked for.
                    if left > 0 { page.next = nil }
                    try common.print(page.lines, page.document(zone), asCSV: selection.csv, to: output) {
                        page.csv(forTerminal: $0, withHeading: isFirst)
                    }
                    isFirst = false
                } while question.after != nil && left > 0 && !output.isClosed
                return question.after
            }
        }
        if !common.json, let next { common.note("More follow: --after \(next.text)") }
    }

    /// How many records are read at a time where all are printed.
    private static let batch = 1_000

    private func question(_ zone: DisplayZone, _ db: ArchiveDatabase) throws -> RecordPage.Question {
        var question = RecordPage.Question()
        question.types = selection.types
        (question.since, question.until) = try TimeArgument.interval(since: since, until: until, zone: zone.zone)
        question.source = try common.sources(named: selection.source, db)
        if let after = paging.after {
            guard let cursor = PageCursor(after) else { throw HealthProbeError.foreignCursor }
            question.after = cursor
        }
        return question
    }
}

/// Which page of a list is printed.
struct PagingOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The rows of a page, 1 to 100000; 100 without it, with --csv all.", valueName: "count"))
    var limit: Int?

    @Option(help: ArgumentHelp("Continue after this cursor of the previous page.", valueName: "cursor"))
    var after: String?

    /// The most rows that one may ask for.
    static let most = 100_000

    func validate() throws {
        if let limit, !(1...Self.most).contains(limit) {
            throw ValidationError("--limit takes a number from 1 to \(Self.most).")
        }
    }

    /// How many rows are printed: all of CSV, which is for spreadsheets, where nothing is said.
    func rows(csv: Bool) -> Int { limit ?? (csv ? .max : 100) }
}
