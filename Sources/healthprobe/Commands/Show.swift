internal import Archive
internal import ArgumentParser
internal import Reporting

/// One observation.
struct Show: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Shows one observation: source and hashes, types with counts and sums, repairs, quarantine.",
        discussion: ExitCodes.reading())

    @OptionGroup var common: CommonOptions
    @OptionGroup var display: DisplayOptions
    @OptionGroup var sql: ShowSQL

    @Argument(
        help: ArgumentHelp("The observation: id, first, latest, latest~N, @2024-05-01.", valueName: "observation"))
    var observation = "latest"

    func run() throws {
        let layout = try display.layout()
        let reader = try common.openReader()
        defer { reader.close() }
        let report: ObservationReport? = try reader.read { db in
            let chain = try ObservationResolver.chain(db, name: common.chain)
            let found = try ObservationResolver.resolve(observation, in: chain)
            guard sql.showSql else { return try ObservationReport.read(db, found) }
            let queries = [ArchiveSQL.summaries(found), ArchiveSQL.sums(found), ArchiveSQL.visible(chain, at: found)]
            try ShowSQL.print(queries, asJSON: common.json)
            return nil
        }
        guard let report else { return }
        try Output.with { output in
            if common.json {
                try output.writeLine(ShowJSON.line(report))
            } else {
                try output.write(ShowText.page(report, layout))
            }
        }
    }
}
