import Foundation

/// A file that is written from start to end.
final class FileSink {
    private let handle: FileHandle

    /// Creates the file, with the folders above it; an existing file is replaced.
    init(path: String) throws {
        let url = URL(fileURLWithPath: path)
        let manager = FileManager.default
        try manager.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        guard manager.createFile(atPath: path, contents: nil) else {
            throw CocoaError(.fileWriteUnknown, userInfo: [NSFilePathErrorKey: path])
        }
        handle = try FileHandle(forWritingTo: url)
    }

    func write(_ bytes: [UInt8]) throws {
        try handle.write(contentsOf: Data(bytes))
    }

    func close() throws {
        try handle.close()
    }
}
