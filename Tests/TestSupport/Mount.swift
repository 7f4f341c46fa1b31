internal import Foundation

/// A mount for the time of a test; only root can make one, and not in every container.
package final class Mount {
    private let path: String

    /// Whether mounts can be made here, tried once.
    package static let isPossible: Bool = {
        guard geteuid() == 0 else { return false }
        let folder = NSTemporaryDirectory() + "healthprobe-mount-\(getpid())"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        return (try? Mount(tmpfs: folder, kilobytes: 64)) != nil
    }()

    /// A file system in memory with so much room.
    ///
    /// - Throws: `TestSupport.Failure` where mounting is not allowed.
    package init(tmpfs path: String, kilobytes: Int) throws {
        self.path = path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        guard mount("tmpfs", path, "tmpfs", 0, "size=\(kilobytes)k,mode=0700") == 0 else {
            throw TestSupport.Failure("cannot mount: \(String(cString: strerror(errno)))")
        }
    }

    /// A folder as it would be on a read-only medium.
    ///
    /// - Throws: `TestSupport.Failure` where mounting is not allowed.
    package init(readOnly folder: String, at path: String) throws {
        self.path = path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        let bind = UInt(MS_BIND)
        guard mount(folder, path, nil, bind, nil) == 0 else {
            throw TestSupport.Failure("cannot mount: \(String(cString: strerror(errno)))")
        }
        guard mount(nil, path, nil, bind | UInt(MS_REMOUNT) | UInt(MS_RDONLY), nil) == 0 else {
            umount2(path, 0)
            throw TestSupport.Failure("cannot mount read-only: \(String(cString: strerror(errno)))")
        }
    }

    deinit { umount2(path, Int32(MNT_DETACH)) }
}
