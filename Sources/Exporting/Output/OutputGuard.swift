internal import Basics
internal import Foundation
internal import HealthModel
internal import Store

/// Keeps outputs away from what they may never take the place of; every output of an export or a report asks it.
///
/// That is the archive under any of its names, what is beside it, any other SQLite database with its logs, a key, and
/// whatever is no earlier export where a folder is written. Files are compared by device and inode, so that links are no way around.
package struct OutputGuard: Sendable {
    /// What SQLite and this program put beside an archive, and beside its cache.
    private static let companions = ["-wal", "-shm", "-journal", ".lock", ".sources"]
    private static let cacheFiles = [".cache", ".cache-wal", ".cache-shm", ".cache-journal", ".cache.lock"]

    /// The archive's path, and the one that links in it lead to.
    private let archives: [String]

    /// - Parameter path: of the archive that is read from; empty for none.
    package init(archive path: String) {
        archives = path.isEmpty ? [] : [path, (path as NSString).resolvingSymlinksInPath]
    }

    /// Tests that an output may take a place.
    ///
    /// - Parameter force: whether an earlier output of the same sort may be replaced.
    /// - Throws: `cannotCreate`.
    func require(_ path: String, _ sort: OutputSort, force: Bool) throws {
        try requireNoArchive(path)
        try Self.requireNoBag(path)
        guard let info = linkStatus(path) else { return }
        guard force else {
            throw HealthProbeError(
                .cannotCreate, "The output path already exists: \(path).",
                hint: "Choose another path, or replace an earlier \(sort.name) with --force.")
        }
        guard sort.isEarlier(path, info.st_mode) else {
            throw HealthProbeError(
                .cannotCreate,
                "The output path exists and is not a \(sort.name), so it is not replaced: \(path).",
                hint: "Choose another path, or move it away.")
        }
    }

    /// Tests that a place is no archive's or other database's, and not that of a file beside one.
    ///
    /// - Throws: `cannotCreate`.
    package func requireNoArchive(_ given: String) throws {
        let path = URL(fileURLWithPath: given).path
        let protected = places(Self.companions + Self.cacheFiles)
        let files = Set(protected.compactMap(FileNumber.init))
        // What is not there yet may be wanted by SQLite; the parts of a folder above the archive go with it.
        let isArchive =
            Self.isAny(of: protected, path)
            || Self.parents(of: path).contains { FileNumber($0).map(files.contains) ?? false }
            || FileNumber(path).map { file in
                archives.contains { Self.parents(of: $0).contains { FileNumber($0) == file } }
            } ?? false
        guard !isArchive else { throw Self.refusal("the archive or one of its files", path) }
        // Only now is it no file of the open archive: closing one would take SQLite's locks away.
        let stems = (Self.companions + Self.cacheFiles).filter(path.hasSuffix).map { String(path.dropLast($0.count)) }
        guard !([path] + stems).contains(where: Self.isDatabase) else {
            throw Self.refusal("a database or one of its files", path)
        }
        guard !Self.hasSizeOfKey(path) else { throw Self.refusal("as long as a key", path) }
    }

    /// Whether one of these paths is that of the archive or of what is beside it, its cache left out.
    package func isOfArchive(_ paths: [String]) -> Bool {
        let protected = places(Self.companions)
        return paths.contains { Self.isAny(of: protected, $0) }
    }

    private func places(_ suffixes: [String]) -> [String] {
        archives.flatMap { archive in [archive] + suffixes.map { archive + $0 } }
    }

    /// Whether a path is one of these, or leads to the same file.
    private static func isAny(of places: [String], _ path: String) -> Bool {
        places.contains { isSamePlace($0, path) }
            || FileNumber(path).map { file in places.contains { FileNumber($0) == file } } ?? false
    }

    /// Tests that a path is not inside a bag, which one more file would make invalid.
    private static func requireNoBag(_ path: String) throws {
        let folder = ((path as NSString).deletingLastPathComponent as NSString).resolvingSymlinksInPath
        guard parents(of: folder + "/output").contains(where: { access($0 + "/bagit.txt", F_OK) == 0 }) else { return }
        throw HealthProbeError(
            .cannotCreate, "The output path is inside a bag, which another file would make invalid: \(path).",
            hint: "Choose another path.")
    }

    private static func refusal(_ what: String, _ path: String) -> HealthProbeError {
        HealthProbeError(
            .cannotCreate, "The output path is \(what) and is never replaced: \(path).",
            hint: "Choose another path.")
    }

    /// Keys are under any name and begin with anything; no output of this program is as short.
    private static func hasSizeOfKey(_ path: String) -> Bool {
        status(path).map { $0.st_mode & S_IFMT == S_IFREG && $0.st_size == 32 } ?? false
    }

    private static func isDatabase(_ path: String) -> Bool {
        OutputSort.start(of: path, count: SQLiteHeader.start.count) == SQLiteHeader.start
    }

    /// The folders that a path is in, the innermost first.
    private static func parents(of path: String) -> [String] {
        var found: [String] = []
        var folder = (path as NSString).deletingLastPathComponent
        while !folder.isEmpty {
            found.append(folder)
            if folder == "/" { break }
            folder = (folder as NSString).deletingLastPathComponent
        }
        return found
    }

    /// Whether two paths have one name in one folder.
    private static func isSamePlace(_ one: String, _ two: String) -> Bool {
        func folder(_ path: String) -> FileNumber? { FileNumber((path as NSString).deletingLastPathComponent) }
        return (one as NSString).lastPathComponent == (two as NSString).lastPathComponent && folder(one) == folder(two)
    }
}

/// Which file a path leads to, whatever its names.
private struct FileNumber: Hashable {
    private let device: UInt64
    private let number: UInt64

    /// Nil where there is none.
    init?(_ path: String) {
        guard let info = status(path.isEmpty ? "." : path) else { return nil }
        (device, number) = (UInt64(info.st_dev), UInt64(info.st_ino))
    }
}
