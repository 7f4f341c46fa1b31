internal import Basics
package import Foundation
package import GRDB

/// Finds samples by the start of their identity: sorted runs of (first four bytes, row id), eight bytes an entry.
///
/// A B-tree over hashes would cost a random page per record; a run is sorted in memory and written in a row.
package enum IdentityIndex {
    /// The highest row id that an entry can hold.
    package static let highestRowID: Int64 = 0xFFFF_FFFF

    /// The entry of a row whose identity begins with these bytes.
    @inline(__always)
    package static func entry(_ prefix: UInt32, rowID: Int64) -> UInt64 {
        UInt64(prefix) << 32 | UInt64(truncatingIfNeeded: rowID) & 0xFFFF_FFFF
    }

    /// The id of an entry's row.
    package static func rowID(_ entry: UInt64) -> Int64 { Int64(entry & 0xFFFF_FFFF) }

    /// Goes through the entries of a row of `identity_runs`.
    package static func forEachEntry(in chunk: Data, _ body: (UInt64) -> Void) {
        chunk.withByteView { bytes in
            for at in stride(from: 0, to: bytes.count - 7, by: 8) { body(bytes.long(at: at).byteSwapped) }
        }
    }

    /// An entry as a signed number in the same order.
    package static func key(_ entry: UInt64) -> Int64 { Int64(bitPattern: entry ^ 1 << 63) }

    /// The rows whose identity may start with these bytes; the caller compares the whole identity.
    package static func rows(_ db: Database, from low: UInt32, through high: UInt32) throws -> [Int64] {
        let lowest = entry(low, rowID: 0)
        let highest = entry(high, rowID: highestRowID)
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
                forEachEntry(in: chunk) { if $0 >= lowest, $0 <= highest { found.append(rowID($0)) } }
            }
        }
        return found
    }
}
