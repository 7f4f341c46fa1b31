internal import Basics
internal import Foundation
package import HealthModel
internal import Store

/// The kept containers of an archive: files named by their SHA-256 in a private folder beside it.
package struct SourceStore: Sendable {
    /// `<archive>.sources`.
    package let folder: String

    /// What the folder's name has behind the archive's.
    package static let suffix = ".sources"
    /// What a copy is called while it is made, before the number of the process that makes it.
    private static let unfinished = ".keeping-"

    /// - Parameter archive: the archive's path.
    package init(archive: String) { folder = URL(fileURLWithPath: archive).path + Self.suffix }

    /// A file that was kept.
    package struct Entry: Sendable {
        package var name: String
        package var sha256: Digest256
        /// Whether it was not there before.
        package var isNew: Bool
    }

    /// The path of a kept file; nil for a name that this program would not give.
    package func path(_ name: String) -> String? {
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0].utf8.count == 64, Digest256(hex: String(parts[0])) != nil,
            ["zip", "xml"].contains(parts[1])
        else { return nil }
        return "\(folder)/\(name)"
    }

    /// Copies a file into the store, reads the copy back and compares, and only then gives it its name.
    ///
    /// - Parameters:
    ///   - source: the container's path; it is opened for reading only.
    ///   - suffix: `zip` or `xml`.
    /// - Throws: `cannotCreate`, `diskFull`, `inputOutput`.
    package func keep(_ source: String, suffix: String) throws -> Entry {
        let mask = umask(0o077)
        defer { umask(mask) }
        if mkdir(folder, 0o700) != 0, errno != EEXIST { throw Self.failure(errno, "The folder for kept sources") }
        chmod(folder, 0o700)
        let temporary = "\(folder)/\(Self.unfinished)\(getpid())"
        unlink(temporary)
        defer { unlink(temporary) }
        let copied = try Self.copy(source, to: temporary)
        guard try Self.digest(ofFile: temporary) == copied else {
            throw HealthProbeError(
                .inputOutput, "The copy of the source does not read back as it was written.",
                hint: "Check the disk; nothing was imported.")
        }
        let name = "\(copied.hex).\(suffix)"
        let path = "\(folder)/\(name)"
        var isNew = true
        if access(path, F_OK) == 0 { isNew = try Self.digest(ofFile: path) != copied }
        if isNew {
            guard rename(temporary, path) == 0 else { throw Self.failure(errno, "The copy of the source") }
            Folders.sync(folder)
        }
        return Entry(name: name, sha256: copied, isNew: isNew)
    }

    /// Takes a file back that an import kept which came to nothing.
    package func remove(_ name: String) {
        if let path = path(name) { unlink(path) }
        rmdir(folder)
    }

    /// Removes the copies that killed processes have left half-made; the caller holds the writer's lock.
    func removeRemains() {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        for name in names where TemporaryFolder.isRemain(name, of: Self.unfinished) { unlink("\(folder)/\(name)") }
        // Only where nothing else is in it.
        rmdir(folder)
    }

    /// SHA-256 of a kept file; nil where it is absent.
    ///
    /// - Throws: `inputOutput` where it cannot be read.
    package func digest(of name: String) throws -> Digest256? {
        guard let path = path(name), access(path, F_OK) == 0 else { return nil }
        return try Self.digest(ofFile: path)
    }

    // MARK: - Files

    private static func copy(_ source: String, to target: String) throws -> Digest256 {
        let output = open(target, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard output >= 0 else { throw failure(errno, "The copy of the source") }
        defer { close(output) }
        let digest = try read(source) { bytes in
            guard writeAll(bytes, to: output) else { throw failure(errno, "The copy of the source") }
        }
        guard fsync(output) == 0 else { throw failure(errno, "The copy of the source") }
        return digest
    }

    /// The SHA-256 of a file at any place.
    package static func digest(ofFile path: String) throws -> Digest256 { try read(path) { _ in } }

    private static func read(_ path: String, _ body: (ByteView) throws -> Void) throws -> Digest256 {
        let input = openRegularFile(path)
        guard input >= 0 else { throw failure(errno, "The source", isRead: true) }
        defer { close(input) }
        let buffer = ByteBuffer(capacity: 1 << 18)
        var hash = SHA256()
        while true {
            buffer.removeAll()
            let got = Basics.read(input, into: buffer, upTo: 1 << 18)
            guard got >= 0 else { throw failure(errno, "The source") }
            if got == 0 { return hash.finalize() }
            hash.update(buffer.view)
            try body(buffer.view)
        }
    }

    private static func failure(_ code: Int32, _ what: String, isRead: Bool = false) -> HealthProbeError {
        let text = systemMessage(code)
        if isDiskFull(code) {
            return HealthProbeError(
                .diskFull, "The disk is full; the source was not kept.", hint: "Free some space and try again.")
        }
        let isPlace = !isRead && [EACCES, EPERM, EROFS, ENOTDIR].contains(code)
        return HealthProbeError(
            isPlace ? .cannotCreate : .inputOutput, "\(what) cannot be used: \(text).",
            hint: "Check the archive's folder.")
    }
}
