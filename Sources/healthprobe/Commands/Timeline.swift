internal import Archive
internal import ArgumentParser
internal import Reporting

/// The chain's observations.
struct Timeline: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "timeline",
        abstract: "Lists the chain's observations in the order in which the exports were made.",
        discussion: ExitCodes.reading())

    @OptionGroup var common: CommonOptions
    @OptionGroup var display: DisplayOptions
    @OptionGroup var sql: ShowSQL

    @Flag(help: "Also failed, cancelled and unfinished imports.")
    var all = false

    func run() throws {
        let layout = try display.layout()
        if sql.showSql {
            let queries =
                [ArchiveSQL.timeline(chain: common.chain)] + (all ? [ArchiveSQL.unfinished(chain: common.chain)] : [])
            return try ShowSQL.print(queries, asJSON: common.json)
        }
        let reader = try common.openReader()
        defer { reader.close() }
        let entries = try reader.read { db in
            let chain = try ObservationResolver.chain(db, name: common.chain)
            let unfinished = all ? chain.all.filter { !$0.status.isFinished } : []
            let observations = chain.finished + unfinished
            let totals = try ObservationReport.totals(db, observations.map(\.id))
            return observations.map { (observation: $0, totals: totals[$0.id] ?? .init()) }
        }
        try Output.with { output in
            if common.json {
                try output.writeLine(TimelineJSON.line(entries))
            } else {
                try output.write(TimelineText.table(entries, chain: common.chain, layout))
            }
        }
    }
}
