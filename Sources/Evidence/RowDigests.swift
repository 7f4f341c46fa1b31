internal import Basics
internal import Foundation
package import GRDB
package import HealthModel
internal import Store

/// Running digests of the append-only tables: each row's digest covers the row and the digest of the row before it.
///
/// A row's digest is SHA-256 of `hp:v2:row:`, the table's name, `:`, the 32 bytes of the digest before it (zeros for
/// the first row), and the canonical JSON array of the row's other columns, `id` first.
package enum RowDigests {
    /// The tables with an `id` that counts from 1 and a column `row_digest`.
    package enum Table: String, CaseIterable, Sendable {
        case runLog = "run_log"
        case keyEpochs = "key_epochs"
        case exportManifests = "export_manifests"

        /// The columns but `row_digest`, `id` first.
        fileprivate var columns: String {
            switch self {
            case .runLog:
                "id, logged_at, event, outcome, import_id, program, details, file_name, byte_count, sha256"
            case .keyEpochs: "id, began_at, key_id"
            case .exportManifests:
                """
                id, export_id, created_at, export_kind, from_observation_id, to_observation_id, filter_json, \
                manifest_hash, record_count, program, has_items, recorded_at, items_digest
                """
            }
        }
    }

    /// How many rows a table has and the digest of the last; nil for an empty one.
    package struct Head: Equatable {
        package var rows: Int64
        var digest: Digest256

        var json: JSON { .object([("digest", .string(digest.hex)), ("rows", .int(rows))]) }
    }

    package static func head(_ db: Database, _ table: Table) throws -> Head? {
        try Row.fetchOne(db, sql: "SELECT id, row_digest FROM \(table.rawValue) ORDER BY id DESC LIMIT 1")
            .map { try Head(rows: $0.get("id"), digest: $0.get("row_digest")) }
    }

    /// Appends a row.
    /// - Parameter values: the table's columns behind `id`, in their order.
    package static func append(_ db: Database, _ table: Table, _ values: [(any DatabaseValueConvertible)?]) throws {
        let before = try head(db, table)
        let (id, isBeyond) = (before?.rows ?? 0).addingReportingOverflow(1)
        if isBeyond { throw HealthProbeError.unreadableValue }
        let all = [id.databaseValue] + values.map { $0?.databaseValue ?? .null }
        let digest = digest(table, before?.digest ?? Digest256(), all)
        let marks = Array(repeating: "?", count: all.count + 1).joined(separator: ", ")
        try db.execute(
            sql: "INSERT INTO \(table.rawValue) (\(table.columns), row_digest) VALUES (\(marks))",
            arguments: StatementArguments(all + [digest.databaseValue]))
    }

    /// The digests that seals since the last repair name of a table, by the number of rows up to each.
    private static func sealedHeads(_ db: Database, _ table: Table) throws -> [Int64: Digest256] {
        let rows = try Row.fetchAll(
            db,
            sql: """
                SELECT json_extract(t.value, '$.rows') AS rows, json_extract(t.value, '$.digest') AS digest
                FROM seals s, json_each(s.statement, '$.tables') t
                WHERE t.key = ? AND s.sequence >= \(Seals.afterRepair)
                """,
            arguments: [table.rawValue])
        var heads: [Int64: Digest256] = [:]
        for row in rows {
            guard let digest = try (row.get("digest") as String?).flatMap({ Digest256(hex: $0) }) else { continue }
            let count: Int64 = try row.get("rows")
            heads[count] = heads[count] ?? digest
        }
        return heads
    }

    /// What is wrong with a table's chain of digests; nil where all rows follow and lead through every head that a seal names.
    package static func problem(_ db: Database, _ table: Table) throws -> String? {
        let name = table.rawValue
        var expected = try sealedHeads(db, table)
        var count: Int64 = 0
        let rows = try rows(db, table)
        while let (row, digest) = try rows.next() {
            count += 1
            let stored = try? row.get("row_digest") as Digest256
            if try row.get("id") as Int64 != count { return "\(name): row \(count) is missing" }
            if stored != digest { return "\(name): the digest of row \(count) does not follow" }
            if let sealed = expected.removeValue(forKey: count), sealed != digest {
                return "\(name): row \(count) is not the one that was sealed"
            }
        }
        return expected.keys.min().map { "\(name): row \($0) was sealed and is missing" }
    }

    /// The rows of a table in order, each with the digest that follows from it and those before it.
    package static func rows(
        _ db: Database, _ table: Table
    ) throws -> MapCursor<RowCursor, (row: Row, digest: Digest256)> {
        var last = Digest256()
        let sql = "SELECT \(table.columns), row_digest FROM \(table.rawValue) ORDER BY id"
        return try Row.fetchCursor(db, sql: sql).map { row in
            last = digest(table, last, Array(row.databaseValues.dropLast()))
            return (row, last)
        }
    }

    private static func digest(_ table: Table, _ before: Digest256, _ values: [DatabaseValue]) -> Digest256 {
        let out = ByteBuffer(capacity: 512)
        out.append("hp:v2:row:")
        out.append(table.rawValue)
        out.append(":")
        out.append(before.data)
        out.append(json(values), .canonical)
        return Digest256(hashing: out.view)
    }

    /// A row's values as canonical JSON: numbers as numbers, a BLOB as `{"hex": …}`.
    static func json(_ values: [DatabaseValue]) -> JSON {
        .array(
            values.map { value in
                switch value.storage {
                case .null: .null
                case .int64(let number): number.magnitude < 1 << 53 ? .int(number) : .string(String(number))
                case .double(let number): number.isFinite ? .double(number) : .null
                case .string(let text): .string(text)
                case .blob(let data): .object([("hex", .string(Hex.string(data)))])
                }
            })
    }
}
