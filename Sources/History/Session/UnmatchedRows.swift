internal import HealthModel
internal import Store

/// The visible rows that no item matches, and the samples that have several rows or items.
final class UnmatchedRows {
    let rows: RowBatch
    private var samples = Bitmap()
    /// By 25 bits of the identity: 4 MiB, and beside three million such items a tenth of the pairs is sorted needlessly.
    private var contested = Bitmap()

    init(rows: RowBatch) { self.rows = rows }

    /// Counts a visible row as one of a sample.
    @inline(__always)
    func count(_ identity: Digest256, of sample: Int64) {
        if samples.contains(sample) { contest(identity) } else { samples.insert(sample) }
    }

    @inline(__always)
    func contest(_ identity: Digest256) { contested.insert(Self.prefix(identity)) }

    func isContested(_ identity: Digest256) -> Bool { contested.contains(Self.prefix(identity)) }

    private static func prefix(_ identity: Digest256) -> Int64 { Int64(identity.a >> 39) }
}
