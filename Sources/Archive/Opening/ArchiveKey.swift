internal import Crypto
internal import Foundation
internal import GRDB
internal import HealthModel

/// The archive secret: 32 random bytes outside the archive, for pseudonyms of what leaves it.
package struct ArchiveKey: Sendable {
    package let bytes: [UInt8]

    /// Eight bytes of SHA-256 that name the key without telling it.
    package var identifier: String {
        Hex.string(SHA256.hash(data: Array("hp:v2:key_id:".utf8) + bytes).prefix(8))
    }

    /// HMAC-SHA-256 of the domain-prefixed text, lower-case hexadecimal.
    package func pseudonym(_ text: String, domain: String) -> String {
        let code = HMAC<SHA256>.authenticationCode(
            for: Array("hp:v2:\(domain):".utf8) + Array(text.utf8), using: SymmetricKey(data: bytes))
        return Hex.string(Array(code))
    }

    package init(bytes: [UInt8]) throws {
        guard bytes.count == 32 else {
            throw ArchiveError(
                .keyUnreadable, "The key has \(bytes.count) bytes instead of 32.",
                hint: "Give the file that key export wrote.")
        }
        self.bytes = bytes
    }

    /// Where the key of an archive lies unless `--secret-file` names another place.
    package static func defaultPath(archive uuid: String, environment: [String: String]) -> String {
        "\(DataFolder.path(environment))/keys/\(uuid).key"
    }

    /// Where the key of an epoch that is over is kept, for the pseudonyms that were made under it.
    package static func defaultPath(archive uuid: String, epoch: Int64, environment: [String: String]) -> String {
        "\(DataFolder.path(environment))/keys/\(uuid).epoch-\(epoch).key"
    }

    /// Reads a key; refuses one that others may read.
    package static func read(_ path: String) throws -> ArchiveKey {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else {
            throw ArchiveError(
                .keyUnreadable, "The archive's key cannot be read: \(String(cString: strerror(errno))).",
                hint: "Restore it with healthprobe key import, or name it with --secret-file.")
        }
        defer { close(descriptor) }
        var info = stat()
        guard fstat(descriptor, &info) == 0, info.st_mode & 0o077 == 0 else {
            throw ArchiveError(
                .keyUnreadable, "The archive's key can be read by others.", hint: "Run: chmod 600 \(path)")
        }
        var bytes = [UInt8](repeating: 0, count: 64)
        let got = bytes.withUnsafeMutableBytes { Foundation.read(descriptor, $0.baseAddress, 64) }
        guard got >= 0 else {
            throw ArchiveError(
                .keyUnreadable, "The archive's key cannot be read: \(String(cString: strerror(errno))).",
                hint: "Check the disk, or name a copy of the key with --secret-file.")
        }
        return try ArchiveKey(bytes: Array(bytes.prefix(got)))
    }

    /// The key of an open archive; nil where it has none any more.
    ///
    /// - Throws: `wrongKey` where it is another archive's, `keyUnreadable` where others may read it.
    static func ofArchive(
        _ queue: DatabaseQueue, secretFile: String?, environment: [String: String]
    ) throws -> ArchiveKey? {
        let metadata = try queue.read { db in
            try Row.fetchAll(db, sql: "SELECT key, value FROM archive_metadata WHERE key IN ('archive_uuid', 'key_id')")
        }
        let values = try Dictionary(metadata.map { try ($0.get("key") as String, $0.get("value") as String) }) {
            first, _ in first
        }
        let path = secretFile ?? defaultPath(archive: values["archive_uuid"] ?? "", environment: environment)
        guard secretFile != nil || FileManager.default.fileExists(atPath: path) else { return nil }
        let key = try read(path)
        guard key.identifier == values["key_id"] else {
            throw ArchiveError(
                .wrongKey, "This is not the key of this archive.",
                hint: "Name the right one with --secret-file, or restore it with healthprobe key import.")
        }
        return key
    }

    /// Makes a new key for an archive whose key is lost and counts the epoch up.
    static func startEpoch(_ db: Database, environment: [String: String]) throws -> (ArchiveKey, epoch: Int) {
        let key = try random()
        var epoch = 1
        try db.inTransaction {
            let metadata = try Row.fetchAll(db, sql: "SELECT key, value FROM archive_metadata")
            let values = try Dictionary(metadata.map { try ($0.get("key") as String, $0.get("value") as String) }) {
                first, _ in first
            }
            epoch = (values["key_epoch"].flatMap { Int($0) } ?? 1) + 1
            for (name, value) in [("key_epoch", "\(epoch)"), ("key_id", key.identifier)] {
                try db.execute(sql: "UPDATE archive_metadata SET value = ? WHERE key = ?", arguments: [value, name])
            }
            try RowDigests.append(db, "key_epochs", [Date().timeIntervalSince1970, key.identifier])
            try RunLog.append(
                db, .keyEpoch, outcome: "began", details: [("epoch", "\(epoch)"), ("keyID", key.identifier)])
            try key.write(to: defaultPath(archive: values["archive_uuid"] ?? "", environment: environment))
            return .commit
        }
        return (key, epoch)
    }

    /// Makes a new key from the system's random source.
    package static func random() throws -> ArchiveKey {
        var generator = SystemRandomNumberGenerator()
        return try ArchiveKey(bytes: (0..<32).map { _ in UInt8.random(in: 0...255, using: &generator) })
    }

    /// Writes the key to a file that must not exist (mode 0600, folder 0700), synced.
    package func write(to path: String) throws {
        let folder = (path as NSString).deletingLastPathComponent
        if !folder.isEmpty {
            try? FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        }
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else {
            let exists = errno == EEXIST
            throw ArchiveError(
                .cannotCreate, exists ? "There is a file at \(path) already." : "The key file cannot be made.",
                hint: "Choose another path.")
        }
        defer { close(descriptor) }
        let written = bytes.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, 32) }
        guard written == 32, fsync(descriptor) == 0 else {
            unlink(path)
            throw ArchiveError(.inputOutput, "The key file cannot be written.", hint: "Check the disk.")
        }
    }
}

/// Where the program keeps its data.
package enum DataFolder {
    /// `$XDG_DATA_HOME/healthprobe`, else `~/.local/share/healthprobe`.
    package static func path(_ environment: [String: String]) -> String {
        if let base = environment["XDG_DATA_HOME"], base.hasPrefix("/") { return base + "/healthprobe" }
        return (environment["HOME"] ?? NSHomeDirectory()) + "/.local/share/healthprobe"
    }
}
