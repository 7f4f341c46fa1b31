internal import Basics
internal import Foundation
internal import GRDB
internal import HealthModel
internal import Store

extension IdentityIndex {
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
        func add(_ identity: Digest256, rowID: Int64) throws {
            entries.append(IdentityIndex.entry(identity.prefix32, rowID: rowID))
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
}
