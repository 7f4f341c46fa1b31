internal import Foundation

/// The few things that the benchmark does with files.
enum Files {
    /// Where the program notes each archive's newest seal, below the scratch folder.
    static let stateFolder = "state"

    /// Bytes of a file; 0 where there is none.
    static func byteCount(_ path: String) throws -> Int {
        guard FileManager.default.fileExists(atPath: path) else { return 0 }
        return (try FileManager.default.attributesOfItem(atPath: path)[.size] as? NSNumber)?.intValue ?? 0
    }

    /// Bytes of an archive with its write-ahead log.
    static func archiveByteCount(_ path: String) throws -> Int {
        try byteCount(path) + byteCount(path + "-wal")
    }

    /// Removes an archive with everything beside it.
    static func removeArchive(_ path: String) throws {
        let url = URL(fileURLWithPath: path)
        let folder = url.deletingLastPathComponent().path
        for name in try FileManager.default.contentsOfDirectory(atPath: folder)
        where name.hasPrefix(url.lastPathComponent) {
            try FileManager.default.removeItem(atPath: "\(folder)/\(name)")
        }
    }

    /// Copies an archive that no process has open, and waits for the disk, so that the copying is not measured.
    ///
    /// The program forgets the seals of the copy that was here before; otherwise it would call the new one an older copy.
    static func copyArchive(_ from: String, to path: String) throws {
        try removeArchive(path)
        let state = URL(fileURLWithPath: path).deletingLastPathComponent().deletingLastPathComponent()
        try? FileManager.default.removeItem(at: state.appendingPathComponent(stateFolder))
        for suffix in ["", "-wal"] where FileManager.default.fileExists(atPath: from + suffix) {
            try FileManager.default.copyItem(atPath: from + suffix, toPath: path + suffix)
        }
        sync()
    }

    /// Reads a file once, so that both sides of a comparison find it in memory.
    static func warm(_ path: String) throws {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw BenchmarkError("cannot read \(path)") }
        defer { close(descriptor) }
        var buffer = [UInt8](repeating: 0, count: 1 << 20)
        while read(descriptor, &buffer, buffer.count) > 0 {}
    }

    /// The last line of a file of lines of at most 64 KiB.
    static func lastLine(_ path: String) throws -> Data {
        let handle = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
        defer { try? handle.close() }
        let end = try handle.seekToEnd()
        try handle.seek(toOffset: end > 65_536 ? end - 65_536 : 0)
        let tail = try handle.readToEnd() ?? Data()
        return Data(tail.split(separator: 0x0A).last ?? Data())
    }
}
