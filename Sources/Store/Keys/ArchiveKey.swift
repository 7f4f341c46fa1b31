internal import Basics
internal import Foundation
package import HealthModel

/// The archive secret: 32 random bytes outside the archive, for pseudonyms of what leaves it.
package struct ArchiveKey: Sendable {
    package let bytes: [UInt8]

    /// Eight bytes of SHA-256 that name the key without telling it.
    package var identifier: String {
        var hash = SHA256()
        hash.update(Array("hp:v2:key_id:".utf8) + bytes)
        return Hex.string(hash.finalize().data.prefix(8))
    }

    /// HMAC-SHA-256 of the domain-prefixed text, lower-case hexadecimal.
    package func pseudonym(_ text: String, domain: String) -> String {
        text.withByteView { pseudonyms(domain: domain).code(for: $0).hex }
    }

    /// The pseudonyms of one domain, for many texts.
    package func pseudonyms(domain: String) -> HMACSHA256 { HMACSHA256(key: bytes, prefix: "hp:v2:\(domain):") }

    package init(bytes: [UInt8]) throws {
        guard bytes.count == 32 else {
            throw HealthProbeError(
                .keyUnreadable, "The key has \(bytes.count) bytes instead of 32.",
                hint: "Give the file that key export wrote.")
        }
        self.bytes = bytes
    }

    /// Reads a key from a file of any place; refuses one that others may read.
    ///
    /// - Throws: `keyUnreadable`.
    package static func read(_ path: String) throws -> ArchiveKey {
        let descriptor = openRegularFile(path, O_NOFOLLOW)
        guard descriptor >= 0 else {
            let reason = errno == EINVAL ? "it is no file" : systemMessage(errno)
            throw HealthProbeError(
                .keyUnreadable, "The archive's key cannot be read: \(reason).",
                hint: "Restore it with healthprobe key import, or name it with --secret-file.")
        }
        defer { close(descriptor) }
        guard let info = status(descriptor), info.st_mode & 0o077 == 0 else {
            throw HealthProbeError(
                .keyUnreadable, "Other users can read the archive's key.", hint: "Run: chmod 600 \(path)")
        }
        let bytes = ByteBuffer(capacity: 64)
        guard Basics.read(descriptor, into: bytes, upTo: 64) >= 0 else {
            throw HealthProbeError(
                .keyUnreadable, "The archive's key cannot be read: \(systemMessage(errno)).",
                hint: "Check the disk, or name a copy of the key with --secret-file.")
        }
        return try ArchiveKey(bytes: bytes.view.array)
    }

    /// Makes a new key from the system's random source.
    package static func random() throws -> ArchiveKey {
        var generator = SystemRandomNumberGenerator()
        return try ArchiveKey(bytes: (0..<32).map { _ in UInt8.random(in: 0...255, using: &generator) })
    }

    /// Writes the key to a file that must not exist (mode 0600), in a folder that is there, synced.
    ///
    /// - Throws: `cannotCreate`, `inputOutput`.
    package func write(to path: String) throws {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else {
            let exists = errno == EEXIST
            throw HealthProbeError(
                .cannotCreate,
                exists ? "\(path) already exists." : "The key file cannot be made at \(path).",
                hint: exists ? "Choose another path." : "Check that its folder can be written to.")
        }
        defer { close(descriptor) }
        guard bytes.withByteView({ writeAll($0, to: descriptor) }), fsync(descriptor) == 0 else {
            unlink(path)
            throw HealthProbeError(.inputOutput, "The key file cannot be written.", hint: "Check the disk.")
        }
    }
}
