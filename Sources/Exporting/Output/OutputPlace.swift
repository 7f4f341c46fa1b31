internal import Basics
internal import Foundation
package import HealthModel
internal import Store

/// Where an export goes: written under another name beside its place, named when it is whole.
package struct OutputPlace {
    package let path: String
    private let output: OutputGuard
    private let sort: OutputSort
    private let replaces: Bool
    /// The name under which it is written.
    let temporary: String

    /// - Parameter replaces: whether an earlier output of the same sort may be replaced.
    /// - Throws: `cannotCreate` where something else is there, or the folder cannot be written to.
    package init(_ given: String, _ sort: OutputSort, _ output: OutputGuard, replaces: Bool) throws {
        path = URL(fileURLWithPath: given).path
        self.sort = sort
        self.output = output
        self.replaces = replaces
        temporary = "\(path).creating-\(getpid())"
        try output.require(path, sort, force: replaces)
        let folder = (path as NSString).deletingLastPathComponent
        guard access(folder.isEmpty ? "." : folder, W_OK) == 0 else {
            throw HealthProbeError(
                .cannotCreate, "The output's folder is not writable.", hint: "Check the path: \(folder)")
        }
        Leftovers.remove(from: folder)
        unlink(temporary)
    }

    /// Gives what was written, and closed, its name.
    ///
    /// - Throws: `cannotCreate`, `diskFull`, `inputOutput`.
    func publish() throws {
        if replaces {
            // It may have come into the place since.
            try output.require(path, sort, force: true)
            guard rename(temporary, path) == 0 else { throw FileFailure.error(errno) }
        } else {
            let reason = NewName.give(path, to: temporary)
            guard reason == 0 else { throw FileFailure.error(reason) }
        }
        OutputFolder.sync((path as NSString).deletingLastPathComponent)
    }

    /// Writes a whole file, readable by its owner alone, and gives it its name.
    ///
    /// - Returns: the file's SHA-256.
    /// - Throws: `cannotCreate`, `diskFull`, `inputOutput`; nothing is left behind then.
    package func publish(_ bytes: [UInt8]) throws -> Digest256 { try publish { try $0(bytes) } }

    /// Writes a file part by part, readable by its owner alone, and gives it its name.
    ///
    /// - Parameter body: hands the parts to the function that it is given.
    /// - Returns: the file's SHA-256.
    /// - Throws: `cannotCreate`, `diskFull`, `inputOutput`, what `body` throws; nothing is left behind then.
    package func publish(_ body: (_ write: ([UInt8]) throws -> Void) throws -> Void) throws -> Digest256 {
        do {
            let file = try HashedFile(temporary)
            try body { bytes in try bytes.withByteView { try file.write($0) } }
            let written = try file.close()
            try publish()
            return written.sha256
        } catch {
            discard()
            throw error
        }
    }

    /// Removes an earlier output where it may be replaced.
    ///
    /// - Throws: `cannotCreate`.
    func clear() throws {
        guard replaces, access(path, F_OK) == 0 else { return }
        try output.require(path, sort, force: true)
        guard unlink(path) == 0 else { throw FileFailure.error(errno) }
    }

    /// Removes what was written so far.
    func discard() { unlink(temporary) }
}

/// What an output is, and what it may replace: a file any other file, a folder only an earlier export.
package struct OutputSort: Sendable {
    /// As messages name it.
    let name: String
    /// Whether what is at a path may be replaced by one; `mode` is that of the path itself.
    let isEarlier: @Sendable (_ path: String, _ mode: mode_t) -> Bool

    /// A single file: who says `--force` may replace any that `OutputGuard` does not protect.
    package static func file(_ name: String) -> OutputSort {
        OutputSort(name: name) { _, mode in mode & S_IFMT == S_IFREG }
    }

    /// A Health export written again.
    static let healthExport = OutputSort.file("Health export")

    /// What is beside a written Health export.
    static let manifest = OutputSort.file("manifest of a Health export")

    /// The signature of a manifest.
    static let signature = OutputSort.file("signature")

    /// A structured export; a folder with anything more in it is none.
    static let bag = OutputSort(name: "structured export") { path, mode in
        guard mode & S_IFMT == S_IFDIR, let names = try? FileManager.default.subpathsOfDirectory(atPath: path) else {
            return false
        }
        return names.isEmpty
            || Set(names).isSuperset(of: ["bagit.txt", EnvelopeReader.file]) && names.allSatisfy(isOfBag)
    }

    private static let bagNames: Set<String> = Set(
        ["bagit.txt", "bag-info.txt", Bag.manifest, Bag.tagManifest, Bag.tagManifest + SSHSignature.suffix, "data"]
            + [EnvelopeReader.file, "data/\(ItemFiles.folder)"] + ExportFormat.allCases.map { "data/\($0.fileName)" })

    private static func isOfBag(_ path: String) -> Bool {
        if bagNames.contains(path) { return true }
        let parts = path.split(separator: "/")
        return parts.count == 3 && parts[0] == "data" && parts[1] == ItemFiles.folder
            && parts[2].prefix { $0.isHexDigit }.count == 64
    }

    /// The first bytes of a file; none where it cannot be read.
    static func start(of path: String, count: Int) -> [UInt8] {
        // Nobody waits for a pipe to be written to.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return [] }
        defer { close(descriptor) }
        let bytes = ByteBuffer(capacity: count)
        _ = read(descriptor, into: bytes, upTo: count)
        return bytes.view.array
    }
}
