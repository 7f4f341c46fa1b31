internal import Archive
internal import ArgumentParser
internal import Foundation
internal import HealthModel
internal import Presentation
internal import Reporting
internal import TextFormats

/// Counts, sums, means and extremes of the visible records by local day or month.
struct AggregatesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "aggregates",
        abstract: "Shows counts, sums, means and extremes by local day or month, per source.",
        discussion: """
            Days and months are those of the chain's zone, which the header names: the first --time-zone given to an
            import, else the HKTimeZone that most records name, else the first export's offset. A record belongs to the day
            on which it starts; records without a start to none. Where several sources recorded a cumulative type, a row over
            all of them follows, labelled overlapNotRemoved: what two of them recorded at the same time is in it twice.
            A table has 200 rows without --limit; --json and --csv have them all.

            \(ExitCodes.reading())
            """)

    @OptionGroup var common: CommonOptions
    @OptionGroup var sql: ShowSQL

    @Option(help: ArgumentHelp("The observation: id, first, latest, latest~N, @2024-05-01.", valueName: "observation"))
    var at = "latest"

    @Option(
        help: ArgumentHelp("Only these types (HeartRate, ClinicalRecord/*); may repeat.", valueName: "type"),
        transform: NamedArgument.read)
    var type: [String] = []

    @Option(help: ArgumentHelp("The size of a bucket: day or month.", valueName: "size"))
    var by = "day"

    @Option(
        help: ArgumentHelp("Only buckets that end after this; a day is one of the chain's zone.", valueName: "time"))
    var since: String?

    @Option(help: ArgumentHelp("Only buckets up to this day, or that begin before this instant.", valueName: "time"))
    var until: String?

    @Option(help: ArgumentHelp("Only the source of exactly this name.", valueName: "name"))
    var source: String?

    @Option(help: ArgumentHelp("At most so many rows.", valueName: "count"))
    var limit: Int?

    @Flag(help: "Print CSV; cells that a spreadsheet would run as formulas get an apostrophe.")
    var csv = false

    /// Ends the reading of rows that nobody is to see.
    private struct Enough: Error {}

    private static let rowsOfTable = 200

    func validate() throws {
        guard AggregateQuestion.Size(rawValue: by) != nil else { throw ValidationError("--by is day or month.") }
        if let limit, limit < 1 { throw ValidationError("--limit is a number from 1 on.") }
        if csv, common.json { throw ValidationError("Choose one of --json and --csv.") }
    }

    func run() throws {
        let reader = try common.openReader()
        defer { reader.close() }
        try Output.with { output in
            try reader.read { db in
                let chain = try ObservationResolver.chain(db, name: common.chain)
                let observation = try ObservationResolver.resolve(at, in: chain)
                try common.noteUnknownTypes(type, db)
                let zone = try Aggregates.zone(db, chain: chain.id)
                let question = try question(zone)
                if sql.showSql {
                    let queries = try ArchiveSQL.aggregates(db, chain, at: observation, question)
                    return try ShowSQL.print(queries, asJSON: common.json, to: output)
                }
                let rows = limit ?? (csv || common.json ? Int.max : Self.rowsOfTable)
                func forEach(_ body: (AggregateBucket) throws -> Void) throws -> Bool {
                    var count = 0
                    do {
                        try Aggregates.forEachBucket(db, chain, at: observation, question) { bucket in
                            if count == rows { throw Enough() }
                            count += 1
                            try body(bucket)
                            if output.isClosed { throw Output.Closed() }
                        }
                        return true
                    } catch is Enough {
                        return false
                    }
                }
                let isComplete: Bool
                if common.json {
                    isComplete = try printJSON(observation, question, zone, output, forEach)
                } else if csv {
                    isComplete = try printCSV(output, forEach)
                } else {
                    var buckets: [AggregateBucket] = []
                    isComplete = try forEach { buckets.append($0) }
                    let layout = DisplayOptions.layout(zone?.timeZone ?? .gmt)
                    try output.write(AggregatesText.page(observation, zone, by: question.size, buckets, layout))
                }
                try output.flush()
                if !isComplete { common.note("More follow: narrow it by --type, --since, --until, or raise --limit.") }
            }
        }
    }

    private func question(_ zone: ChainZone?) throws -> AggregateQuestion {
        var question = AggregateQuestion()
        let clocks = zone?.timeZone ?? .gmt
        question.size = AggregateQuestion.Size(rawValue: by) ?? .day
        question.types = type.isEmpty ? nil : TypeFilter(type)
        (question.since, question.until) = try TimeArgument.interval(since: since, until: until, zone: clocks)
        question.source = source
        return question
    }

    private func printJSON(
        _ observation: Observation, _ question: AggregateQuestion, _ zone: ChainZone?, _ output: Output,
        _ forEach: ((AggregateBucket) throws -> Void) throws -> Bool
    ) throws -> Bool {
        var writer = JSONWriter()
        AggregatesJSON.appendHead(observation, by: question.size, zone, to: &writer)
        var isFirst = true
        let isComplete = try forEach { bucket in
            AggregatesJSON.append(bucket, isFirst: isFirst, to: &writer)
            isFirst = false
            try output.write(writer.bytes)
            writer.removeAll()
        }
        AggregatesJSON.appendTail(isComplete: isComplete, to: &writer)
        try output.write(writer.bytes)
        return isComplete
    }

    private func printCSV(
        _ output: Output, _ forEach: ((AggregateBucket) throws -> Void) throws -> Bool
    ) throws -> Bool {
        var writer = CSVWriter(guardsFormulas: true)
        writer.appendRow(AggregatesCSV.header)
        let isTerminal = Terminal.isTerminal(1)
        let isComplete = try forEach { bucket in
            AggregatesCSV.append(bucket, to: &writer, forTerminal: isTerminal)
            try output.write(writer.bytes)
            writer.removeAll()
        }
        try output.write(writer.bytes)
        return isComplete
    }
}
