internal import Archive
internal import ArgumentParser
internal import Exporting
internal import Foundation
internal import Presentation
internal import TextFormats

/// A Health export again, as Apple-compatible readers import it.
struct ExportXML: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "xml", abstract: "Writes a Health export again: export.xml, or a whole export.zip.",
        discussion: """
            --at writes what was visible at an observation; --state ever every sample that was ever visible up to it, once,
            in its last representation; --state finest the visible state with every complete consolidation group replaced by its
            stored constituents. --from and --to write what changed between two: --change appeared, disappeared,
            representationChanged (in the later representation), consolidated (the constituents of groups), unexplained. Reading a whole state back from a zip gives the same
            items, identities and versions; an XML alone lacks tracks and ECGs. OUTPUT.manifest.json says what is in it and
            what known importers lose.

            \(ExitCodes.all)
            """)

    @OptionGroup var common: CommonOptions
    @OptionGroup var export: ExportOptions

    @Option(help: ArgumentHelp("The observation: id, first, latest, latest~N, @2024-05-01.", valueName: "observation"))
    var at: String?

    @Option(help: ArgumentHelp("What changed since this observation.", valueName: "observation"))
    var from: String?

    @Option(
        help: ArgumentHelp("What changed up to this observation; latest where it is absent.", valueName: "observation"))
    var to: String?

    @Option(
        help: ArgumentHelp(

            "appeared, disappeared, representationChanged, consolidated (constituents), unexplained; commas between.",
            valueName: "kinds"))
    var change: [String] = []

    @Option(help: ArgumentHelp("Of --at: visible, ever (all visible up to it), finest.", valueName: "state"))
    var state: String?

    @Flag(help: "Write a whole export.zip with routes, ECGs, clinical records and attachments.")
    var zip = false

    // West of Greenwich it looks like an option.
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("The offset of all dates instead of the observation's: +0200, -0530.", valueName: "offset"))
    var offset: String?

    @Flag(help: "Give records without a creation date their start as one; they read back as other versions.")
    var fillCreationDates = false

    func validate() throws {
        if from == nil, to != nil || !change.isEmpty { throw ValidationError("--to and --change go with --from.") }
        if from != nil, at != nil || state != nil { throw ValidationError("Choose one of --at and --from.") }
        _ = try kinds()
    }

    func run() throws {
        let reader = try common.openReader()
        defer { reader.close() }
        let (request, key) = try reader.read { db in
            let request = try self.request(db)
            return (request, try KeyFile.read(common, db, for: request.provenance))
        }
        let progress = common.progress("Writing")
        defer { progress.finish() }
        Interruption.watch()
        let manifest: HealthExportManifest
        if export.preview {
            manifest = try HealthExportJob.preview(reader, request, key: key, isCancelled: { Interruption.isRequested })
            {
                progress.update(done: Int($0), total: nil, items: Int($0))
            }
        } else {
            manifest = try HealthExportJob.run(
                reader, request, key: key, to: export.output ?? "", force: export.force,
                signingKey: export.sign, isCancelled: { Interruption.isRequested }
            ) { progress.update(done: Int($0), total: nil, items: Int($0)) }
        }
        progress.finish()
        reader.close()
        let refusal = export.preview ? nil : ExportRecording.record(manifest.recording, items: nil, common)
        try Output.with { output in
            if common.json {
                try output.writeLine(
                    manifest.json.adding([
                        ("recorded", .bool(!export.preview && refusal == nil)), ("notRecorded", .optional(refusal)),
                    ]))
            } else {
                let verb = export.preview ? "Would write" : "Wrote"
                let size = "\(manifest.byteCount) bytes\(manifest.isUncompressed ? " before compression" : "")"
                try output.write("\(verb) \(manifest.itemCount) items, \(size).\n")
                for warning in manifest.warnings { try output.write("note: \(TerminalText.safe(warning))\n") }
            }
        }
    }
}
