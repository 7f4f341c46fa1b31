internal import Basics
internal import HealthModel

/// Where the files of a structured export go, one after the other: a folder, or a zip.
protocol MemberSink: Sendable {
    /// Begins a file at a path in the export.
    ///
    /// - Throws: `cannotCreate`, `diskFull`, `inputOutput`; so do the others.
    func begin(_ path: String) throws
    /// Appends bytes to the file.
    func append(_ bytes: ByteView) throws
    /// Ends the file.
    func end() throws -> WrittenMember
    /// Ends the export; what no call of this follows is none.
    func finish() throws
}

extension MemberSink {
    /// Writes a small file.
    @discardableResult
    func write(_ text: String, as path: String) throws -> WrittenMember {
        try begin(path)
        try text.withByteView { try append($0) }
        return try end()
    }
}

/// A file that is the whole export.
///
/// `@unchecked Sendable`: one thread at a time writes.
final class SingleFile: MemberSink, @unchecked Sendable {
    private let file: HashedFile
    private var path = ""

    init(_ file: HashedFile) { self.file = file }

    func begin(_ path: String) { self.path = path }

    func append(_ bytes: ByteView) throws { try file.write(bytes) }

    func end() throws -> WrittenMember { WrittenMember(path: path, file: try file.close()) }

    func finish() {}
}

/// A folder in a zip.
///
/// `@unchecked Sendable`: one thread at a time writes.
final class ZippedFolder: MemberSink, @unchecked Sendable {
    private let zip: UnsafeZipWriter?
    private let name: String
    private var path = ""
    private var byteCount: Int64 = 0
    private var hash = SHA256()

    /// - Parameters:
    ///   - name: of the folder that unpacking makes.
    ///   - zip: nil where only lengths and hashes are wanted.
    init(_ name: String, _ zip: UnsafeZipWriter?) {
        self.name = name
        self.zip = zip
    }

    func begin(_ path: String) throws {
        (self.path, byteCount, hash) = (path, 0, SHA256())
        try zip?.begin("\(name)/\(path)")
    }

    func append(_ bytes: ByteView) throws {
        hash.update(bytes)
        byteCount += Int64(bytes.count)
        try zip?.append(bytes)
    }

    func end() throws -> WrittenMember {
        try zip?.end()
        return WrittenMember(path: path, file: WrittenFile(byteCount: byteCount, sha256: hash.finalize()))
    }

    func finish() throws { _ = try zip?.finish() }
}
