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
        let history = try reader.read { db in
            let chain = try ObservationResolver.chain(db, name: common.chain)
            return try History.read(db, chain: chain, prefix: identity)
        }
        try Output.with { output in
            if common.json {
                try output.writeLine(HistoryJSON.line(history))
            } else {
                try output.write(HistoryText.page(history, layout))
            }
        }
    }
}
