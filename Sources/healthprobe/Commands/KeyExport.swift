internal import Archive
internal import ArgumentParser
internal import Exporting
internal import Presentation

/// A copy of the archive's key.
struct KeyExport: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Writes the archive's key to a file, for safe keeping.",
        discussion: """
            Who has the key can turn guesses into the pseudonyms of this archive's exports. Keep it apart from them.

            \(ExitCodes.reading("73 the file exists or cannot be made; "))
            """)

    @OptionGroup var common: CommonOptions

    @Argument(help: ArgumentHelp("Where to write; nothing may be there yet.", valueName: "file"), completion: .file())
    var file: String

    func run() throws {
        let reader = try common.openReader()
        defer { reader.close() }
        try OutputGuard(archive: reader.path).requireNoArchive(file)
        let identity = try reader.read { try ArchiveInfo.identity($0) }
        try KeyFile(common, identity).read().write(to: file)
        try Output.with { output in
            if common.json {
                try output.writeLine(["path": .string(file), "keyID": .string(identity.keyID)])
            } else {
                try output.write("\(TerminalText.safe(file)): key \(identity.keyID).\n")
            }
        }
    }
}
