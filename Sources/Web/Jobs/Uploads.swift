internal import Basics
internal import Foundation
internal import Store
internal import Synchronization

/// Exports on their way from a browser into the archive: one at a time, in a file that only its owner can read.
///
/// A zip's directory is at its end, so it has to be a file; it is beside the archive, has no name of the client's, and is
/// removed when the import is over, when the client leaves, and at the next start where a process was killed.
package final class Uploads: Sendable {
    package static let path = "/import"

    private let folder: String
    private let cache: String
    private let jobs: JobQueue
    private let current = Mutex<String?>(nil)

    /// - Parameters:
    ///   - path: the archive's.
    ///   - cache: the path of the cache that imports bring up to date, or `off`.
    package init(archive path: String, cache: String, jobs: JobQueue) {
        let own = URL(fileURLWithPath: path).path
        folder = TemporaryFolder.ofThisProcess(besideArchive: own)
        (self.cache, self.jobs) = (cache, jobs)
        for left in TemporaryFolder.leftFolders(ofArchive: own) {
            let names = (try? FileManager.default.contentsOfDirectory(atPath: left)) ?? []
            for name in names where name.hasPrefix(Self.prefix) { unlink("\(left)/\(name)") }
            rmdir(left)
        }
    }

    private static let prefix = "upload-"

    /// Begins an upload.
    ///
    /// - Parameter name: what the file is called, for the observation's source; never for a path.
    /// - Throws: `WebError`: `archiveInUse` while another one is on its way, `tooLarge` where the disk has not three times
    ///   its size, `inputOutput`.
    func begin(byteCount: Int64, name: String) throws -> Upload {
        guard Folders.makePrivate(folder) else {
            throw WebError(
                .inputOutput, "The folder of the archive cannot be written to, so nothing is imported.",
                hint: "Start with an archive in a folder that is not read-only.")
        }
        let free = Folders.freeByteCount(folder) ?? 0
        // The import needs as much again, and once more while it writes.
        guard byteCount >= 0, byteCount <= free / 3 else {
            throw WebError(
                .tooLarge, "The file has \(byteCount) bytes; beside the archive \(free) are free.",
                hint: "Importing needs three times the size of the file.")
        }
        let path = "\(folder)/\(Self.prefix)\(Sessions.makeSecret())"
        try current.withLock { current in
            guard current == nil else {
                throw WebError(.archiveInUse, "Another export is on its way.", hint: "Wait until it is imported.")
            }
            current = path
        }
        let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard file >= 0 else {
            remove(path)
            throw WebError(.inputOutput)
        }
        return Upload(self, path, file, byteCount: byteCount, name: name)
    }

    /// Starts the import of a file that is there as a whole.
    fileprivate func start(_ path: String, name: String) throws -> Int {
        let arguments = ["import", path, "--source-name=\(name)", "--cache", cache, "--json"]
        return try jobs.add(.importUpload, arguments) { self.remove(path) }
    }

    /// Removes a file; the folder stays, because SQLite has the temporary files of this process in it.
    fileprivate func remove(_ path: String) {
        unlink(path)
        current.withLock { if $0 == path { $0 = nil } }
    }

    /// Removes what is there when the server ends.
    package func close() {
        if let path = current.withLock({ $0 }) { remove(path) }
        rmdir(folder)
    }
}

/// One export that arrives; belongs to one connection.
package final class Upload: Sendable {
    private let uploads: Uploads
    private let path: String
    private let file: Int32
    private let byteCount: Int64
    private let name: String
    private let received = Mutex<Int64>(0)

    fileprivate init(_ uploads: Uploads, _ path: String, _ file: Int32, byteCount: Int64, name: String) {
        (self.uploads, self.path, self.file, self.byteCount, self.name) = (uploads, path, file, byteCount, name)
    }

    /// Appends bytes.
    ///
    /// - Throws: `WebError.inputOutput` where the disk takes no more, `tooLarge` beyond what was announced.
    package func write(_ bytes: [UInt8]) throws {
        let count = received.withLock { received in
            received += Int64(bytes.count)
            return received
        }
        guard count <= byteCount else { throw WebError(.tooLarge) }
        guard bytes.withByteView({ writeAll($0, to: file) }) else {
            throw WebError(.inputOutput, "The file cannot be written.", hint: "Check the disk.")
        }
    }

    /// The answer to a whole upload: its import, as a job.
    ///
    /// - Throws: `WebError.usage` where bytes are missing, `tooManyJobs`.
    package func finish() throws -> Answer {
        guard received.withLock({ $0 }) == byteCount else { throw WebError(.usage, "The file did not arrive whole.") }
        let id = try uploads.start(path, name: name)
        close(file)
        return .redirection(Address(job: id), status: 303)
    }

    /// Removes what has arrived of an upload that is not finished.
    package func abandon() {
        close(file)
        uploads.remove(path)
    }
}
