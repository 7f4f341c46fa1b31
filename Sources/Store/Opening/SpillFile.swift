package import Basics
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
    package func append(_ bytes: ByteView) throws -> Int64 {
        if descriptor < 0 { try make() }
        let place = end
        guard writeAll(bytes, to: descriptor) else { throw Self.failure(errno) }
        end += Int64(bytes.count)
        return place
    }

    /// Appends so many bytes from a place to a buffer.
    package func read(_ count: Int, at place: Int64, into buffer: ByteBuffer) throws {
        let end = buffer.count + count
        while buffer.count < end {
            let missing = end - buffer.count
            let got = Basics.read(descriptor, into: buffer, upTo: missing, at: place + Int64(count - missing))
            guard got > 0 else { throw Self.failure(got == 0 ? EIO : errno) }
        }
    }

    private func make() throws {
        let (made, path) = openTemporary("\(TemporaryFolder.path)/spill-XXXXXX")
        descriptor = made
        guard descriptor >= 0 else { throw Self.failure(errno) }
        unlink(path)
    }

    private static func failure(_ code: Int32) -> HealthProbeError {
        if isDiskFull(code) { return .fullDisk() }
        return HealthProbeError(
            .inputOutput, "A temporary file cannot be written: \(systemMessage(code)).",
            hint: "Check the disk and the permissions of the archive's folder.")
    }
}
