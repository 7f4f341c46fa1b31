internal import ArchiveReading
internal import HealthModel
internal import Synchronization

/// How many changes of each kind and type blocks of a comparison's records have, by the hash of their rows: a page for some of
/// them passes over blocks without reading them again.
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

    private let blocks = Mutex<[Digest256: [Sort: Int]]>([:])

    /// A comparison has 62 at most.
    private static let most = 256

    /// How many changes of a block are wanted; nil for one that was not read yet.
    func count(_ block: Digest256, where isWanted: (Sort) -> Bool) -> Int? {
        blocks.withLock { $0[block] }?.reduce(0) { isWanted($1.key) ? $0 + $1.value : $0 }
    }

    /// Notes what a block has, whose rows are those of the hash.
    func note(_ block: Digest256, _ sorts: [Sort]) {
        let counts = Dictionary(sorts.map { ($0, 1) }, uniquingKeysWith: +)
        blocks.withLock { blocks in
            if blocks.count >= Self.most { blocks.removeAll() }
            blocks[block] = counts
        }
    }
}
