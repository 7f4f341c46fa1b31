internal import Basics
package import GRDB
internal import Store

/// Finds samples that may be equal without fetching whole identities of all.
package enum SampleNeighbours {
    /// Calls `body` with the ids, ascending, of several samples with one type, start and beginning of the identity.
    ///
    /// In the order of the index they are neighbours.
    package static func forEachGroup(
        _ db: Database, from firstRow: Int64 = .min, _ body: (_ ids: [Int64]) throws -> Void
    ) throws {
        let rows = try PreparedStatement(
            db,
            """
            SELECT id, sample_type_id, start_seconds, substr(identity, 1, 4)
            FROM record_versions INDEXED BY record_versions_timeline
            WHERE sample_id IS NULL
            ORDER BY sample_type_id, start_seconds, substr(identity, 1, 4), id
            """)
        defer { rows.reset() }
        var group: [Int64] = []
        var key: (type: Int64, start: Int64?, prefix: UInt32) = (0, nil, 0)
        while try rows.step() {
            let id = rows.int(0)
            guard id >= firstRow else { continue }
            let prefix = rows.bytes(3).map { $0.count < 4 ? 0 : $0.word(at: 0) } ?? 0
            let next = (rows.int(1), rows.optionalInt(2), prefix)
            if next != key {
                if group.count > 1 { try body(group) }
                group.removeAll(keepingCapacity: true)
                key = next
            }
            group.append(id)
        }
        if group.count > 1 { try body(group) }
    }
}
