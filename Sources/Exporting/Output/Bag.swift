internal import Foundation
internal import HealthModel
internal import SystemCalls

/// Writes the tag files of a BagIt bag (RFC 8493) around the payload that is in a folder's `data`.
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

    /// Writes the tag files; `bagit.txt`, which makes a folder a bag, comes last.
    static func finish(_ folder: String, _ payload: [WrittenMember], _ info: Info) throws {
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
        for (name, text) in [tags[0], tags[2], (tagManifest, tagText), tags[1]] {
            try HashedFile.write(text, to: "\(folder)/\(name)")
        }
    }
}

/// A folder that gets its name only when it is whole: made beside its place under a temporary name, and renamed.
final class OutputFolder {
    /// Where to write meanwhile.
    let temporary: String
    private let path: String
    private let output: OutputGuard
    private let force: Bool
    private var isFinished = false

    /// - Parameter force: whether an earlier export in the place may be replaced.
    /// - Throws: `cannotCreate` where something is in the place, or nothing can be made beside it.
    init(_ given: String, _ output: OutputGuard, force: Bool) throws {
        path = URL(fileURLWithPath: given).path
        self.output = output
        self.force = force
        try output.require(path, .bag, force: force)
        temporary = "\(path).partial-\(getpid())"
        try? FileManager.default.removeItem(atPath: temporary)
        guard mkdir(temporary, 0o700) == 0, mkdir(temporary + "/data", 0o700) == 0 else {
            throw FileFailure.error(errno, creating: true)
        }
    }

    deinit { if !isFinished { try? FileManager.default.removeItem(atPath: temporary) } }

    /// Gives the folder its name; an earlier export in the place is removed only then.
    func finish() throws {
        let files = "\(temporary)/data/\(ItemFiles.folder)"
        let hasFiles = access(files, F_OK) == 0
        for folder in (hasFiles ? [files] : []) + [temporary + "/data", temporary] {
            guard Self.sync(folder) else { throw FileFailure.error(errno) }
        }
        // What has come into the place since is no export.
        try output.require(path, .bag, force: force)
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
        _ = Self.sync((path as NSString).deletingLastPathComponent)
    }

    /// Whether the system has written the folder's entries; else `errno` says why not.
    private static func sync(_ folder: String) -> Bool {
        let descriptor = open(folder.isEmpty ? "." : folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        let isDone = fsync(descriptor) == 0
        let reason = errno
        close(descriptor)
        errno = reason
        return isDone
    }
}
