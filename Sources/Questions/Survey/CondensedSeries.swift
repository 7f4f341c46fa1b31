internal import GRDB
internal import HealthModel
internal import History
internal import Store

/// The condensed series that a chain ever held, one for each type and condenser identifier.
struct CondensedSeries {
    let type: String
    let mark: CondenserIdentifier
    /// Of its first sight: the place of that observation, the record's times and its descriptor.
    let place: Int
    let start: Int64
    let end: Int64
    let creation: Int64?
    let descriptor: StoredDescriptor

    /// Whether this one was seen before another one, or made before it where one export shows both.
    private var sight: (Int, Int64) { (place, creation ?? .max) }

    /// Reads the series in the order of their types and identifiers.
    ///
    /// - Complexity: grows with the condensed records; memory for one series each.
    static func read(_ db: Database, _ chain: Chain) throws -> [CondensedSeries] {
        let names = ArchiveNames(db)
        let places = ObservationPlaces(chain)
        func select(_ range: String, _ join: String = "") -> String {
            """
            SELECT f.id, f.sample_type_id, f.start_seconds, f.end_seconds, f.creation_seconds, f.descriptor_id,
                \(RecordLoader.syncIdentifier), \(range).opened_observation_id, \(range).closed_observation_id
            FROM versions v CROSS JOIN full_record_versions f ON f.id = v.id \(join)
            WHERE f.device_chain_id = \(chain.id)
            """
        }
        let versions = CandidateSeeds.representations(
            """
            SELECT DISTINCT k.sample_type_id, k.start_seconds FROM marked CROSS JOIN record_versions k ON k.id = marked.id
            WHERE k.device_chain_id = \(chain.id)
            """)
        let rows = try PreparedStatement(
            db,
            """
            WITH marked (id) AS MATERIALIZED (
                SELECT DISTINCT ifnull(m.sample_id, m.id) FROM record_versions m INDEXED BY record_versions_condensed
                WHERE \(CondenserIdentifier.condition("m."))),
            versions (id) AS MATERIALIZED (\(versions))
            \(select("f"))
            UNION ALL
            \(select("r", "CROSS JOIN past_ranges r ON r.record_version_id = v.id"))
            """)
        struct Key: Hashable {
            var type: Int64
            var identifier: String
        }
        var found: [Key: CondensedSeries] = [:]
        while try rows.step() {
            guard let text = rows.text(6), let mark = CondenserIdentifier(text),
                let range = places.range(opened: rows.optionalInt(7), closed: rows.int(8)),
                let start = try rows.instant(2), let end = try rows.instant(3)
            else { continue }
            let key = Key(type: rows.int(1), identifier: text)
            let series = CondensedSeries(
                type: try names.type(key.type), mark: mark, place: range.lowerBound, start: start, end: end,
                creation: try rows.instant(4), descriptor: try names.descriptor(rows.int(5)))
            if let known = found[key], known.sight <= series.sight { continue }
            found[key] = series
        }
        return found.sorted { ($0.value.type, $0.key.identifier) < ($1.value.type, $1.key.identifier) }.map(\.value)
    }

    // MARK: - Series condensed again

    /// What a series shares with those that it can have replaced: HealthKit never mixes source revisions.
    private struct Origin: Hashable {
        var type: String
        var workout: String
        var device: Int64
        var version: String?
    }

    /// The series that replaced an earlier one which the chain saw, by their index: of the same type, workout, device and
    /// source version, with bounds that overlap, and seen or made later.
    ///
    /// - Complexity: n log n for n series.
    static func recondensed(among all: [CondensedSeries]) -> Set<Int> {
        let byOrigin = Dictionary(grouping: all.indices) { index in
            let series = all[index]
            return Origin(
                type: series.type, workout: series.mark.workout.uppercased(), device: series.descriptor.deviceID,
                version: series.descriptor.sourceVersion)
        }
        var again: Set<Int> = []
        for indices in byOrigin.values where indices.count > 1 {
            var covered = DisjointSpans()
            // Those seen at once did not replace one another.
            var together: [Int] = []
            for index in indices.sorted(by: { all[$0].sight < all[$1].sight }) {
                if let last = together.last, all[last].sight != all[index].sight {
                    for earlier in together { covered.insert(all[earlier].bounds) }
                    together.removeAll()
                }
                if covered.overlaps(all[index].bounds) { again.insert(index) }
                together.append(index)
            }
        }
        return again
    }

    /// At least one tick long.
    private var bounds: Range<Int64> { mark.start..<max(mark.end, mark.start + 1) }
}
