internal import Foundation
package import GRDB
internal import HealthModel
internal import TextFormats

/// Finds samples by the start of their identity: sorted runs of (first four bytes, copy id), eight bytes an entry.
///
/// A B-tree over hashes would cost a random page per record; a run is sorted in memory and written in a row.
package enum IdentityIndex {
    /// Entries of one row of `identity_runs`.
    private static let chunkEntries = 4_096
    /// Entries sorted together.
    static let runEntries = 1 << 19

    /// Collects entries and writes a run when enough have come.
    final class Writer {
        private let db: Database
        private let importID: Int64
        private var entries: [UInt64] = []

        init(_ db: Database, importID: Int64) {
            self.db = db
            self.importID = importID
        }

        @inline(__always)
        func add(_ identity: Digest256, copy: Int64) throws {
            entries.append(
                identity.a.bigEndian & 0xFFFF_FFFF_0000_0000 | UInt64(truncatingIfNeeded: copy) & 0xFFFF_FFFF)
            if entries.count >= IdentityIndex.runEntries { try flush() }
        }

        func flush() throws {
            guard !entries.isEmpty else { return }
            entries.sort()
            let run = try Int64.fetchOne(db, sql: "SELECT ifnull(max(run), 0) + 1 FROM identity_runs") ?? 1
            var from = 0
            while from < entries.count {
                let chunk = entries[from..<min(from + IdentityIndex.chunkEntries, entries.count)]
                let bytes = ByteBuffer(capacity: chunk.count * 8)
                for entry in chunk { bytes.append(long: Int64(bitPattern: entry.byteSwapped)) }
                try db.execute(
                    sql: "INSERT INTO identity_runs (run, first_entry, import_id, entries) VALUES (?, ?, ?, ?)",
                    arguments: [run, IdentityIndex.key(chunk[from]), importID, Data(bytes.view)])
                from += IdentityIndex.chunkEntries
            }
            entries.removeAll(keepingCapacity: true)
        }
    }

    /// Numbers the runs from 1 without gaps again, after some were deleted.
    static func renumberRuns(_ db: Database) throws {
        let runs = try Int64.fetchAll(db, sql: "SELECT DISTINCT run FROM identity_runs ORDER BY run")
        for (number, run) in zip(Int64(1)..., runs) where run != number {
            try db.execute(sql: "UPDATE identity_runs SET run = ? WHERE run = ?", arguments: [number, run])
        }
    }

    /// An entry as a signed number in the same order.
    private static func key(_ entry: UInt64) -> Int64 { Int64(bitPattern: entry ^ 1 << 63) }

    /// The copies whose identity may start with these bytes; the caller compares the whole identity.
    package static func copies(_ db: Database, from low: UInt32, through high: UInt32) throws -> [Int64] {
        let lowest = UInt64(low) << 32
        let highest = UInt64(high) << 32 | 0xFFFF_FFFF
        var found: [Int64] = []
        let runs = try Int64.fetchAll(db, sql: "SELECT DISTINCT run FROM identity_runs")
        for run in runs {
            let chunks = try Data.fetchCursor(
                db,
                sql: """
                    SELECT entries FROM identity_runs WHERE run = :run AND first_entry <= :high
                        AND first_entry >= ifnull((SELECT max(first_entry) FROM identity_runs
                            WHERE run = :run AND first_entry <= :low), -9223372036854775808)
                    """,
                arguments: ["run": run, "high": key(highest), "low": key(lowest)])
            while let chunk = try chunks.next() {
                chunk.withByteView { bytes in
                    for at in stride(from: 0, to: bytes.count - 7, by: 8) {
                        let entry = bytes.long(at: at).byteSwapped
                        if entry >= lowest, entry <= highest { found.append(Int64(entry & 0xFFFF_FFFF)) }
                    }
                }
            }
        }
        return found
    }
}
