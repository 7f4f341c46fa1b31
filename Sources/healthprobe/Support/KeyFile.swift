internal import Archive
internal import Exporting
internal import Reporting

/// The file of an archive's key, and whether it is the right one.
struct KeyFile {
    /// Where it lies: `--secret-file`, else the data folder.
    let place: KeyPlace
    private let identity: ArchiveInfo.Identity

    init(_ common: CommonOptions, _ identity: ArchiveInfo.Identity) {
        place = KeyPlace(archive: identity.uuid, secretFile: common.secretFile, environment: common.environment)
        self.identity = identity
    }

    /// How the file answers to the archive's key id.
    var state: ArchiveFacts.KeyState {
        guard !place.isMissing else { return .missing }
        guard let key = try? place.read() else { return .unreadable }
        return key.identifier == identity.keyID ? .present : .wrong
    }

    /// The key that a profile's pseudonyms need; nil for other profiles, and where it is lost.
    /// - Throws: `keyUnreadable`, `wrongKey`.
    static func read(
        _ common: CommonOptions, _ db: ArchiveDatabase, for profile: Provenance
    ) throws -> ArchiveKey? {
        guard profile == .hashed else { return nil }
        let file = KeyFile(common, try ArchiveInfo.identity(db))
        return file.state == .missing ? nil : try file.read()
    }

    /// The key.
    /// - Throws: `keyUnreadable`, `wrongKey`.
    func read() throws -> ArchiveKey { try Self.require(place.read(), identity) }

    /// A key from a file that must be the archive's, of any epoch, with its epoch.
    static func readAny(_ path: String, _ identity: ArchiveInfo.Identity) throws -> (key: ArchiveKey, epoch: Int64) {
        let key = try ArchiveKey.read(path)
        if let epoch = identity.epochs[key.identifier] { return (key, epoch) }
        return (try require(key, identity), identity.keyEpoch)
    }

    private static func require(_ key: ArchiveKey, _ identity: ArchiveInfo.Identity) throws -> ArchiveKey {
        guard key.identifier == identity.keyID else {
            throw ArchiveError(
                .wrongKey,
                "This is not the archive's key: its id is \(key.identifier), the archive's \(identity.keyID).",
                hint: "Give the file that key export wrote for this archive.")
        }
        return key
    }
}
