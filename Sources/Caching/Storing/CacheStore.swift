internal import ArchiveFile
internal import Foundation
internal import GRDB
package import HealthModel
internal import TextFormats

/// The groups of one cache, in a file or in memory.
///
/// For one access of a connection, or several until one fails.
final class CacheStore {
    private let db: Database
    private var inserts: [String: PreparedStatement] = [:]
    private var reads: [String: PreparedStatement] = [:]
    private var names: [ExactText: Int64] = [:]

    init(_ db: Database) { self.db = db }

    /// Makes all tables and views in an empty database.
    static func create(_ db: Database) throws {
        try db.execute(sql: String(decoding: PackageResources.cache_schema_1_sql, as: UTF8.self))
    }

    // MARK: - Metadata

    func metadata(_ key: String) throws -> String? {
        try String.fetchOne(db, sql: "SELECT value FROM cache_metadata WHERE key = ?", arguments: [key])
    }

    func allMetadata() throws -> [String: String] {
        let rows = try Row.fetchAll(db, sql: "SELECT key, value FROM cache_metadata")
        return try Dictionary(rows.map { try ($0.get("key"), $0.get("value")) }) { first, _ in first }
    }

    func setMetadata(_ key: String, _ value: String) throws {
        try db.execute(sql: "INSERT OR REPLACE INTO cache_metadata VALUES (?, ?)", arguments: [key, value])
    }

    // MARK: - Groups

    private static let keyColumns =
        "entity, device_chain_id, observation_id, to_observation_id, through, sample_type_identifier, part"

    /// In the order in which `entry` reads them; by name, each would be looked for in each row.
    private static let columns =
        "id, \(keyColumns), rows_id, source_hash, rows_sha256, row_count, byte_count, computed_at, last_used_at"

    private static func arguments(_ key: CacheKey) -> [any DatabaseValueConvertible] {
        [key.entity.rawValue, key.chain, key.observation, key.to, key.through, key.type.text, key.part]
    }

    /// Compares version, tables, indexes and views with those of this program; a trigger would be another one's.
    ///
    /// - Throws: `CacheFile.Damage` where they differ.
    func checkLayout() throws {
        func layout(_ db: Database) throws -> [String] {
            try String.fetchAll(
                db,
                sql: """
                    SELECT type || ' ' || name || ' ' || tbl_name || ' ' || ifnull(sql, '') FROM main.sqlite_master
                    WHERE name NOT LIKE 'sqlite_stat%' ORDER BY 1
                    """)
        }
        let own = try DatabaseQueue().write { fresh in
            try Self.create(fresh)
            return try layout(fresh)
        }
        guard try Int32.fetchOne(db, sql: "PRAGMA user_version") == CacheVersion.schema, try layout(db) == own else {
            throw CacheFile.Damage()
        }
    }

    /// All groups; those of an entity that this program does not know are left out.
    func entries() throws -> [CacheEntry] {
        try Row.fetchAll(db, sql: "SELECT \(Self.columns) FROM cache_groups").compactMap(Self.entry)
    }

    /// Bytes of the rows of all groups together; those that share rows count each.
    func byteCount() throws -> Double {
        try Double.fetchOne(db, sql: "SELECT total(byte_count) FROM cache_groups") ?? 0
    }

    func entry(_ key: CacheKey) throws -> CacheEntry? {
        try Row.fetchOne(
            db.cachedStatement(
                sql: """
                    SELECT \(Self.columns) FROM cache_groups WHERE entity = ? AND device_chain_id = ? AND observation_id = ?
                        AND to_observation_id = ? AND through = ? AND sample_type_identifier = ? AND part = ?
                    """),
            arguments: StatementArguments(Self.arguments(key))
        ).flatMap(Self.entry)
    }

