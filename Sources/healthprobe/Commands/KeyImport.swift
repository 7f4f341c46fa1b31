internal import Archive
internal import ArgumentParser
internal import Reporting
internal import TextFormats

/// The archive's key back in its place.
struct KeyImport: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import", abstract: "Puts the archive's key back where the program looks for it.",
        discussion: ExitCodes.reading("66 no such file; 73 there is another key already; "))

    @OptionGroup var common: CommonOptions

    @Argument(help: ArgumentHelp("The file that key export wrote.", valueName: "file"), completion: .file())
    var file: String

    func run() throws {
        try InputFile.require(file, hint: "Name the file that key export wrote.")
        let reader = try common.openReader()
        defer { reader.close() }
        let identity = try reader.read { try ArchiveInfo.identity($0) }
        let (key, epoch) = try KeyFile.readAny(file, identity)
        var place = KeyFile(common, identity).place
        if epoch != identity.keyEpoch {
            // A new epoch began meanwhile; the earlier key is kept beside the one in use.
            place = KeyPlace(archive: identity.uuid, epoch: epoch, environment: common.environment)
        }
        // The right key in its place already is what was asked for.
        if (try? place.read().identifier) != key.identifier { try place.write(key) }
        try Output.with { output in
            if common.json {
                try output.writeLine([
                    "path": .string(place.path), "keyID": .string(key.identifier), "epoch": .int(Int(epoch)),
                ])
            } else {
                let which = epoch == identity.keyEpoch ? "" : " of epoch \(epoch)"
                try output.write("\(TerminalText.safe(place.path)): key \(key.identifier)\(which).\n")
            }
        }
    }
}
