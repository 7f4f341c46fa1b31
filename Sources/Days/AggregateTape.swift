internal import Basics
internal import Store

/// What a first import needs of each record for its aggregates, kept in a spill file until the zone is known.
///
/// The zone can be that which most items name, and that is known only behind the last one; reading 32 bytes a record
/// back from a file costs a tenth of reading the rows again.
final class AggregateTape {
    /// One row: which pair of type and descriptor, its dates and number. 32 bytes on the tape.
    struct Entry {
        var start: Int64
        /// `Int64.min` without an end.
        var end: Int64
        var number: Double
        var pair: Int32
        var hasNumber: Int32
    }

    private let buffer = ByteBuffer(capacity: AggregateTape.bufferBytes)
    /// Whole buffers, one behind the other.
    private var spill = SpillFile()
    private var spilled: Int64 = 0
    private static let entryBytes = 32
    private static let bufferBytes = entryBytes << 15

    /// Notes one row.
    /// - Throws: `diskFull`, `inputOutput`.
    @inline(__always)
    func append(_ entry: Entry) throws {
        if buffer.count == Self.bufferBytes { try writeBuffer() }
        buffer.append(long: entry.start)
        buffer.append(long: entry.end)
        buffer.append(long: Int64(bitPattern: entry.number.bitPattern))
        buffer.append(word: UInt32(bitPattern: entry.pair))
        buffer.append(word: UInt32(bitPattern: entry.hasNumber))
    }

    /// Hands on all rows in the order in which they came, and forgets them.
    func drain(_ body: (Entry) throws -> Void) throws {
        let piece = ByteBuffer(capacity: Self.bufferBytes)
        for index in 0..<spilled {
            piece.removeAll()
            try spill.read(Self.bufferBytes, at: index * Int64(Self.bufferBytes), into: piece)
            try Self.forEach(in: piece.view, body)
        }
        try Self.forEach(in: buffer.view, body)
        spill = SpillFile()
        spilled = 0
        buffer.removeAll()
    }

    private static func forEach(in bytes: ByteView, _ body: (Entry) throws -> Void) throws {
        for at in stride(from: 0, to: bytes.count, by: entryBytes) {
            try body(
                Entry(
                    start: Int64(bitPattern: bytes.long(at: at)), end: Int64(bitPattern: bytes.long(at: at + 8)),
                    number: Double(bitPattern: bytes.long(at: at + 16)),
                    pair: Int32(bitPattern: bytes.word(at: at + 24)),
                    hasNumber: Int32(bitPattern: bytes.word(at: at + 28))))
        }
    }

    private func writeBuffer() throws {
        _ = try spill.append(buffer.view)
        spilled += 1
        buffer.removeAll()
    }
}
