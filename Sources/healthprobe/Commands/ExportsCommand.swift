internal import Archive
internal import ArgumentParser
internal import Exporting
internal import Presentation
internal import Reporting
internal import TextFormats

/// The exports that the archive has recorded.
struct ExportsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "exports", abstract: "Lists the exports that were written, with their status.",
        discussion: """
            current: asked again, it would come out the same; --rerun tries it (reproduced, differs). superseded: the chain
            has got an older observation, or what one lacked, since. keyMissing: its pseudonyms need a key that is not there,
            so that nobody can tell.
            Whether a written file is still what it was, verify-export tells.

            \(ExitCodes.reading())
            """)

    @OptionGroup var common: CommonOptions
    @OptionGroup var display: DisplayOptions

    @Flag(help: "Run each export again, without writing, and compare its hashes.")
    var rerun = false

    func run() throws {
        let layout = try display.layout()
        let reader = try common.openReader()
        defer { reader.close() }
        let progress = common.progress("Running exports again")
        defer { progress.finish() }
        let entries = try reader.read { db in
            let file = KeyFile(common, try ArchiveInfo.identity(db))
            let key = file.state == .present ? try file.read() : nil
            return try RecordedExport.all(db).map { export in
                (export: export, status: try ExportReproduction.status(db, export, key: key, rerun: rerun))
            }
        }
        progress.finish()
        try Output.with { output in
            if common.json {
                try output.writeLine([
                    "schema": "healthprobe.exports/1",
                    "exports": .array(entries.map { Self.json($0.export, $0.status) }),
                ])
            } else {
                try output.write(ExportsText.table(entries.map { ($0.export, $0.status.rawValue) }, layout))
            }
        }
        if entries.contains(where: { $0.status == .differs }) { throw ExitCode(ExitCodes.integrity) }
    }

    private static func json(_ export: RecordedExport, _ status: ExportReproduction.Status) -> JSON {
        [
            "id": .int(Int(export.id)), "exportId": .string(export.exportID), "kind": .string(export.kind),
            "createdAt": .string(ISO8601.string(unixSeconds: export.createdAt)),
            "recordedAt": .string(ISO8601.string(unixSeconds: export.recordedAt)),
            "from": .optional(export.fromObservation.map { Int($0) }),
            "to": .optional(export.toObservation.map { Int($0) }), "recordCount": .int(Int(export.recordCount)),
            "manifestHash": .string(export.manifestHash), "itemsRecorded": .bool(export.hasItems),
            "program": .string(export.program), "status": .string(status.rawValue),
        ]
    }
}
