internal import Basics
internal import HealthModel
internal import Store

/// Tests on a thread of its own that the identity of each exported row follows from the row's fields.
///
/// A value that was changed in the archive is refused before it leaves it under the identity of another.
final class IdentityCheck {
    /// Strict keys one after the other, and where each ends.
    private struct Batch {
        var keys = ByteBuffer(capacity: IdentityCheck.fullBytes + 4096)
        var entries: [(end: Int, identity: Digest256, row: Int64)] = []
    }

    private static let fullBytes = 64 << 10
    private let texts: IdentityText
    private let hashing: WriterThread<Batch, Void>
    private var batch = Batch()

    init(_ names: ArchiveNames) {
        texts = IdentityText(names)
        hashing = WriterThread { thread in
            while let batch = thread.pop() {
                var from = 0
                for entry in batch.entries {
                    guard Digest256(hashing: batch.keys.view[from..<entry.end]) == entry.identity else {
                        throw Self.refusal(entry.row)
                    }
                    from = entry.end
                }
            }
        }
    }

    deinit { hashing.cancel() }

    /// Adds a row whose texts are in `arena`.
    ///
    /// - Parameter item: what it has beside the columns; nil for a plain record.
    func add(_ row: HeldVersion, _ item: StoredItem?, in arena: ByteBuffer) throws {
        guard try texts.append(row, item, in: arena, to: batch.keys) else { throw Self.refusal(row.rowID) }
        batch.entries.append((batch.keys.count, row.identity, row.rowID))
        guard batch.keys.count >= Self.fullBytes else { return }
        try hashing.push(batch)
        batch = Batch()
    }

    /// Waits until all rows are tested.
    ///
    /// - Throws: `integrityFailure` for a row whose identity does not follow from its fields.
    func finish() throws {
        if !batch.entries.isEmpty { try hashing.push(batch) }
        try hashing.finish()
    }

    private static func refusal(_ row: Int64) -> HealthProbeError {
        HealthProbeError(
            .integrityFailure,
            "The identity of row \(row) of record_versions does not follow from its fields; it is not exported.",
            hint: "Run healthprobe check --deep.")
    }
}
