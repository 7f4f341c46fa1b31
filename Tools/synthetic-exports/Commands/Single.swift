import ArgumentParser
import SyntheticExportGenerator

struct Single: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Writes one export of about so many records.",
        discussion: """
            Example:
              synthetic-exports single --records 2000000 --output /tmp/export.xml
            """)

    @OptionGroup var sizing: SizeOptions

    @Option(help: ArgumentHelp("Form: xml, folder or zip.", valueName: "form"))
    var form: ExportForm = .xml

    @Option(help: ArgumentHelp("Where to write the counts by type as JSON.", valueName: "path"))
    var summary: String?

    @Option(name: .shortAndLong, help: "The file (for --form folder: the folder) to write.")
    var output: String

    func run() throws {
        let result = try SyntheticExportGenerator(scenario: sizing.scenario(), form: form).write(dump: 0, to: output)
        if let summary { try SyntheticExportGenerator.save(result, to: summary) }
        report(result)
    }
}
