internal import Archive
internal import ArgumentParser
internal import Presentation
internal import Reporting

/// The archive's key back in its place.
struct KeyImport: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import", abstract: "Puts the archive's key back where the program looks for it.",
        discussion: ExitCodes.reading("73 there is another key already; "))

    @OptionGroup var common: CommonOptions

    @Argument(help: ArgumentHelp("The file that key export wrote.", valueName: "file"), completion: .file())
    var file: String

    func run() throws {
        let reader = try common.openReader()
        defer { reader.close() }
        let identity = try reader.read { try ArchiveInfo.identity($0) }
        let key = try KeyFile.read(file, identity)
        let place = KeyFile(common, identity)
        // The right key in its place already is what was asked for.
        if place.state != .present { try key.write(to: place.path) }
        try Output.with { output in
            if common.json {
                try output.writeLine(["path": .string(place.path), "keyID": .string(identity.keyID)])
            } else {
                try output.write("\(TerminalText.safe(place.path)): key \(identity.keyID).\n")
            }
        }
    }
}
