package import Basics
internal import Foundation
internal import HealthModel

/// A stream of bytes that ends or breaks off.
package protocol ByteSource: AnyObject {
    /// How many bytes there should be, where the container says so.
    var expectedByteCount: Int64? { get }
    /// Appends at most `limit` bytes; 0 at the end.
    ///
    /// - Throws: `DamagedSource` where the container is broken; everything before that place has been delivered.
    func read(into buffer: ByteBuffer, upTo limit: Int) throws -> Int
}

/// The container broke off or its checksum is wrong; what was read until then counts.
package struct DamagedSource: LocalizedError {
    /// As in `stoppedAt`, see `docs/export-format.md`.
    package var reason: String
    /// Whether the system could not read the file, and nothing is known to be wrong with what is in it.
    var isReadError = false

    package var errorDescription: String? { "The export cannot be read (\(reason))." }

    /// The error where nothing can be made of the export without these bytes.
    var inputOutput: HealthProbeError {
        HealthProbeError(.inputOutput, localizedDescription, hint: "Check the disk, or copy the file again.")
    }
}

/// A file on disk, opened for reading only.
final class FileByteSource: ByteSource {
    /// The length of the file as it was opened.
    let byteCount: Int64
    var expectedByteCount: Int64? { byteCount }
    private let descriptor: Int32

    /// - Throws: `HealthProbeError` where the file cannot be opened.
    init(path: String) throws {
        descriptor = openRegularFile(path)
        guard descriptor >= 0 else { throw Self.openError(errno) }
        guard let info = status(descriptor) else {
            let code = errno
            close(descriptor)
            throw Self.openError(code)
        }
        byteCount = Int64(info.st_size)
        posix_fadvise(descriptor, 0, 0, POSIX_FADV_SEQUENTIAL)
    }

    deinit { close(descriptor) }

    /// Goes on at a place of the file, or at its end where that comes first.
    ///
    /// - Throws: `DamagedSource` where the system cannot.
    func seek(to offset: Int64) throws {
        if lseek(descriptor, off_t(min(offset, byteCount)), SEEK_SET) < 0 { throw readError }
    }

    func read(into buffer: ByteBuffer, upTo limit: Int) throws -> Int {
        let got = Basics.read(descriptor, into: buffer, upTo: limit)
        if got < 0 { throw readError }
        return got
    }

    private static func openError(_ code: Int32) -> HealthProbeError {
        HealthProbeError(
            code == ENOENT ? .noSuchInput : .inputOutput, "The file cannot be opened: \(systemMessage(code)).",
            hint: "Check the path and its permissions.")
    }

    private var readError: DamagedSource {
        DamagedSource(reason: "readError:\(systemMessage(errno))", isReadError: true)
    }
}
