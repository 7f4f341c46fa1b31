import ArgumentParser
import SyntheticExportGenerator

/// One damaged export.
struct Malformed: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Writes one export with damage of a chosen kind.",
        discussion: "Kinds:\n"
            + Malformation.allCases.map { kind in
                "  " + kind.rawValue + String(repeating: " ", count: 26 - kind.rawValue.count) + kind.summary
            }.joined(separator: "\n"))

    @Argument(help: ArgumentHelp("What is damaged; several are possible.", valueName: "kind"))
    var kinds: [Malformation]

    @OptionGroup var sizing: SizeOptions

    @Option(help: ArgumentHelp("Form: xml, folder or zip.", valueName: "form"))
    var form: ExportForm = .xml

    @Option(help: ArgumentHelp("Where to write counts and the line of the damage as JSON.", valueName: "path"))
    var summary: String?

    @Option(name: .shortAndLong, help: "The file (for --form folder: the folder) to write.")
    var output: String

    func run() throws {
        let days = sizing.days ?? 10
        let density = Scenario.density(records: sizing.records ?? 500, days: days, seed: sizing.seed)
        let plan = DumpPlan(days: days, version: try SizeOptions.version(sizing.exportVersion), malformations: kinds)
        let scenario = Scenario(seed: sizing.seed, density: density, dumps: [plan], locale: sizing.locale)
        let result = try SyntheticExportGenerator(scenario: scenario, form: form).write(dump: 0, to: output)
        if let summary { try SyntheticExportGenerator.save(result, to: summary) }
        report(result)
    }
}
