internal import ArchiveAggregating
internal import ArchiveFile
internal import ArchiveReading
internal import ArchiveRows
internal import HealthModel
internal import Reporting

/// Days or months as rows, read a type at a time and sent between two readings, so that a slow reader holds nothing of the
/// archive.
struct AggregateStream: Sendable {
    let archive: @Sendable () throws -> ArchiveReader
    let observation: Observation
    let question: AggregateQuestion
    /// Nil for all.
    let limit: Int?

    /// Bytes of a piece, about.
    private static let piece = 1 << 16

    /// - Throws: `busy` where an import changed the observation meanwhile, what `write` throws.
    func write(to write: ([UInt8]) throws -> Void) throws {
        var rest: [UInt8] = []
        try withoutActuallyEscaping(forEachBucket) { rows in
            _ = try AggregateRows.writeCSV(forTerminal: false, rows: rows) { bytes in
                rest += bytes
                guard rest.count >= Self.piece else { return }
                try write(rest)
                rest.removeAll(keepingCapacity: true)
            }
        }
        try write(rest)
    }

    /// Calls `body` with the rows in the command's order; returns whether these were all.
    private func forEachBucket(_ body: (AggregateBucket) throws -> Void) throws -> Bool {
        let reader = try archive()
        let types = try reader.read { try RecordPage.typeIdentifiers($0) }
        var left = limit ?? .max
        for type in types where question.types?.matches(type) ?? true {
            var question = question
            question.types = TypeFilter([type])
            var buckets: [AggregateBucket] = []
            let isWhole: Bool? = try reader.read { db in
                guard let chain = try Chain.read(db, with: observation.id),
                    let now = chain.finished.first(where: { $0.id == observation.id }),
                    now.stateDigest == observation.stateDigest
                else { return nil }
                // A filter is blind to case, and knows a star; identifiers are exact.
                return try Aggregates.forEachBucket(db, chain, at: now, question, limit: left) { bucket in
                    if bucket.type == type { buckets.append(bucket) }
                }
            }
            guard let isWhole else { throw WebError(.busy) }
            for bucket in buckets { try body(bucket) }
            left -= buckets.count
            if !isWhole { return false }
        }
        return true
    }
}
