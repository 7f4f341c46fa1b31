internal import ArchiveFile
internal import GRDB
internal import TextFormats

// Caching: the rebuildable cache of an archive, an SQLite file beside it.
//
// In the order in which to read: `CacheEntity.swift` (what is cached), `Storing/` (the file, its lock, groups of rows with
// their hashes), `Sources/` (what a group is made of, and whether it still is), `Making/` (the builder), `Reading/` (what
// pages ask, and the keeper that brings the cache up to date while a server runs). The archive wins every disagreement: a
// group is used only where the hash of its sources is the archive's and the hash of its rows is theirs.

/// What the cache holds; the raw values are the names of the views.
package enum CacheEntity: String, Sendable, CaseIterable {
    case health = "CachedArchiveHealth"
    case observations = "CachedObservationRow"
    case types = "CachedTypeSummary"
    case months = "CachedMonthlyAggregate"
    case days = "CachedDailyAggregate"
    case diffs = "CachedDiffSummary"
    case members = "CachedDiffMember"
    case exports = "CachedExportManifest"
    /// What commands printed; nobody makes it anew.
    case results = "CachedResult"

    /// The table of its rows.
    var table: String {
        switch self {
        case .health: "cached_archive_health"
        case .observations: "cached_observation_rows"
        case .types: "cached_type_summaries"
        case .months, .days: "cached_aggregates"
        case .diffs: "cached_diff_summaries"
        case .members: "cached_diff_members"
        case .exports: "cached_export_manifests"
        case .results: "cached_results"
        }
    }

    /// Whether no cache has it before somebody asks.
    var isMadeOnDemand: Bool { self == .members || self == .results }

    /// The columns of its rows in order, behind group and position.
    var columns: [Column] { Self.layout[table] ?? [] }

    /// The columns of all tables, as the schema has them.
    private static let layout: [String: [Column]] = {
        let columns = try? DatabaseQueue().write { db in
            try CacheStore.create(db)
            let rows = try Row.fetchAll(
                db,
                sql: """
                    SELECT t.name AS table_name, c.name, c.type FROM sqlite_master t JOIN pragma_table_info(t.name) c
                    WHERE t.type = 'table' AND c.cid > 1 ORDER BY c.cid
                    """)
            return try rows.map { row -> (table: String, column: Column) in
                try (row.get("table_name"), Column(row.get("name"), type: row.get("type")))
            }
        }
        return Dictionary(grouping: columns ?? [], by: \.table).mapValues { $0.map(\.column) }
    }()

    /// A column of a table, with what it holds.
    enum Column {
        case integer(String), real(String), text(String), blob(String)
        /// A text that many rows have, by its id in `cache_texts`.
        case name(String)

        init(_ name: String, type: String) {
            self =
                switch type {
                case "INTEGER": name.hasSuffix("_name_id") ? .name(name) : .integer(name)
                case "REAL": .real(name)
                case "BLOB": .blob(name)
                default: .text(name)
                }
        }

        var name: String {
            switch self {
            case .integer(let name), .real(let name), .text(let name), .blob(let name), .name(let name): name
            }
        }

        /// What reads the value.
        var expression: String {
            if case .name(let name) = self { return "(SELECT text FROM cache_texts WHERE id = \(name))" }
            return name
        }
    }
}

/// A value of a cached row.
enum CacheValue: Equatable, Sendable {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)
    case blob([UInt8])

    static func of(_ value: Int64?) -> CacheValue { value.map { .integer($0) } ?? .null }
    static func of(_ value: String?) -> CacheValue { value.map { .text($0) } ?? .null }
    /// SQLite stores neither NaN nor the sign of zero.
    static func of(_ value: Double?) -> CacheValue {
        value.flatMap { $0.isNaN ? nil : .real($0 == 0 ? 0 : $0) } ?? .null
    }

    var integer: Int64? { if case .integer(let value) = self { value } else { nil } }
    var real: Double? { if case .real(let value) = self { value } else { nil } }
    var text: String? { if case .text(let value) = self { value } else { nil } }

    /// Appends a tag and the value, so that no two lists of values have the same bytes.
    func append(to out: ByteBuffer) {
        switch self {
        case .null: out.append(0x30)
        case .integer(let value):
            out.append(0x31)
            out.append(long: value)
        case .real(let value):
            out.append(0x32)
            out.append(long: Int64(bitPattern: value.bitPattern))
        case .text(let value):
            out.append(0x33)
            out.append(long: Int64(value.utf8.count))
            out.append(value)
        case .blob(let value):
            out.append(0x34)
            out.append(long: Int64(value.count))
            out.append(value)
        }
    }
}
