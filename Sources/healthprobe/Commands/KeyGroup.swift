internal import ArgumentParser

/// Care of the archive's key.
struct KeyGroup: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "key", abstract: "Keeps and restores the archive's key, which makes the pseudonyms of exports.",
        discussion: ExitCodes.all, subcommands: [KeyExport.self, KeyImport.self])
}
