internal import Basics
internal import Foundation

/// Bytes as a file, since the reader reads files; in memory where the system has a place for that.
enum ScratchFile {
    private static let folder = FileManager.default.fileExists(atPath: "/dev/shm") ? "/dev/shm" : NSTemporaryDirectory()
    private static let lock = NSLock()

    /// Calls `body` with the path of a file of these bytes, which is gone afterwards.
    static func with(_ bytes: ByteView, _ body: (String) -> Void) {
        lock.withLock {
            let path = "\(folder)/healthprobe-fuzz-\(ProcessInfo.processInfo.processIdentifier)"
            defer { try? FileManager.default.removeItem(atPath: path) }
            guard FileManager.default.createFile(atPath: path, contents: Data(bytes)) else { return }
            body(path)
        }
    }
}
