internal import Analysis
internal import Archive
internal import ArgumentParser
internal import Reporting

/// What the archive knows of one sample.
struct HistoryCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "history",
        abstract: "Shows one sample: its representations, when each was visible, what happened, linked samples.",
        discussion: ExitCodes.reading())

    @OptionGroup var common: CommonOptions
    @OptionGroup var display: DisplayOptions

    @Argument(help: ArgumentHelp("The identity, or its first digits: at least four.", valueName: "identity"))
    var identity: String

    func run() throws {
        let layout = try display.layout()
        let reader = try common.openReader()
        defer { reader.close() }
        let (history, consolidation) = try reader.read { db in
            let chain = try ObservationResolver.chain(db, name: common.chain)
            let history = try History.read(db, chain: chain, prefix: identity)
            let copies = history.versions.map(\.record)
            return (history, try SampleConsolidation.read(db, chain: chain, copies: copies).parts)
        }
        try Output.with { output in
            if common.json {
                try output.writeLine(HistoryJSON.line(history, consolidation))
            } else {
                try output.write(HistoryText.page(history, consolidation, layout))
            }
        }
    }
}
