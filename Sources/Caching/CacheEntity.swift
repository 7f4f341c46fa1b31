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
    var columns: [Column] {
        switch self {
        case .health:
            [
                .integer("last_integrity_check_at"), .text("last_integrity_status"), .text("last_error_kind"),
                .blob("last_error_message_hash"), .text("failed_invariants"), .integer("sample_count"),
                .integer("version_count"), .integer("copy_count"), .integer("seal_count"), .integer("head_sequence"),
                .integer("byte_count"),
            ]
        case .observations:
            [
                .integer("observation_id"), .integer("observed_at"), .text("status"), .text("trigger_reason"),
                .text("time_zone_identifier"), .integer("tracked_type_count"), .integer("visible_record_count"),
                .integer("appeared_count"), .integer("disappeared_count"), .integer("representation_changed_count"),
                .blob("source_aggregate_hash"), .integer("quarantined_count"), .integer("is_partial"),
                .text("source_name"), .text("note"),
            ]
        case .types:
            [
                .name("type_name_id"), .name("display_name_id"), .integer("visible_record_count"),
                .integer("appeared_count"), .integer("disappeared_count"), .integer("representation_changed_count"),
                .integer("earliest_start_date"), .integer("latest_end_date"), .real("value_sum"), .real("value_max"),
                .blob("aggregate_hash"), .text("status"), .integer("read_count"), .name("unit_name_id"),
                .integer("source_count"),
            ]
        case .months, .days:
            [
                .integer("bucket_start"), .integer("bucket_end"), .name("zone_name_id"),
                .integer("visible_record_count"), .real("value_sum"), .real("value_max"),
                .name("source_hash_name_id"), .name("label_name_id"), .name("source_name_id"), .name("unit_name_id"),
                .integer("number_count"), .integer("sample_count"), .real("value_min"), .real("value_mean"),
                .integer("covered_seconds"), .integer("overlap_not_removed"),
            ]
        case .diffs:
            [
                .name("type_name_id"), .integer("appeared_count"), .integer("disappeared_count"),
                .integer("representation_changed_count"), .integer("consolidation_likely"),
                .text("uncertainty_reason"), .integer("before_count"), .integer("after_count"), .text("evidence"),
                .text("changed_fields"), .text("labels"), .text("uncertainty"), .integer("day_count"), .text("days"),
                .text("changed_days"), .text("verdict"),
            ]
        case .members:
            [
                .text("change"), .integer("after_copy_id"), .integer("before_copy_id"), .text("evidence"),
                .name("type_name_id"), .text("steps"),
            ]
        case .exports:
            [
                .text("export_id"), .text("export_kind"), .integer("created_at"), .integer("from_observation_id"),
                .integer("to_observation_id"), .text("filter_summary"), .integer("record_count"),
                .text("manifest_hash"), .text("file_url_bookmark_data"), .text("status"), .integer("recorded_at"),
                .integer("row_id"),
            ]
        case .results: [.blob("output"), .text("note")]
        }
    }

    /// A column of a table, with what it holds.
    enum Column {
        case integer(String), real(String), text(String), blob(String)
        /// A text that many rows have, by its id in `cache_texts`.
        case name(String)

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
