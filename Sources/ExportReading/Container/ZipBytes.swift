internal import Basics

/// A zip file from any place on, through a buffer.
final class ZipBytes {
    var byteCount: Int64 { file.byteCount }
    /// Where the next byte comes from.
    private(set) var offset: Int64
    private let file: FileByteSource
    private let buffer: ByteBuffer
    private let bufferBytes: Int
    private var from = 0

    /// - Parameter bufferBytes: how much is read at a time.
    /// - Throws: `HealthProbeError` where the file cannot be opened; `DamagedSource` where the system cannot read it.
    init(path: String, at offset: Int64 = 0, bufferBytes: Int = 1 << 16) throws {
        file = try FileByteSource(path: path)
        buffer = ByteBuffer(capacity: bufferBytes)
        self.bufferBytes = bufferBytes
        self.offset = offset
        if offset > 0 { try file.seek(to: offset) }
    }

    /// Goes on at a place of the file.
    ///
    /// - Throws: `DamagedSource` where the system cannot.
    func seek(to place: Int64) throws {
        let step = place - offset
        if step >= 0, step <= Int64(buffer.count - from) {
            from += Int(step)
        } else {
            empty()
            try file.seek(to: place)
        }
        offset = place
    }

    /// The next bytes; nil where the file ends before them.
    ///
    /// - Throws: `DamagedSource` where the system cannot read the file.
    func take(_ count: Int) throws -> ZipFields? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count)
        while bytes.count < count {
            let used = try withBuffered(limit: Int64(count - bytes.count)) { piece in
                bytes.append(contentsOf: piece)
                return piece.count
            }
            if used == 0 { return nil }
        }
        return ZipFields(bytes: bytes)
    }

    /// Hands on what is buffered, at most `limit` bytes and none at the end of the file.
    ///
    /// - Parameter body: returns how many of them it has used.
    /// - Returns: the same number.
    /// - Throws: `DamagedSource` where the system cannot read the file.
    func withBuffered(limit: Int64, _ body: (ByteView) throws -> Int) throws -> Int {
        if from == buffer.count, limit > 0 {
            empty()
            _ = try file.read(into: buffer, upTo: bufferBytes)
        }
        let count = Int(min(limit, Int64(buffer.count - from)))
        let used = try body(buffer.view[from..<from + count])
        from += used
        offset += Int64(used)
        return used
    }

    private func empty() {
        from = 0
        buffer.removeAll()
    }
}

/// Bytes of a zip's own records, whose numbers are little-endian.
struct ZipFields {
    let bytes: [UInt8]

    /// A number of two bytes.
    func short(_ at: Int) -> Int { Int(number(at, 2)) }

    /// A number of four bytes.
    func word(_ at: Int) -> UInt32 { UInt32(number(at, 4)) }

    /// A number of eight bytes; no file is as long as what is cut off here, and sums of such numbers do not overflow.
    func long(_ at: Int) -> Int64 { Int64(min(number(at, 8), 1 << 58)) }

    private func number(_ at: Int, _ count: Int) -> UInt64 {
        bytes[at..<at + count].reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }
}
