internal import ExportReading
internal import Foundation
internal import HealthModel

/// The files of a folder, read with distrust: none through a link, and of each folder no more than a bound.
final class FolderFiles: ExportFiles {
    private let folder: String
    private static let maximumEntries = 100_000

    init(_ folder: String) { self.folder = folder }

    /// The folder of a bag.
    ///
    /// - Throws: `VerificationFailure` where it is none.
    convenience init(bag folder: String) throws {
        var info = stat()
        guard lstat(folder, &info) == 0, (info.st_mode & S_IFMT) == S_IFDIR else {
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

    func withFile<R>(_ path: String, _ body: (String?) throws -> R) throws -> R {
        let place = "\(folder)/\(path)"
        return try body(FileManager.default.fileExists(atPath: place) ? place : nil)
    }

    /// What is in a folder; Foundation's listing ends without a word where reading one fails.
    private func names(_ path: String, _ name: String) throws -> [String] {
        guard let folder = opendir(path) else { throw FileFailure.reading(errno) }
        defer { closedir(folder) }
        var names: [String] = []
        errno = 0
        while let entry = readdir(folder) {
            let bytes = withUnsafeBytes(of: entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
            guard let entryName = String(validating: bytes, as: UTF8.self) else {
                throw VerificationFailure("holds a name that is not UTF-8", file: name)
            }
            if entryName != ".", entryName != ".." { names.append(entryName) }
            guard names.count <= Self.maximumEntries else {
                throw VerificationFailure("has too many files", file: name)
            }
            errno = 0
        }
        guard errno == 0 else { throw FileFailure.reading(errno) }
        return names
    }

    private func walk(_ prefix: String, depth: Int, _ found: (String) throws -> Void) throws {
        guard depth < 32 else { throw VerificationFailure("folders are nested too deeply", file: prefix) }
        let names = try names("\(folder)/\(prefix)", prefix)
        for name in names.sorted() {
            let path = prefix.isEmpty ? name : "\(prefix)/\(name)"
            var info = stat()
            guard lstat("\(folder)/\(path)", &info) == 0 else { throw FileFailure.reading(errno) }
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
        descriptor = Foundation.open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        if descriptor < 0, ![ENOENT, ENOTDIR, ELOOP, ENXIO].contains(errno) { throw FileFailure.reading(errno) }
        var info = stat()
        guard descriptor >= 0, fstat(descriptor, &info) == 0, (info.st_mode & S_IFMT) == S_IFREG else {
            if descriptor >= 0 { close(descriptor) }
            throw VerificationFailure.missing(name)
        }
        expectedByteCount = Int64(info.st_size)
    }

    deinit { close(descriptor) }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        while true {
            let got = Foundation.read(descriptor, buffer.baseAddress, buffer.count)
            if got < 0, errno == EINTR { continue }
            guard got >= 0 else { throw FileFailure.reading(errno) }
            return got
        }
    }
}
