internal import ArgumentParser
internal import Questions
internal import Reporting

/// The chain's observations.
struct Timeline: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "timeline",
        abstract: "Lists the chain's observations in the order of their exports.")

    @OptionGroup var common: CommonOptions
    @OptionGroup var display: DisplayOptions
    @OptionGroup var sql: ShowSQL

    @Flag(help: "Also failed, cancelled, withdrawn and unfinished imports.")
    var all = false

    func run() throws {
        let zone = try display.zone()
        try common.answer(sql) { db, chain in
            let entries = try ObservationReport.timeline(db, chain, all: all)
            return .of(
                ObservationReport.timelineLine(entries),
                ObservationReport.timelineDocument(entries, chain: common.chain, zone))
        }
    }
}
