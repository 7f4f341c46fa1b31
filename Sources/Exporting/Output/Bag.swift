internal import Basics
internal import Foundation
internal import HealthModel
internal import Store

/// Writes the tag files of a BagIt bag (RFC 8493) around the payload that is in its `data`.
enum Bag {
    /// What `bag-info.txt` says: nothing that differs from one run to the next.
    struct Info {
        var identifier: String
        /// `2024-05-01`.
        var date: String
        var program: String
    }

    static let declaration = "BagIt-Version: 1.0\nTag-File-Character-Encoding: UTF-8\n"
    static let tagManifest = "tagmanifest-sha256.txt"
    static let manifest = "manifest-sha256.txt"

    /// Writes the tag files and a signature; `bagit.txt`, which makes a folder a bag, comes last.
    ///
    /// - Parameter signingKey: a private SSH key; nil for no signature.
    static func write(
        _ payload: [WrittenMember], _ info: Info, signingKey: String?, to sink: any MemberSink,
        isCancelled: () -> Bool
    ) throws {
        let sorted = payload.sorted { $0.path < $1.path }
        let manifestText = sorted.map { "\($0.file.sha256.hex)  \($0.path)\n" }.joined()
        let bytes = sorted.reduce(0) { $0 + $1.file.byteCount }
        let infoText = """
            Bag-Software-Agent: \(info.program)
            Bagging-Date: \(info.date)
            External-Identifier: \(info.identifier)
            Payload-Oxum: \(bytes).\(sorted.count)

            """
        let tags = [("bag-info.txt", infoText), ("bagit.txt", declaration), (manifest, manifestText)]
        let tagText = tags.map { "\(Digest256(hashing: $0.1).hex)  \($0.0)\n" }.joined()
        for (name, text) in [tags[0], tags[2], (tagManifest, tagText)] { try sink.write(text, as: name) }
        if let signingKey {
            let signature = try SSHSignature.sign(tagText, key: signingKey, isCancelled: isCancelled)
            try sink.write(signature, as: tagManifest + SSHSignature.suffix)
        }
        try sink.write(declaration, as: tags[1].0)
    }
}

/// A folder that gets its name only when it is whole: made beside its place under a temporary name, and renamed.
///
/// `@unchecked Sendable`: one thread at a time writes.
final class OutputFolder: MemberSink, @unchecked Sendable {
    /// Where to write meanwhile.
    private let temporary: String
    private let path: String
    private let output: OutputGuard
    private let sort: OutputSort
    private let force: Bool
    /// The folders made so far, the outer ones first.
    private var folders: [String]
    private var current: (path: String, file: HashedFile)?
    private var isFinished = false
    /// Of the folder, which says that it is being written.
    private var descriptor: Int32 = -1

    /// - Parameter force: whether an earlier export in the place may be replaced.
    /// - Throws: `cannotCreate` where something is in the place, or nothing can be made beside it.
    init(_ given: String, _ output: OutputGuard, _ sort: OutputSort = .bag, force: Bool) throws {
        path = URL(fileURLWithPath: given).path
        self.output = output
        self.sort = sort
        self.force = force
        try output.require(path, sort, force: force)
        temporary = "\(path).partial-\(getpid())"
        Leftovers.remove(from: (path as NSString).deletingLastPathComponent)
        try? FileManager.default.removeItem(atPath: temporary)
        folders = [temporary]
        guard mkdir(temporary, 0o700) == 0 else { throw FileFailure.error(errno, creating: true) }
        descriptor = open(temporary, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        Leftovers.claim(descriptor)
    }

    deinit {
        if !isFinished { try? FileManager.default.removeItem(atPath: temporary) }
        if descriptor >= 0 { close(descriptor) }
    }

    func begin(_ path: String) throws {
        let place = "\(temporary)/\(path)"
        try makeFolder((place as NSString).deletingLastPathComponent)
        current = (path, try HashedFile(place))
    }

    func append(_ bytes: ByteView) throws { try current?.file.write(bytes) }

    func end() throws -> WrittenMember {
        defer { current = nil }
        return WrittenMember(path: current?.path ?? "", file: try current?.file.close() ?? WrittenFile())
    }

    private func makeFolder(_ folder: String) throws {
        if folders.contains(folder) { return }
        try makeFolder((folder as NSString).deletingLastPathComponent)
        guard mkdir(folder, 0o700) == 0 else { throw FileFailure.error(errno, creating: true) }
        folders.append(folder)
    }

    /// Gives the folder its name; an earlier export in the place is removed only then.
    func finish() throws {
        for folder in folders.reversed() {
            guard Self.sync(folder) else { throw FileFailure.error(errno) }
        }
        // What has come into the place since is no export.
        try output.require(path, sort, force: force)
        let old = "\(path).replaced-\(getpid())"
        let hasOld = force && rename(path, old) == 0
        guard rename(temporary, path) == 0 else {
            let reason = errno
            if hasOld { rename(old, path) }
            throw FileFailure.error(reason, creating: true)
        }
        isFinished = true
        if hasOld { try? FileManager.default.removeItem(atPath: old) }
        // It has its name; that a power cut right now might take it back is no failure of the export.
        Self.sync((path as NSString).deletingLastPathComponent)
    }

    /// Whether the system has written the folder's entries; else `errno` says why not.
    @discardableResult
    static func sync(_ folder: String) -> Bool {
        let descriptor = open(folder.isEmpty ? "." : folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        let isDone = fsync(descriptor) == 0
        let reason = errno
        close(descriptor)
        errno = reason
        return isDone
    }
}
