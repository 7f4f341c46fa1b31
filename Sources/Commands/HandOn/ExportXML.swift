internal import ArgumentParser
internal import Exporting
internal import HealthModel
internal import Questions

/// A Health export again, as Apple-compatible readers import it.
struct ExportXML: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "xml", abstract: "Writes a Health export: export.xml, or a whole export.zip.",
        discussion: """
            --at writes a state of the archive, by --state: visible, what an observation shows; ever, each sample that \
            was visible at any observation up to it, in its last representation; finest, the visible records with the \
            stored originals of every complete consolidation group instead of the longer records that Health merged \
            them into; everything, the same of all that was ever visible. The last line states what was replaced, what \
            was left, and why; so does --preview.

            --from and --to write what changed between two observations. Records that changed their representation are \
            written as the later one.

            A zip (--zip) reads back as the same items, identities and versions; a bare XML lacks tracks and ECGs. \
            OUTPUT.manifest.json lists the content and what known importers lose; a zip on standard output has it as \
            manifest.json.

            --shift-days and --trim-tracks make a copy for others, with --provenance hashed or none: a bug report or a \
            study gets a real file without a real life. Such a copy is not recorded in the archive.
            """)

    @OptionGroup var common: CommonOptions
    @OptionGroup var export: ExportOptions
    @OptionGroup var sharing: SharingOptions

    @Option(help: .observation) var at: String?

    @Option(help: ArgumentHelp("What changed since this observation.", valueName: "observation"))
    var from: String?

    @Option(
        help: ArgumentHelp("What changed up to this observation; without it, latest.", valueName: "observation"))
    var to: String?

    @Option(
        help: ArgumentHelp(
            "appeared, disappeared, representationChanged, consolidated (constituents), unexplained; separate with commas.",
            valueName: "kinds"))
    var change: [String] = []

    @Option(
        help: ArgumentHelp(
            "With --at; ever: all up to it; finest: originals of merged records; everything: both.",
            valueName: "state"))
    var state: HealthState?

    @Flag(help: "Write a whole export.zip with routes, ECGs, clinical records and attachments.")
    var zip = false

    // West of Greenwich it looks like an option.
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "The UTC offset of all dates instead of the observation's: +0200, -0530.", valueName: "offset"))
    var offset: String?

    @Flag(help: "Write the start as creation date of records that have none; they read back as other versions.")
    var fillCreationDates = false

    func validate() throws {
        if from == nil, to != nil || !change.isEmpty { throw ValidationError("--to and --change go with --from.") }
        if from != nil, at != nil { throw ValidationError("Choose one of --at and --from.") }
        if from != nil, state != nil { throw ValidationError("--state goes with --at, not with --from.") }
        if export.isStream, !zip { throw ValidationError("--output - writes a zip: add --zip.") }
        _ = try changes()
    }

    func run() throws {
        let shared = try sharing.copy()
        try ExportRun(.health, common, export).runHealth { snapshot in
            var question = try ExportQuestion(.health, from: from, to: at ?? to, in: snapshot.chain)
            question.changes = try changes()
            question.state = state ?? .visible
            question.offsetSeconds = try offset.map { text in
                guard let seconds = ExportQuestion.offsetSeconds(text) else {
                    throw HealthProbeError(
                        .usage, "--offset takes hours and minutes.", hint: "Write +0200 or -0530.")
                }
                return seconds
            }
            question.isZip = zip
            question.fillsCreationDates = fillCreationDates
            question.sharing = shared
            return question
        }
        if !export.preview { try sharing.tell(shared, common) }
    }

    private func changes() throws -> [ExportChange] { try ListArgument.values(change, option: "--change") }
}
