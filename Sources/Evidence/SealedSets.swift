internal import Basics
package import GRDB
internal import Store

/// The metadata sets, which grow with every import: each seal hashes those that were added since the seal before it.
///
/// The versions of the rows that name a set cover it; this also covers the sets that no row names.
package enum SealedSets {
    private static let rows = "SELECT * FROM metadata_sets WHERE id > ? AND id <= ? ORDER BY id"

    /// The member `metadataSets` of a statement; those of a repair and a withdrawal begin again.
    static func json(_ db: Database, _ kind: Seals.Kind) throws -> JSON {
        let before = try Int64.fetchOne(
            db,
            sql: """
                SELECT json_extract(statement, '$.metadataSets.through') FROM seals ORDER BY sequence DESC LIMIT 1
                """)
        let after = [.repair, .withdrawal].contains(kind) ? 0 : before ?? 0
        let through = max(after, try Int64.fetchOne(db, sql: "SELECT max(id) FROM metadata_sets") ?? 0)
        return .object([
            ("after", .int(after)), ("rows", try SealFacts.digest(db, rows, after, through)),
            ("through", .int(through)),
        ])
    }

    /// The first seal since rows were removed last whose sets are not there as it says; nil where all are.
    package static func problem(_ db: Database) throws -> String? {
        let sections = try Row.fetchCursor(
            db,
            sql: """
                SELECT sequence, json_extract(statement, '$.metadataSets.after') AS after,
                    json_extract(statement, '$.metadataSets.through') AS through,
                    json_extract(statement, '$.metadataSets.rows') AS rows
                FROM seals WHERE sequence >= \(Seals.afterRemoval)
                    AND json_extract(statement, '$.metadataSets') IS NOT NULL ORDER BY sequence
                """)
        while let section = try sections.next() {
            let digest = try SealFacts.digest(db, rows, section.get("after"), section.get("through"))
            if try digest.canonicalText != section.get("rows") {
                return try "metadata_sets: the rows are not those of seal \(section.get("sequence") as Int64)"
            }
        }
        return nil
    }
}
