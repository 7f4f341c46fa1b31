internal import Foundation

/// The folder of this test process, with everything that its tests write; removed when the process ends.
package enum TestFolder {
    package static let path: String = {
        let path = "\(NSTemporaryDirectory())healthprobe-tests-\(getpid())"
        try? FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        // What a static holds lives until then.
        atexit { try? FileManager.default.removeItem(atPath: TestFolder.path) }
        return path
    }()
}
