internal import ArgumentParser
internal import Basics
internal import Exporting
internal import HealthModel
internal import Presentation
internal import Questions
internal import Reporting
internal import Store

extension HealthState: ExpressibleByArgument {}

/// The records that Health merged, as they were before.
struct Recover: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "recover",
        abstract: "Writes the records that Health merged into longer ones, as they were.",
        discussion: """
            Months after a workout Health merges its records into fewer, longer ones. Where the archive has the \
            originals, this command writes them again.

            --format xml (the default) writes a Health export that other programs read: export.zip with all records \
            of the latest observation, the originals instead of the merged records. It is what export xml --zip \
            --state finest writes. csv and ndjson write a table with the originals alone.

            Nothing can be written back into Health.
            """)

    /// What is written.
    enum Format: String, CaseIterable, ExpressibleByArgument {
        case xml, csv, ndjson
    }

    @OptionGroup var common: CommonOptions
    @OptionGroup var export: ExportOptions
    @OptionGroup var sharing: SharingOptions

    @Option(help: .observation) var at = "latest"

    @Option(help: ArgumentHelp("xml: a Health export; csv, ndjson: the originals as a table.", valueName: "format"))
    var format = Format.xml

    func validate() throws {
        guard format != .xml else { return }
        if export.isStream { throw ValidationError("--output - goes with --format xml.") }
        if export.sign != nil || export.provenance != nil || !export.include.isEmpty {
            throw ValidationError("--sign, --provenance and --include go with --format xml.")
        }
        if sharing.isGiven { throw ValidationError("--shift-days and --trim-tracks go with --format xml.") }
    }

    func run() throws {
        guard format == .xml else { return try writeTable() }
        let shared = try sharing.copy()
        try ExportRun(.health, common, export).runHealth(telling: { manifest in
            Self.document(manifest.groups ?? .init(), output: export.preview ? nil : export.output, Self.useOfExport)
        }) { snapshot in
            var question = try ExportQuestion(.health, to: at, in: snapshot.chain)
            question.state = .finest
            question.isZip = true
            question.sharing = shared
            return question
        }
        if !export.preview { try sharing.tell(shared, common) }
    }

    // MARK: - Tables

    private static let pageSize = 10_000

    /// Writes the originals alone.
    private func writeTable() throws {
        let reader = try common.openReader()
        defer { reader.close() }
        let progress = common.progress("Writing")
        defer { progress.finish() }
        let counts = try reader.read { db in
            let snapshot = try Snapshot(db, chain: common.chain)
            let observation = try snapshot.observation(at)
            var question = RecordPage.Question()
            question.types = try export.typeIdentifiers(db, common).map { TypeFilter($0, matchesWhenEmpty: false) }
            (question.since, question.until) = try export.interval()
            question.limit = Self.pageSize
            let counts = try HealthState.finest.rows(
                snapshot, at: observation, types: question.types, around: question.interval
            ).counts
            guard let path = export.output, !export.preview else { return counts }
            let place = try OutputPlace(
                path, .file("table"), OutputGuard(archive: reader.path), replaces: export.force)
            _ = try place.publish { write in
                var done = 0
                repeat {
                    if Interruption.isRequested { throw FileFailure.interrupted }
                    var page = try RecordPage.read(db, of: GroupExpansion.originals, question)
                    let next = page.next
                    page.next = nil
                    try write(
                        format == .csv
                            ? page.csv(forTerminal: false, withHeading: question.after == nil) : page.lines)
                    done += page.records.count
                    progress.update(done: done, total: counts?.constituents)
                    question.after = next
                } while question.after != nil
            }
            return counts
        }
        progress.finish()
        let found = counts ?? .init()
        try common.print(
            .of(
                .line(
                    "recover",
                    [
                        "path": export.preview ? nil : export.output, "format": format.rawValue,
                        "groupsReplaced": found.replaced, "replacements": found.replacements,
                        "constituents": found.constituents, "groupsLeft": found.left,
                    ]),
                Self.document(found, output: export.preview ? nil : export.output, Self.useOfTable)))
    }

    // MARK: - Words

    private static let useOfExport =
        "Programs that read a Health export read this file like one from the phone; Health itself takes none back."
    private static let useOfTable = "Open it in a spreadsheet or a script; docs/cli.md lists its columns."

    /// What was put back, what could not, and what to do with it: a line each.
    private static func document(_ counts: GroupExpansion.Counts, output: String?, _ use: String) -> Document {
        let verb = output == nil ? "Would put back" : "Put back"
        let originals = Counts.of(counts.constituents, "record")
        let back =
            counts.replaced > 0
            ? "\(verb): \(originals) that Health had merged into \(Counts.grouped(counts.replacements))."
            : "\(verb): nothing; the archive has no complete originals of merged records."
        let missing =
            counts.left > 0
            ? "Not put back: \(Counts.of(counts.left, "merged record")), because not all of their originals are in this archive."
            : "Not put back: nothing; no merged record is left."
        let what = output.map { "\($0): \(use)" } ?? use
        return Document([back, missing, what].map { .paragraph($0) })
    }
}
