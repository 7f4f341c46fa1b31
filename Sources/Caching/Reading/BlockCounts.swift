internal import ArchiveReading
internal import HealthModel
internal import Synchronization

/// How many changes of each kind and type blocks of a comparison's records have, by what the cache says of them: a page for
/// some of them passes over blocks without reading them again.
final class BlockCounts: Sendable {
    /// What a page may be asked for only some of.
    struct Sort: Hashable {
        let kind: DiffChange.Kind
        let type: ExactText

        /// Nil for cells that are no change's.
        init?(_ cells: [CacheValue]) {
            guard cells.count > 4, let kind = cells[0].text.flatMap(DiffChange.Kind.init), let type = cells[4].text
            else { return nil }
            (self.kind, self.type) = (kind, ExactText(type))
        }
    }

    /// What the cache says of a block; where somebody changed it, the block is another one and is read.
    private struct Block: Hashable {
        let source: Digest256
        let rows: Digest256
        let rowCount: Int64

        init(_ entry: CacheEntry) { (source, rows, rowCount) = (entry.source, entry.rowsSHA256, entry.rowCount) }
    }

    private let blocks = Mutex<[Block: [Sort: Int]]>([:])

    /// A comparison has 62 at most.
    private static let most = 256

    /// How many changes of a block are wanted; nil for one that was not read yet.
    func count(_ block: CacheEntry, where isWanted: (Sort) -> Bool) -> Int? {
        blocks.withLock { $0[Block(block)] }?.reduce(0) { isWanted($1.key) ? $0 + $1.value : $0 }
    }

    /// Notes what a block has that was read.
    func note(_ block: CacheEntry, _ sorts: [Sort]) {
        let counts = Dictionary(sorts.map { ($0, 1) }, uniquingKeysWith: +)
        blocks.withLock { blocks in
            if blocks.count >= Self.most { blocks.removeAll() }
            blocks[Block(block)] = counts
        }
    }
}