    private static func entry(_ row: Row) throws -> CacheEntry? {
        guard let entity = try CacheEntity(rawValue: row.get(1)) else { return nil }
        let key = try CacheKey(
            entity, chain: row.get(2), observation: row.get(3), to: row.get(4), through: row.get(5) as Int64 == 1,
            type: row.get(6), part: row.get(7))
        let found = try CacheEntry(
            key: key, id: row.get(0), rowsID: row.get(8), source: row.get(9), rowsSHA256: row.get(10),
            rowCount: row.get(11), byteCount: row.get(12), computedAt: row.get(13), lastUsedAt: row.get(14))
        // Sums of other numbers would overflow.
        let sizes = 0...Int64(1) << 40
        guard sizes.contains(found.rowCount), sizes.contains(found.byteCount) else { throw CacheFile.Damage() }
        return found
    }

    /// Writes a group in place of an earlier one; rows that another group has are not written again.
    func put(_ group: CacheGroup) throws {
        if let old = try entry(group.key) { try drop(old) }
        let rows = group.rows
        let shared = try Int64.fetchOne(
            db.cachedStatement(sql: "SELECT rows_id FROM cache_groups WHERE rows_sha256 = ? AND entity = ? LIMIT 1"),
            arguments: [rows.sha256, group.key.entity.rawValue])
        let rowsID =
            try shared ?? Int64.fetchOne(
                db.cachedStatement(sql: "SELECT ifnull(max(rows_id), 0) + 1 FROM cache_groups")) ?? 1
        let now = Int64(Date().timeIntervalSince1970)
        try db.cachedStatement(
            sql: """
                INSERT INTO cache_groups (\(Self.keyColumns), source_hash, rows_id, rows_sha256, row_count,
                    byte_count, computed_at, last_used_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """
        ).execute(
            arguments: StatementArguments(
                Self.arguments(group.key)
                    + [group.source, rowsID, rows.sha256, rows.values.count, rows.byteCount, now, now]))
        guard shared == nil else { return }
        let insert = try insert(group.key.entity)
        let columns = group.key.entity.columns
        for (index, row) in rows.values.enumerated() {
            insert.bind(1, rowsID)
            insert.bind(2, rows.firstPosition + Int64(index))
            for (place, value) in row.enumerated() { try bind(value, columns[place], insert, Int32(place) + 3) }
            try insert.run()
        }
    }

    private func bind(
        _ value: CacheValue, _ column: CacheEntity.Column, _ insert: PreparedStatement, _ parameter: Int32
    ) throws {
        switch value {
        case .null: insert.bindNull(parameter)
        case .integer(let value): insert.bind(parameter, value)
        case .real(let value): insert.bind(parameter, value)
        case .blob(let value): value.withByteView { insert.bind(parameter, blob: $0) }
        case .text(let value):
            if case .name = column {
                insert.bind(parameter, try name(value))
            } else {
                insert.bind(parameter, text: value)
            }
        }
    }

    private func insert(_ entity: CacheEntity) throws -> PreparedStatement {
        if let known = inserts[entity.table] { return known }
        let columns = ["rows_id", "position"] + entity.columns.map(\.name)
        let marks = Array(repeating: "?", count: columns.count).joined(separator: ", ")
        let statement = try PreparedStatement(
            db, "INSERT INTO \(entity.table) (\(columns.joined(separator: ", "))) VALUES (\(marks))")
        inserts[entity.table] = statement
        return statement
    }

    private func name(_ text: String) throws -> Int64 {
        if let known = names[ExactText(text)] { return known }
        try db.cachedStatement(sql: "INSERT OR IGNORE INTO cache_texts (text) VALUES (?)").execute(arguments: [text])
        let id = try Int64.fetchOne(
            db.cachedStatement(sql: "SELECT id FROM cache_texts WHERE text = ?"), arguments: [text])
        guard let id else { throw CacheFile.Damage() }
        names[ExactText(text)] = id
        return id
    }

