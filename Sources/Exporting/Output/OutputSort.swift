internal import Foundation

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

    /// What stands beside a written Health export.
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
        var bytes = [UInt8](repeating: 0, count: count)
        let got = read(descriptor, &bytes, count)
        return Array(bytes.prefix(max(got, 0)))
    }
}
