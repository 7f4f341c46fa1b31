internal import Days
internal import HealthModel
internal import Questions
internal import Reporting
internal import Store
internal import Training

/// Days or months as rows, read a type at a time and sent between two readings, so that a slow reader holds nothing of the
/// archive.
struct AggregateStream: Sendable {
    let archive: @Sendable () throws -> ArchiveReader
    let observation: Observation
    let question: AggregateQuestion
    /// The athlete's order of sources.
    let order: SourceOrder
    /// Nil for all.
    let limit: Int?

    /// - Throws: `busy` where an import changed the observation meanwhile, what `write` throws.
    func write(to write: ([UInt8]) throws -> Void) throws {
        _ = try AggregateRows.writeCSV(forTerminal: false, rows: forEachBucket, to: write)
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
            let isWhole = try reader.read(observation) { db, chain, now in
                // A filter is blind to case, and knows a star; identifiers are exact.
                try TotalledBuckets.forEach(
                    Snapshot(db, chain: chain.name), at: now, question, order: order, limit: left
                ) { bucket in
                    if bucket.type == type { buckets.append(bucket) }
                }
            }
            for bucket in buckets { try body(bucket) }
            left -= buckets.count
            if !isWhole { return false }
        }
        return true
    }
}

extension ArchiveReader {
    /// Reads an observation for a part of a stream.
    ///
    /// - Throws: `busy` where an import changed it since the stream began.
    func read<R>(
        _ observation: Observation, _ body: (ArchiveDatabase, Chain, Observation) throws -> R
    ) throws -> R {
        try read { db in
            guard let chain = try Chain.read(db, with: observation.id),
                let now = chain.finished.first(where: { $0.id == observation.id }),
                now.stateDigest == observation.stateDigest
            else { throw WebError(.busy) }
            return try body(db, chain, now)
        }
    }
}
