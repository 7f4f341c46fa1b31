package import GRDB
internal import HealthModel
internal import History
package import Store

/// What the count and the sums of a type do not say: values that are no numbers, items in quarantine, equal copies.
package struct TypeFindings: Sendable {
    package var type: String
    /// Visible values of a quantity that are no numbers: they count as records and are in no sum.
    package var notNumbers: Int64 = 0
    /// Items of the export that are kept as text and are no records.
    package var quarantined: Int64 = 0
    /// Visible records beyond the first of equal ones.
    package var copies: Int64 = 0
    /// How often the record stands that stands most often.
    package var mostCopies: Int64 = 0
    /// Mean of all numbers, and with each sample once; nil for a type that adds up, for several units, and
    /// without copies.
    package var means: (all: Double, each: Double)?

    package init(type: String) { self.type = type }

    /// Whether there is anything to say.
    package var isEmpty: Bool { notNumbers + quarantined + copies == 0 }

    /// Takes over what an observation or an export counted of a quantity.
    ///
    /// - Parameters:
    ///   - sums: of the numbers of one unit each.
    ///   - copied: sum and count of the numbers of the copies; nil where they are not known.
    package mutating func setMeans(
        _ sums: [(sum: Double, count: Int64)], copied: (sum: Double, count: Int64)?
    ) {
        guard copies > 0, !QuantityTypeTable.shared[type].isCumulative, sums.count == 1, let all = sums.first,
            let copied, all.count > copied.count
        else { return }
        means = (all.sum / Double(all.count), (all.sum - copied.sum) / Double(all.count - copied.count))
    }

    /// Whether a type's values are to be numbers.
    package static func isOfNumbers(_ type: String) -> Bool { type.hasPrefix("HKQuantityTypeIdentifier") }

    /// The findings of an observation by type; types without any are left out.
    ///
    /// - Parameter type: the identifier of the only one to read; nil for all.
    /// - Complexity: the types, and the copies of equal records that the archive has.
    package static func read(
        _ db: Database, _ chain: Chain, _ observation: Observation, only type: String? = nil
    ) throws -> [TypeFindings] {
        let names = try SampleTypeNames.read(db).filter { type == nil || $0.value == type }
        var found: [String: TypeFindings] = [:]
        func change(_ type: String, _ body: (inout TypeFindings) -> Void) {
            body(&found[type, default: TypeFindings(type: type)])
        }
        var sums: [Int64: [Int64: (sum: Double, count: Int64)]] = [:]
        let rows = try PreparedStatement(
            db,
            """
            SELECT sample_type_id, unit_id, sum(visible_count), sum(number_count), sum(value_sum) FROM type_sums
            WHERE import_id = \(observation.id) GROUP BY sample_type_id, unit_id
            """)
        while try rows.step() {
            guard let name = names[rows.int(0)] else { continue }
            let numbers = rows.int(3)
            if numbers > 0 { sums[rows.int(0), default: [:]][rows.int(1)] = (rows.double(4), numbers) }
            if isOfNumbers(name), rows.int(2) > numbers { change(name) { $0.notNumbers += rows.int(2) - numbers } }
        }
        let broken = try PreparedStatement(
            db,
            """
            SELECT type_identifier, count(*) FROM quarantine
            WHERE import_id = \(observation.id) AND type_identifier IS NOT NULL GROUP BY type_identifier
            """)
        while try broken.step() {
            guard let name = broken.text(0), type == nil || name == type else { continue }
            change(name) { $0.quarantined = broken.int(1) }
        }
        let visible = Visibility.sql("c", through: chain.ids(through: observation))
        let copies = try PreparedStatement(
            db,
            """
            SELECT k.sample_type_id, count(*), max(c.ordinal) + 1
            FROM record_versions c INDEXED BY record_versions_repeated JOIN record_versions k ON k.id = c.sample_id
            WHERE c.ordinal > 0 AND c.device_chain_id = \(chain.id) AND \(visible) GROUP BY k.sample_type_id
            """)
        var repeated: [Int64] = []
        while try copies.step() {
            guard let name = names[copies.int(0)] else { continue }
            repeated.append(copies.int(0))
            change(name) { ($0.copies, $0.mostCopies) = (copies.int(1), copies.int(2)) }
        }
        // Each once is each sample once, also where its rows differ in what is not measured.
        for id in repeated {
            let beyond = try PreparedStatement(
                db,
                """
                SELECT total(k.value * (m.rows - 1)), total(m.rows - 1) FROM (
                    SELECT ifnull(c.sample_id, c.id) AS sample, count(*) AS rows FROM record_versions s
                        CROSS JOIN record_versions c ON c.id = s.id OR c.sample_id = s.id
                    WHERE s.sample_type_id = \(id) AND s.sample_id IS NULL AND s.device_chain_id = \(chain.id)
                        AND \(visible) GROUP BY 1 HAVING count(*) > 1) m
                JOIN record_versions k ON k.id = m.sample WHERE typeof(k.value) IN ('integer', 'real')
                """)
            guard let name = names[id], try beyond.step() else { continue }
            change(name) { findings in
                findings.setMeans(
                    sums[id]?.values.map(\.self) ?? [], copied: (beyond.double(0), Int64(beyond.double(1))))
            }
        }
        return found.values.filter { !$0.isEmpty }.sorted { $0.type.utf8.lexicographicallyPrecedes($1.type.utf8) }
    }
}
