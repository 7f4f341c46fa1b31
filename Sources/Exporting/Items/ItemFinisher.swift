internal import Basics
internal import Evidence
internal import HealthModel

/// Completes the items of blocks: fingerprints, pseudonyms of versions, hashes, and rows where the format is CSV.
///
/// `@unchecked Sendable`: only the pipeline's second thread uses it until that has ended.
final class ItemFinisher: @unchecked Sendable {
    private let pseudonyms: HMACSHA256?
    private var rows: CSVRows?
    private var hashes = SHA256()
    private let lines = ByteBuffer(capacity: 1 << 14)
    /// How many items there were.
    private(set) var count: Int64 = 0
    /// The items one by one; nil once they are too many to be recorded.
    private(set) var recorded: [RecordedExport.Item]? = []
    /// Items of an export that are recorded one by one.
    static let maximumRecorded = 100_000

    init(pseudonyms: HMACSHA256?, rows: CSVRows?) {
        self.pseudonyms = pseudonyms
        self.rows = rows
    }

    /// How many cells were neutralised.
    var guardedCount: Int64 { rows?.guardedCount ?? 0 }

    /// SHA-256 over the item hashes in order, each as 64 digits and a line feed.
    func itemsHash() -> Digest256 { hashes.finalize() }

    /// Completes the items of a block.
    func finish(_ block: ItemBlock) {
        let items = block.items
        lines.removeAll()
        if rows != nil, block.rows == nil { block.rows = ByteBuffer(capacity: ItemBlock.fullBytes) }
        for entry in block.entries {
            if entry.fingerprintAt >= 0 {
                Digest256(hashing: block.fingerprinted.view[entry.fingerprinted]).writeHex(
                    to: items, at: entry.fingerprintAt)
            }
            if let pseudonyms, entry.versionAt >= 0 {
                let version = items.view[entry.versionAt..<entry.versionAt + 64]
                pseudonyms.code(for: version).writeHex(to: items, at: entry.versionAt)
            }
            var hash = SHA256()
            hash.update(items.view[entry.start..<entry.hashAt])
            hash.update(items.view[entry.hashAt + ItemEntry.hashMember..<entry.end])
            let digest = hash.finalize()
            digest.writeHex(to: items, at: entry.hashAt + ItemEntry.hashPrefix)
            digest.appendHex(to: lines)
            lines.append(0x0A)
            if rows != nil, let out = block.rows {
                rows?.append(items.view[entry.start..<entry.end], to: out)
            }
            record(entry, digest)
        }
        hashes.update(lines.view)
        count += Int64(block.entries.count)
    }

    private func record(_ entry: ItemEntry, _ digest: Digest256) {
        guard let known = recorded else { return }
        if known.count >= Self.maximumRecorded || entry.rowID == 0 {
            recorded = nil
        } else {
            recorded?.append(.init(sampleID: entry.sampleID, rowID: entry.rowID, hash: digest.hex))
        }
    }
}
