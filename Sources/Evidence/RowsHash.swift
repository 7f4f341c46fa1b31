internal import Basics
package import GRDB
package import HealthModel

/// The SHA-256 of `hp:v2:rows:` and the canonical JSON arrays of rows, a line each.
package struct RowsHash {
    private var hash = SHA256()
    private let out = ByteBuffer(capacity: 4096)
    private var count: Int64 = 0

    package init() { out.append("hp:v2:rows:") }

    mutating func add(_ row: Row) { add(Array(row.databaseValues)) }

    /// Adds the next row's values.
    package mutating func add(_ values: [DatabaseValue]) {
        out.append(RowDigests.json(values), .canonical)
        out.append(0x0A)
        count += 1
        if out.count > 1 << 16 {
            hash.update(out.view)
            out.removeAll()
        }
    }

    /// The number of rows and their hash.
    package mutating func finish() -> (count: Int64, sha256: Digest256) {
        hash.update(out.view)
        return (count, hash.finalize())
    }
}
