internal import Foundation
internal import HealthModel

/// A temporary file in the archive's private folder that has no name any more: what does not fit into memory.
package final class SpillFile {
    private var descriptor: Int32 = -1
    private var end: Int64 = 0

    package init() {}

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Writes bytes behind all others; returns their place.
    /// - Throws: `diskFull`, `inputOutput`.
    package func append(_ bytes: UnsafeRawBufferPointer) throws -> Int64 {
        if descriptor < 0 { try make() }
        let place = end
        var done = 0
        while done < bytes.count {
            let part = UnsafeRawBufferPointer(rebasing: bytes[done...])
            let written = pwrite(descriptor, part.baseAddress, part.count, off_t(place) + off_t(done))
            if written < 0, errno == EINTR { continue }
            guard written > 0 else { throw Self.failure(errno) }
            done += written
        }
        end += Int64(bytes.count)
        return place
    }

    /// Fills a buffer from a place.
    package func read(_ buffer: UnsafeMutableRawBufferPointer, at place: Int64) throws {
        var done = 0
        while done < buffer.count {
            let part = UnsafeMutableRawBufferPointer(rebasing: buffer[done...])
            let got = pread(descriptor, part.baseAddress, part.count, off_t(place) + off_t(done))
            if got < 0, errno == EINTR { continue }
            guard got > 0 else { throw Self.failure(got == 0 ? EIO : errno) }
            done += got
        }
    }

    private func make() throws {
        var template = Array("\(TemporaryFolder.path)/spill-XXXXXX".utf8CString)
        descriptor = template.withUnsafeMutableBufferPointer { $0.baseAddress.map { mkstemp($0) } ?? -1 }
        guard descriptor >= 0 else { throw Self.failure(errno) }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        _ = template.withUnsafeBufferPointer { $0.baseAddress.map { unlink($0) } }
    }

    private static func failure(_ code: Int32) -> HealthProbeError {
        if code == ENOSPC || code == EDQUOT {
            return HealthProbeError(
                .diskFull, "The disk is full; the archive is as it was before.",
                hint: "Free some space and run the same command again.")
        }
        return HealthProbeError(
            .inputOutput, "A temporary file cannot be written: \(String(cString: strerror(code))).",
            hint: "Check the disk and the permissions of the archive's folder.")
    }
}
