internal import ArgumentParser
internal import Questions
internal import Reporting

/// One observation.
struct Show: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Shows one observation: source and hashes, types with counts and sums, repairs, quarantine.")

    @OptionGroup var common: CommonOptions
    @OptionGroup var display: DisplayOptions
    @OptionGroup var sql: ShowSQL

    @Argument(help: .observation) var observation = "latest"

    func run() throws {
        let zone = try display.zone()
        try common.answer(sql) { db, chain in
            let found = try ObservationResolver.resolve(observation, in: chain)
            let report = try ObservationReport.read(db, found)
            return .of(report.showLine, report.showDocument(zone))
        }
    }
}
