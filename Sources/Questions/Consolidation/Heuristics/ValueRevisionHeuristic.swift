internal import GRDB
internal import HealthModel
internal import Store

/// Daily values that were revised.
///
/// Claims: a disappeared and an appeared record with equal type, start, end and source and two values are one fact whose
/// value was revised. Evidence: they share this semantic fingerprint, and end in the last ``days`` days before the older
/// export, where HealthKit still corrects resting heart rate and other values of a day.
/// Values that agree, in another unit or another word for the same fact, are none.
/// Wrong: where a record was deleted and another one entered for the same interval; the pair proves nothing.
enum ValueRevisionHeuristic {
    /// Days before the earlier export in which values are expected to change: the values of the last day are revised until
    /// final, and some are derived over a week.
    static let days = 7

    /// The pairs by type, those left out that consolidation explains.
    ///
    /// With `through` any observation of the earlier side may be the older export, and a record that appeared at one of
    /// them and is still there appeared, too.
    static func pairs(_ db: Database, question: ConsolidationQuestion, scope: ChainScope) throws -> [Int64: Int64] {
        let earlier = question.through ? scope.observations(from: question.from, before: question.to) : [question.from]
        let since = question.from.observedAt - Int64(days) * 86_400
        let until = (earlier.last ?? question.from).observedAt
        // Of one class are equal names, and all names that the other state does not have.
        func side(_ unpaired: String, other: [Observation]) -> String {
            """
            SELECT f.id, f.sample_type_id AS type, f.start_seconds AS start, f.end_seconds AS end,
                iif(d.source_id IN (SELECT source_id FROM type_sums
                    WHERE import_id IN (\(other.map(\.id).sqlList)) AND visible_count > 0),
                    d.source_id, -1) AS source
            FROM (\(unpaired)) u CROSS JOIN full_record_versions f ON f.id = u.id
            JOIN descriptors d ON d.id = f.descriptor_id
            WHERE f.end_seconds >= \(since) AND f.start_seconds < \(until) AND f.value IS NOT NULL
                AND u.id NOT IN (SELECT record_version_id FROM temp.analysis_members)
                AND u.id NOT IN (SELECT disappeared_record_version_id FROM temp.analysis_members
                    WHERE disappeared_record_version_id <> record_version_id)
            """
        }
        let gone = CandidateSeeds.unpaired("diff_before", "before_ref")
        let come = CandidateSeeds.unpaired("diff_after", "after_ref") + " UNION SELECT id FROM temp.analysis_inside"
        let key = "type, start, end, source"
        let records = try RecordReader.forComparison(
            db,
            """
            WITH gone AS MATERIALIZED (\(side(gone, other: [question.to]))),
                come AS MATERIALIZED (\(side(come, other: earlier)))
            SELECT \(VersionColumns.ofView("c")), r.side, r.source FROM (
                SELECT 0 AS side, * FROM gone WHERE (\(key)) IN (SELECT \(key) FROM come)
                UNION ALL SELECT 1, * FROM come WHERE (\(key)) IN (SELECT \(key) FROM gone)) r
            CROSS JOIN full_record_versions c ON c.id = r.id ORDER BY \(key)
            """)
        var pairs: [Int64: Int64] = [:]
        var facts = EqualFacts()
        var current: [Int64?] = []
        var type: Int64 = 0
        while try records.next() != nil {
            let record = try records.record()
            let next = [record.typeID, record.start, record.end, try records.further(1)]
            if next != current {
                pairs[type, default: 0] += facts.takeRevisions()
                (current, type) = (next, record.typeID)
            }
            facts.add(record, side: try records.further(0) == 0 ? 0 : 1)
        }
        pairs[type, default: 0] += facts.takeRevisions()
        return pairs.filter { $0.value > 0 }
    }
}

/// The gone and the new records of one type, start, end and source.
private struct EqualFacts {
    private struct Value {
        var number: Double
        var unit: String
        /// In the common unit; nil for an unknown unit.
        var common: (dimension: HealthUnit.Dimension, value: ConvertedValue)?

        var order: Double { common?.value.value ?? number }

        /// Whether both can be one value as it was printed twice.
        func agrees(with other: Value) -> Bool {
            guard unit != other.unit, let common, let others = other.common, common.dimension == others.dimension
            else { return unit == other.unit && number == other.number }
            return common.value.agrees(with: others.value)
        }
    }

    private let converter = UnitConverter()
    private var numbers: [[Value]] = [[], []]
    /// How many more new than gone records have a text.
    private var texts: [String: Int] = [:]

    /// - Parameter side: 0 gone, 1 new.
    mutating func add(_ record: RecordRow, side: Int) {
        switch record.value {
        case .absent: break
        case .number(let number):
            let unit = record.unit ?? ""
            numbers[side].append(
                Value(number: number, unit: unit, common: converter.converted(number, unit: unit)))
        case .text(let text):
            let fact = CategorySynonyms.shared.canonicalValue(type: record.type, value: text)
            texts[fact, default: 0] += side == 0 ? -1 : 1
        }
    }

    /// How many pairs of a gone and a new record are left, those of agreeing values aside; forgets all records.
    /// - Complexity: O(n log n).
    mutating func takeRevisions() -> Int64 {
        defer { (numbers, texts) = ([[], []], [:]) }
        let sides = numbers.map { $0.sorted { $0.order < $1.order } }
        var places = [0, 0]
        var agreeing = 0
        while places[0] < sides[0].count, places[1] < sides[1].count {
            let (gone, new) = (sides[0][places[0]], sides[1][places[1]])
            let agrees = gone.agrees(with: new)
            if agrees { agreeing += 1 }
            if agrees || gone.order < new.order { places[0] += 1 }
            if agrees || gone.order >= new.order { places[1] += 1 }
        }
        let gone = sides[0].count - agreeing - texts.values.reduce(0) { $0 + min($1, 0) }
        let new = sides[1].count - agreeing + texts.values.reduce(0) { $0 + max($1, 0) }
        return Int64(min(gone, new))
    }
}