    /// The rows of a group; nil where they are not those that were written.
    func rows(_ entry: CacheEntry) throws -> CacheRows? {
        let columns = entry.key.entity.columns
        let read = try read(entry.key.entity)
        read.bind(1, entry.rowsID)
        defer { read.reset() }
        var values: [[CacheValue]] = []
        let first = entry.key.firstPosition
        while try read.step() {
            guard read.int(0) == first &+ Int64(values.count) else { return nil }
            var row: [CacheValue] = []
            row.reserveCapacity(columns.count)
            for (index, column) in columns.enumerated() { row.append(Self.value(read, Int32(index) + 1, column)) }
            values.append(row)
        }
        let rows = CacheRows(values, from: first)
        let isWhole =
            rows.sha256 == entry.rowsSHA256 && Int64(values.count) == entry.rowCount
            && Int64(rows.byteCount) == entry.byteCount
        return isWhole ? rows : nil
    }

    private static func value(
        _ row: PreparedStatement, _ column: Int32, _ kind: CacheEntity.Column
    ) -> CacheValue {
        if row.isNull(column) { return .null }
        switch kind {
        case .integer: return .integer(row.int(column))
        case .real: return .of(row.double(column))
        case .text, .name: return .of(row.text(column))
        case .blob: return .blob(row.bytes(column)?.array ?? [])
        }
    }

    private func read(_ entity: CacheEntity) throws -> PreparedStatement {
        if let known = reads[entity.table] { return known }
        let columns = ["position"] + entity.columns.map(\.expression)
        let statement = try PreparedStatement(
            db,
            "SELECT \(columns.joined(separator: ", ")) FROM \(entity.table) WHERE rows_id = ? ORDER BY position")
        reads[entity.table] = statement
        return statement
    }

    /// Removes a group, and its rows where no other group has them.
    func drop(_ entry: CacheEntry) throws {
        try db.cachedStatement(sql: "DELETE FROM cache_groups WHERE id = ?").execute(arguments: [entry.id])
        try db.cachedStatement(
            sql: """
                DELETE FROM \(entry.key.entity.table)
                WHERE rows_id = ?1 AND NOT EXISTS (SELECT 1 FROM cache_groups WHERE rows_id = ?1)
                """
        ).execute(arguments: [entry.rowsID])
    }

    /// Removes the rows of a group and all groups that have them, so that whoever needs them makes them anew.
    func dropRows(of entry: CacheEntry) throws {
        for other in try Row.fetchAll(
            db.cachedStatement(sql: "SELECT \(Self.columns) FROM cache_groups WHERE rows_id = ?"),
            arguments: [entry.rowsID]
        ).compactMap(Self.entry) { try drop(other) }
    }

    /// Makes all tables and views anew, as this program has them, and keeps nothing.
    func recreate() throws {
        let objects = try Row.fetchAll(
            db, sql: "SELECT type, name FROM sqlite_master WHERE type IN ('view', 'table') ORDER BY type DESC")
        for object in objects {
            let (type, name): (String, String) = try (object.get("type"), object.get("name"))
            try db.execute(sql: "DROP \(type) \"\(name.replacing("\"", with: "\"\""))\"")
        }
        try Self.create(db)
        names.removeAll()
    }

    /// Removes everything but the metadata.
    func clear() throws {
        let tables = Set(CacheEntity.allCases.map(\.table)).sorted() + ["cache_groups", "cache_texts"]
        for table in tables { try db.execute(sql: "DELETE FROM \(table)") }
        names.removeAll()
    }

    /// Writes when groups were used.
    func touch(_ ids: Set<Int64>) throws {
        let now = Int64(Date().timeIntervalSince1970)
        for id in ids {
            try db.cachedStatement(sql: "UPDATE cache_groups SET last_used_at = ? WHERE id = ?")
                .execute(arguments: [now, id])
        }
    }
}

extension [CacheEntry] {
    /// SHA-256 of `hp:cache:1:content:` and the sorted keys of these groups with the hashes of their sources and rows.
    package var contentDigest: Digest256 {
        let out = ByteBuffer(capacity: 4096)
        out.append("hp:cache:1:content:")
        for entry in sorted(by: { $0.key < $1.key }) {
            entry.key.append(to: out)
            entry.source.append(to: out)
            entry.rowsSHA256.append(to: out)
        }
        return Digest256(hashing: out.view)
    }
}
