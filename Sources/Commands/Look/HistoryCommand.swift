internal import ArgumentParser
internal import Questions
internal import Reporting

/// Everything about one sample.
struct HistoryCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "history",
        abstract: "Shows one sample: its representations, when each was visible, its events and linked samples.")

    @OptionGroup var common: CommonOptions
    @OptionGroup var display: DisplayOptions

    @Argument(help: .identity) var identity: String

    func run() throws {
        let zone = try display.zone()
        try common.answer { db, chain in
            let history = try History.read(db, chain: chain, prefix: identity)
            let records = history.versions.map(\.record)
            let parts = try SampleConsolidation.read(db, chain: chain, records: records)
            return .of(history.line(parts), history.document(parts, zone))
        }
    }
}
