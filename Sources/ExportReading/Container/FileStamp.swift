internal import Basics
internal import Foundation

/// What tells whether a file is still the one that was opened, with the same content.
struct FileStamp: Equatable {
    private let device: UInt64
    private let inode: UInt64
    private let byteCount: Int64
    /// Seconds and nanoseconds of the last change of its content.
    private let modified: [Int]

    /// Nil where there is no file.
    init?(_ path: String) {
        guard let info = status(path) else { return nil }
        (device, inode) = (UInt64(info.st_dev), UInt64(info.st_ino))
        (byteCount, modified) = (Int64(info.st_size), [info.st_mtim.tv_sec, info.st_mtim.tv_nsec])
    }
}
