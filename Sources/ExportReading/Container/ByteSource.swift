internal import Foundation
internal import HealthModel
#if canImport(Glibc)
    internal import Glibc
#endif

/// A stream of bytes that ends or breaks off.
package protocol ByteSource: AnyObject {
    /// How many bytes there should be, where the container says so.
    var expectedByteCount: Int64? { get }
    /// Fills the buffer as far as possible; 0 at the end.
    ///
    /// - Throws: `DamagedSource` where the container is broken; everything before that place has been delivered.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int
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
    private let descriptor: Int32
    let expectedByteCount: Int64?

    init(path: String) throws {
        descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            let code: HealthProbeError.Code = errno == ENOENT ? .noSuchInput : .inputOutput
            throw HealthProbeError(
                code, "The file cannot be opened: \(String(cString: strerror(errno))).",
                hint: "Check the path and its permissions.")
        }
        var info = stat()
        expectedByteCount = fstat(descriptor, &info) == 0 ? Int64(info.st_size) : nil
        posix_fadvise(descriptor, 0, 0, POSIX_FADV_SEQUENTIAL)
    }

    deinit { close(descriptor) }

    /// Goes on at a place of the file.
    func seek(to offset: Int64) { lseek(descriptor, off_t(offset), SEEK_SET) }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        while true {
            #if canImport(Glibc)
                let got = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
            #else
                let got = Foundation.read(descriptor, buffer.baseAddress, buffer.count)
            #endif
            if got >= 0 { return got }
            if errno != EINTR {
                throw DamagedSource(reason: "readError:\(String(cString: strerror(errno)))", isReadError: true)
            }
        }
    }
}
