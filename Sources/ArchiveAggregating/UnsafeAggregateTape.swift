internal import ArchiveFile

/// What a first import needs of each record for its aggregates, kept in a spill file until the zone is known.
///
/// The zone can be that which most items name, and that is known only behind the last one; reading 32 bytes a record
/// back from a file costs a tenth of reading the rows again.
final class UnsafeAggregateTape {
    /// One row: which pair of type and descriptor, its dates and number. 32 bytes.
    struct Entry {
        var start: Int64
        /// `Int64.min` without an end.
        var end: Int64
        var number: Double
        var pair: Int32
        var hasNumber: Int32
    }

    private var buffer: [Entry] = []
    /// Whole buffers, one behind the other.
    private var spill: SpillFile?
    private var spilled = 0
    private static let capacity = 1 << 15

    init() { buffer.reserveCapacity(Self.capacity) }

    /// Notes one row.
    /// - Throws: `diskFull`, `inputOutput`.
    @inline(__always)
    func append(_ entry: Entry) throws {
        if buffer.count == Self.capacity { try writeBuffer() }
        buffer.append(entry)
    }

    /// Hands on all rows in the order in which they came, and forgets them.
    func drain(_ body: (Entry) throws -> Void) throws {
        if let spill {
            var piece = [Entry](
                repeating: Entry(start: 0, end: 0, number: 0, pair: 0, hasNumber: 0), count: Self.capacity)
            for index in 0..<spilled {
                try piece.withUnsafeMutableBytes { try spill.read($0, at: Int64(index * $0.count)) }
                for entry in piece { try body(entry) }
            }
        }
        for entry in buffer { try body(entry) }
        spill = nil
        spilled = 0
        buffer.removeAll()
    }

    private func writeBuffer() throws {
        let file = spill ?? SpillFile()
        spill = file
        _ = try buffer.withUnsafeBytes { try file.append($0) }
        spilled += 1
        buffer.removeAll(keepingCapacity: true)
    }
}
