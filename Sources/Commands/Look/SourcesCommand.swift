internal import ArgumentParser
internal import HealthModel
internal import Questions
internal import Reporting

/// The sources of a chain: what `--source` may name.
struct SourcesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sources",
        abstract: "Lists the sources of all records that the chain ever held.",
        discussion: """
            For each source: versions, devices, types with counts, first start and last end. A sample counts once, \
            however many exports show it; that of a renamed source counts under each of its names.

            --source compares names without regard to case, no-break spaces and typographic quotes. All names that are \
            then equal are selected, and each is counted apart.
            """)

    @OptionGroup var common: CommonOptions
    @OptionGroup var display: DisplayOptions

    @Option(help: .types, transform: NamedArgument.read) var type: [String] = []

    func run() throws {
        let zone = try display.zone()
        try common.answer { db, chain in
            try common.noteUnknownTypes(type, db)
            let list = try SourceList.read(db, chain, types: type.isEmpty ? nil : TypeFilter(type))
            return .of(list.json, list.document(chain: common.chain, zone))
        }
    }
}
