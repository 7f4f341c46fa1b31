internal import ArgumentParser

/// What leaves the archive: structured exports in bags, and Health exports written again.
struct ExportGroup: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Writes what the archive holds into files that can be verified without it.",
        discussion: """
            records, types and manifest say what was visible --at an observation; diff and selection what changed between
            two. Each writes a folder (a BagIt bag) with data/envelope.json, data/items.json, .ndjson or .csv, and
            checksums; healthprobe verify-export checks it without the archive. Nothing is written over without --force,
            and an export that is interrupted leaves nothing that looks like one.

            \(ExitCodes.all)
            """,
        subcommands: [
            ExportRecords.self, ExportTypes.self, ExportManifest.self, ExportDiff.self, ExportSelection.self,
            ExportXML.self,
        ])
}
