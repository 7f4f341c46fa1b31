internal import ArgumentParser
internal import Basics
internal import Exporting
internal import Store

/// Care of the archive's key.
struct KeyGroup: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "key", abstract: "Exports and restores the archive's key, which makes the pseudonyms of exports.",
        subcommands: [KeyExport.self, KeyImport.self])
}

/// A copy of the archive's key.
struct KeyExport: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Writes the archive's key to a file.",
        discussion: """
            With the key, somebody can test guesses against the pseudonyms of this archive's exports. Keep it apart \
            from them.
            """)

    @OptionGroup var common: CommonOptions

    @Argument(help: ArgumentHelp("The file to write; it must not exist yet.", valueName: "file"), completion: .file())
    var file: String

    func run() throws {
        let reader = try common.openReader()
        defer { reader.close() }
        try OutputGuard(archive: reader.path).requireNoArchive(file)
        let identity = try reader.read { try ArchiveIdentity.read($0) }
        try KeyFile(identity, common.keys).read().write(to: file)
        try common.print(.row(["path": file, "keyID": identity.keyID]), "\(file): key \(identity.keyID).")
    }
}

/// Restores the archive's key.
struct KeyImport: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import", abstract: "Restores the archive's key from a file that key export wrote.")

    @OptionGroup var common: CommonOptions

    @Argument(help: ArgumentHelp("The file that key export wrote.", valueName: "file"), completion: .file())
    var file: String

    func run() throws {
        try InputFile.require(file, hint: "Name the file that key export wrote.")
        let identity = try common.read { try ArchiveIdentity.read($0) }
        let (key, epoch) = try KeyFile.readAny(file, identity)
        var place = KeyFile(identity, common.keys).place
        if epoch != identity.keyEpoch {
            // A new epoch began meanwhile; the earlier key is kept beside the one in use.
            place = KeyPlace(archive: identity.uuid, epoch: epoch, environment: common.environment)
        }
        // The right key is in place already.
        if (try? place.read().identifier) != key.identifier { try place.write(key) }
        let which = epoch == identity.keyEpoch ? "" : " of epoch \(epoch)"
        try common.print(
            .row(["path": place.path, "keyID": key.identifier, "epoch": epoch]),
            "\(place.path): key \(key.identifier)\(which).")
    }
}
