internal import Foundation

/// What a first import needs of each record for its aggregates, kept in an unlinked file until the zone is known.
///
/// The zone can be that which most items name, and that is known only behind the last one; reading 32 bytes a record
/// back from a file costs a tenth of reading the rows again.
final class UnsafeAggregateTape {
    /// One copy: which pair of type and descriptor, its dates and number. 32 bytes.
    struct Entry {
        var start: Int64
        /// `Int64.min` without an end.
        var end: Int64
        var number: Double
        var pair: Int32
        var hasNumber: Int32
    }

    private var buffer: [Entry] = []
    private var descriptor: Int32 = -1
    private static let capacity = 1 << 15

    init() { buffer.reserveCapacity(Self.capacity) }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    /// Notes one copy.
    /// - Throws: `diskFull`, `inputOutput`.
    @inline(__always)
    func append(_ entry: Entry) throws {
        if buffer.count == Self.capacity { try spill() }
        buffer.append(entry)
    }

    /// Hands on all copies in the order in which they came, and forgets them.
    func drain(_ body: (Entry) throws -> Void) throws {
        if descriptor >= 0 {
            let rest = buffer
            lseek(descriptor, 0, SEEK_SET)
            var piece = [Entry](
                repeating: Entry(start: 0, end: 0, number: 0, pair: 0, hasNumber: 0), count: Self.capacity)
            while true {
                let count = try piece.withUnsafeMutableBytes { try read(into: $0) } / MemoryLayout<Entry>.stride
                if count == 0 { break }
                for index in 0..<count { try body(piece[index]) }
            }
            for entry in rest { try body(entry) }
            close(descriptor)
            descriptor = -1
        } else {
            for entry in buffer { try body(entry) }
        }
        buffer.removeAll()
    }

    private func spill() throws {
        if descriptor < 0 { try open() }
        try buffer.withUnsafeBytes { bytes in
            var done = 0
            while done < bytes.count, let base = bytes.baseAddress {
                let written = Foundation.write(descriptor, base + done, bytes.count - done)
                if written < 0 {
                    if errno == EINTR { continue }
                    throw failure()
                }
                done += written
            }
        }
        buffer.removeAll(keepingCapacity: true)
    }

    private func open() throws {
        // Where SQLite puts its own temporary files, and in its order.
        for folder in [getenv("SQLITE_TMPDIR").map { String(cString: $0) }, "/var/tmp", "/tmp"] {
            guard let folder else { continue }
            var template = Array((folder + "/aggregates-XXXXXX").utf8CString)
            descriptor = mkstemp(&template)
            guard descriptor >= 0 else { continue }
            _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
            unlink(template)
            return
        }
        throw failure()
    }

    private func read(into bytes: UnsafeMutableRawBufferPointer) throws -> Int {
        var done = 0
        while done < bytes.count, let base = bytes.baseAddress {
            let count = Foundation.read(descriptor, base + done, bytes.count - done)
            if count == 0 { break }
            if count < 0 {
                if errno == EINTR { continue }
                throw failure()
            }
            done += count
        }
        return done
    }

    private func failure() -> ArchiveError {
        errno == ENOSPC || errno == EDQUOT
            ? ArchiveError(
                .diskFull, "The disk is full; the archive is as it was before.",
                hint: "Free some space and run the same command again.")
            : ArchiveError(
                .inputOutput, "A temporary file cannot be written: \(String(cString: strerror(errno))).",
                hint: "Check the disk and the folder of the archive.")
    }
}
