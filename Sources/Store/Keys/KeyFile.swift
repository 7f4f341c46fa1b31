internal import HealthModel

/// The file of an archive's key, and whether it is the right one.
package struct KeyFile: Sendable {
    /// How the file answers to the archive's stored key id.
    package enum State: String, Sendable {
        case present, missing, wrong, unreadable
    }

    /// Where it is: `--secret-file`, else the data folder.
    package let place: KeyPlace
    private let identity: ArchiveIdentity

    package init(_ identity: ArchiveIdentity, _ keys: KeySearch) {
        place = keys.place(identity)
        self.identity = identity
    }

    package var state: State {
        guard !place.isMissing else { return .missing }
        guard let key = try? place.read() else { return .unreadable }
        return key.identifier == identity.keyID ? .present : .wrong
    }

    /// The key.
    /// - Throws: `keyUnreadable`, `wrongKey`.
    package func read() throws -> ArchiveKey { try Self.require(place.read(), identity) }

    /// A key from a file that must be the archive's, of any epoch, with its epoch.
    package static func readAny(
        _ path: String, _ identity: ArchiveIdentity
    ) throws -> (key: ArchiveKey, epoch: Int64) {
        let key = try ArchiveKey.read(path)
        if let epoch = identity.epochs[key.identifier] { return (key, epoch) }
        return (try require(key, identity), identity.keyEpoch)
    }

    private static func require(_ key: ArchiveKey, _ identity: ArchiveIdentity) throws -> ArchiveKey {
        guard key.identifier == identity.keyID else {
            throw HealthProbeError(
                .wrongKey,
                "This is not the archive's key: its id is \(key.identifier), the archive's \(identity.keyID).",
                hint: "Give the file that key export wrote for this archive.")
        }
        return key
    }
}
