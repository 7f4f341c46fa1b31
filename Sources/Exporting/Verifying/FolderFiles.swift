internal import Basics
internal import ExportReading
internal import Foundation

/// The files of a folder, read with distrust: none through a link, and of each folder no more than a bound.
final class FolderFiles: ExportFiles {
    private let folder: String
    private static let maximumEntries = 100_000

    init(_ folder: String) { self.folder = folder }

    /// The folder of a bag.
    ///
    /// - Throws: `VerificationFailure` where it is none.
    convenience init(bag folder: String) throws {
        guard let info = status(folder), (info.st_mode & S_IFMT) == S_IFDIR else {
            throw VerificationFailure.foreign("the path is not a folder with bagit.txt")
        }
        guard access("\(folder)/bagit.txt", F_OK) == 0 || access("\(folder)/\(Bag.manifest)", F_OK) == 0 else {
            throw VerificationFailure.foreign("the folder has no bagit.txt")
        }
        self.init(folder)
    }

    func paths() throws -> [String] {
        var found: [String] = []
        try walk("", depth: 0) { found.append($0) }
        return found
    }

    func open(_ path: String) throws -> any ByteSource { try RegularFile("\(folder)/\(path)", name: path) }

    func has(_ path: String) -> Bool { linkStatus("\(folder)/\(path)") != nil }

    /// What is in a folder.
    private func names(_ path: String, _ name: String) throws -> [String] {
        guard let found = Basics.names(inFolder: path, limit: Self.maximumEntries + 1) else {
            throw FileFailure.reading(errno)
        }
        guard found.count <= Self.maximumEntries else { throw VerificationFailure("has too many files", file: name) }
        return try found.map { bytes in
            guard let entryName = String(validating: bytes, as: UTF8.self) else {
                throw VerificationFailure("holds a name that is not UTF-8", file: name)
            }
            return entryName
        }
    }

    private func walk(_ prefix: String, depth: Int, _ found: (String) throws -> Void) throws {
        guard depth < 32 else { throw VerificationFailure("folders are nested too deeply", file: prefix) }
        let names = try names("\(folder)/\(prefix)", prefix)
        for name in names.sorted() {
            let path = prefix.isEmpty ? name : "\(prefix)/\(name)"
            guard let info = linkStatus("\(folder)/\(path)") else { throw FileFailure.reading(errno) }
            switch info.st_mode & S_IFMT {
            case S_IFDIR: try walk(path, depth: depth + 1, found)
            case S_IFREG: try found(path)
            default: throw VerificationFailure("is neither a file nor a folder", file: path)
            }
        }
    }
}

/// A file that is no link, device or pipe.
private final class RegularFile: ByteSource {
    let expectedByteCount: Int64?
    private let descriptor: Int32

    /// - Throws: `VerificationFailure` where there is no such regular file; `inputOutput` where it cannot be opened.
    init(_ path: String, name: String) throws {
        descriptor = openRegularFile(path, O_NOFOLLOW)
        if descriptor < 0, ![ENOENT, ENOTDIR, ELOOP, ENXIO, EINVAL].contains(errno) {
            throw FileFailure.reading(errno)
        }
        guard descriptor >= 0, let info = status(descriptor) else { throw VerificationFailure.missing(name) }
        expectedByteCount = Int64(info.st_size)
    }

    deinit { close(descriptor) }

    func read(into buffer: ByteBuffer, upTo limit: Int) throws -> Int {
        let got = Basics.read(descriptor, into: buffer, upTo: limit)
        guard got >= 0 else { throw FileFailure.reading(errno) }
        return got
    }
}
