import ArgumentParser
import SyntheticExportGenerator

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
        var sizing = sizing
        sizing.days = sizing.days ?? 10
        sizing.records = sizing.records ?? 500
        sizing.athlete = 0
        var scenario = try sizing.scenario()
        scenario.dumps[0].malformations = kinds
        let result = try SyntheticExportGenerator(scenario: scenario, form: form).write(dump: 0, to: output)
        if let summary { try SyntheticExportGenerator.save(result, to: summary) }
        report(result)
    }
}
