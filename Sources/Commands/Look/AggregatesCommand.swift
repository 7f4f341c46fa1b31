internal import ArgumentParser
internal import Days
internal import Foundation
internal import Presentation
internal import Questions
internal import Reporting
internal import Store
internal import Training

extension AggregateQuestion.Size: ExpressibleByArgument {}

/// Counts, sums, means and extremes of the visible records by local day or month.
struct AggregatesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "aggregates",
        abstract: "Shows counts, sums, means and extremes by local day or month, per source.",
        discussion: """
            Days and months are those of the chain's time zone, which the header names: the first --time-zone given to \
            an import, or else the HKTimeZone that most records name, or else the first export's UTC offset. A record \
            belongs to the day on which it starts.

            Of a type that adds up, a row level merged follows those of the sources: what several recorded at one time \
            counts once, as the Health app counts. The plain sum over several sources (level sum) is labelled \
            overlapNotRemoved. Category types have the counts and seconds of their values.

            A table has 200 rows without --limit; --json and --csv have all rows.
            """)

    @OptionGroup var common: CommonOptions
    @OptionGroup var sql: ShowSQL
    @OptionGroup var selection: SelectionOptions
    @OptionGroup var athlete: SettingsOption

    @Option(help: .of(.aggregates, "by")) var by = AggregateQuestion.Size.day

    @Option(help: .of(.aggregates, "since")) var since: String?

    @Option(help: .of(.aggregates, "until")) var until: String?

    @Option(help: .of(.aggregates, "limit")) var limit: Int?

    private static let rowsOfTable = 200

    func validate() throws {
        if let limit, limit < 1 { throw ValidationError("--limit takes a number from 1.") }
        try common.requireOneForm(csv: selection.csv)
    }

    func run() throws {
        let settings = try athlete.read(common.environment)
        try Output.with { output in
            try common.read { db, chain in
                let snapshot = try Snapshot(db, chain: common.chain)
                let observation = try selection.observation(in: chain)
                try common.noteUnknownTypes(selection.type, db)
                let zone = try ChainZone.recorded(db, chain: chain.id)?.zone
                let question = try question(zone, db)
                let isTable = !common.json && !selection.csv && !sql.showSql
                let most = limit ?? (isTable ? Self.rowsOfTable : .max)
                let rows: AggregateRows.Reading = { body in
                    try TotalledBuckets.forEach(
                        snapshot, at: observation, question, order: SourceOrder(settings.sourceOrder), limit: most
                    ) { bucket in
                        try body(bucket)
                        if output.isClosed { throw Output.Closed() }
                    }
                }
                if sql.showSql {
                    let queries = try PrintedQuery.run(on: db) { try rows { _ in } }.queries
                    return try common.print(.queries(queries), to: output)
                }
                var isComplete = true
                if common.json {
                    isComplete = try AggregateRows.writeJSON(
                        observation, by: question.size, zone, rows: rows, to: { try output.write($0) })
                } else if selection.csv {
                    isComplete = try AggregateRows.writeCSV(
                        forTerminal: Terminal.isTerminal(1), rows: rows, to: { try output.write($0) })
                } else {
                    var buckets: [AggregateBucket] = []
                    isComplete = try rows { buckets.append($0) }
                    var document = AggregatesDocument.make(observation, zone, by: question.size, buckets)
                    document.findings(
                        try TypeFindings.read(db, chain, observation).filter { found in
                            buckets.contains { $0.type == found.type }
                        })
                    try output.write(document)
                }
                try output.flush()
                if !isComplete {
                    common.note(
                        "More rows follow: narrow the question with --type, --since or --until, or raise --limit.")
                }
            }
        }
    }

    private func question(_ zone: ChainZone?, _ db: ArchiveDatabase) throws -> AggregateQuestion {
        var question = AggregateQuestion()
        question.size = by
        question.types = selection.types
        (question.since, question.until) = try TimeArgument.interval(
            since: since, until: until, zone: zone?.timeZone ?? .gmt)
        question.source = try common.sources(named: selection.source, db)
        return question
    }
}
