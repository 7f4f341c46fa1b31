internal import GRDB
internal import HealthModel
internal import History
internal import Store

/// Counts, sums, bounds and digests of all rows, by type, source, unit and the range in which they were visible.
///
/// One pass over the rows; the state at any observation is then the sum of the few ranges that hold it. Memory grows
/// with the number of different ranges, sources and units, not with the rows.
struct RangeTotals {
    struct Key: Hashable {
        var chain: Int64
        var type: Int64
        var source: Int64
        var unit: Int64
        var from: Int32
        var to: Int32
    }

    struct Totals {
        var rows = RowTotals()
        var digest = StateDigest()

        mutating func merge(_ other: Totals) {
            rows.merge(other.rows)
            digest.merge(other.digest)
        }
    }

    private var indexes: [Key: Int] = [:]
    private var totals: [Totals] = []
    private var lastKey = Key(chain: -1, type: 0, source: 0, unit: 0, from: 0, to: 0)
    private var lastIndex = 0

    init(_ scope: CheckScope) throws {
        let db = scope.db
        let places = try scope.places()
        var parts: [Int64: (source: Int64, unit: Int64)] = [:]
        let descriptors = try PreparedStatement(db, "SELECT id, source_id, unit_id FROM descriptors")
        while try descriptors.step() { parts[descriptors.int(0)] = (descriptors.int(1), descriptors.int(2)) }
        for source in [
            "SELECT id, opened_observation_id, closed_observation_id FROM record_versions",
            "SELECT record_version_id AS id, opened_observation_id, closed_observation_id FROM past_ranges",
        ] {
            let rows = try PreparedStatement(
                db,
                """
                SELECT f.device_chain_id, f.sample_type_id, f.descriptor_id, r.opened_observation_id,
                    r.closed_observation_id, f.start_seconds, f.end_seconds, f.value, f.identity, f.version, f.id
                FROM (\(source)) r CROSS JOIN full_record_versions f ON f.id = r.id
                """)
            defer { rows.reset() }
            while try rows.step() { try add(StoredRow(statement: rows, idColumn: 10), parts, places) }
        }
    }

    private mutating func add(
        _ row: StoredRow, _ parts: [Int64: (source: Int64, unit: Int64)], _ places: [CheckScope.Place?]
    ) throws {
        let part = parts[try row.integer(2)] ?? (0, 0)
        let key = Key(
            chain: try row.integer(0), type: try row.integer(1), source: part.source, unit: part.unit,
            from: try row.optionalInteger(3).map { places[observation: $0]?.position ?? .max } ?? 1,
            to: places[observation: try row.integer(4)]?.position ?? .max)
        if key != lastKey {
            lastKey = key
            lastIndex = indexes[key] ?? totals.count
            if lastIndex == totals.count {
                indexes[key] = lastIndex
                totals.append(Totals())
            }
        }
        try totals[lastIndex].rows.add(start: row.instant(5), end: row.instant(6), number: row.number(7))
        totals[lastIndex].digest.add(try row.digest(8), try row.digest(9))
    }

    /// The totals of a chain's state at a position, by type, source and unit.
    func state(chain: Int64, position: Int) -> [Key: Totals] {
        let position = Int32(truncatingIfNeeded: position)
        var merged: [Key: Totals] = [:]
        for (key, index) in indexes where key.chain == chain && key.from <= position && position < key.to {
            let group = Key(chain: chain, type: key.type, source: key.source, unit: key.unit, from: 0, to: 0)
            merged[group, default: Totals()].merge(totals[index])
        }
        return merged
    }

    /// The same by type only.
    func types(chain: Int64, position: Int) -> [Int64: Totals] {
        var types: [Int64: Totals] = [:]
        for (key, totals) in state(chain: chain, position: position) {
            types[key.type, default: Totals()].merge(totals)
        }
        return types
    }
}
