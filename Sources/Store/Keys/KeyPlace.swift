internal import Basics
internal import Foundation
internal import HealthModel

/// Where the keys of archives are looked for.
package struct KeySearch: Sendable {
    /// The key, if it is not in the data folder.
    package let secretFile: String?
    package let environment: [String: String]

    package init(secretFile: String? = nil, environment: [String: String]) {
        (self.secretFile, self.environment) = (secretFile, environment)
    }

    /// Where the key in use of an archive is.
    package func place(_ archive: ArchiveIdentity) -> KeyPlace {
        KeyPlace(archive: archive.uuid, secretFile: secretFile, environment: environment)
    }
}

/// Where an archive's key is: a file in the data folder, or the one that `--secret-file` names.
package struct KeyPlace: Sendable {
    package let path: String
    /// The data folder's folder of keys, which nobody else may enter; nil for a file that somebody named.
    private let ownFolder: String?

    /// The place of the key in use.
    package init(archive uuid: String, secretFile: String?, environment: [String: String]) {
        self.init(secretFile, "\(uuid).key", environment)
    }

    /// The place for the key of an epoch that is over, for the pseudonyms that were made under it.
    package init(archive uuid: String, epoch: Int64, environment: [String: String]) {
        self.init(nil, "\(uuid).epoch-\(epoch).key", environment)
    }

    private init(_ named: String?, _ file: String, _ environment: [String: String]) {
        let folder = "\(UserFolder.data.path(environment))/keys"
        path = named ?? "\(folder)/\(file)"
        ownFolder = named == nil ? folder : nil
    }

    /// Whether nothing is there; what cannot be looked at is not missing.
    package var isMissing: Bool {
        linkStatus(path) == nil && [ENOENT, ENOTDIR].contains(errno)
    }

    /// Reads the key.
    ///
    /// - Throws: `keyUnreadable`, also where others may read it or enter its folder.
    package func read() throws -> ArchiveKey {
        if let ownFolder { try Self.requirePrivate(ownFolder) }
        return try ArchiveKey.read(path)
    }

    /// Writes a key where none is, making the folder (mode 0700).
    ///
    /// - Throws: `keyUnreadable` where others may enter the folder, `cannotCreate`, `inputOutput`.
    package func write(_ key: ArchiveKey) throws {
        try makeFolder()
        try key.write(to: path)
        Folders.sync(Folders.containing(path))
    }

    /// Writes a key beside its place, for `publish`; what an earlier attempt left there goes.
    package func prepare(_ key: ArchiveKey) throws {
        try makeFolder()
        discard()
        try key.write(to: pending)
    }

    /// Puts the prepared key in its place; the caller holds the writer's lock and has found nothing there.
    package func publish() throws {
        guard rename(pending, path) == 0 else {
            let reason = errno
            discard()
            throw HealthProbeError(
                .cannotCreate, "The key file cannot be made: \(systemMessage(reason)).",
                hint: "Check that its folder can be written to: \(path)")
        }
        Folders.sync(Folders.containing(path))
    }

    /// Takes the prepared key away.
    package func discard() { unlink(pending) }

    private var pending: String { path + ".new" }

    private func makeFolder() throws {
        guard let ownFolder else { return }
        Folders.makePrivate(ownFolder)
        try Self.requirePrivate(ownFolder)
    }

    private static func requirePrivate(_ folder: String) throws {
        // What cannot be looked at cannot be read from either, and reading says why.
        guard let info = status(folder), info.st_mode & 0o077 != 0 else { return }
        throw HealthProbeError(
            .keyUnreadable, "Other users can enter the folder of the archive's key.",
            hint: "Run: chmod 700 \(folder)")
    }
}
