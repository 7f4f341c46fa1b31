internal import GRDB
internal import HealthModel
internal import Store

/// The samples that the condensed records of a bucket represent beyond themselves, and the exact sum of their values.
///
/// A mean of a type that does not add up is that of samples, not of records: so condensing a series within a day does not
/// change the day's mean.
struct ExtraSamples {
    /// Weights minus one, added up.
    private(set) var count: Int64 = 0
    /// Values times (weight - 1); nil where no record has one, and for types that add up.
    private(set) var sum: BucketSum?

    init() {}

    init(_ aggregate: Aggregate) {
        count = aggregate.extraSamples
        sum = aggregate.extraTerms.map(BucketSum.init(terms:))
    }

    /// Adds what one record represents beyond itself.
    ///
    /// - Parameter isSummed: whether the type's values count too.
    mutating func add(_ samples: Int64, of number: Double, isSummed: Bool) {
        guard samples != 0 else { return }
        count += samples
        guard isSummed else { return }
        sum = sum ?? BucketSum()
        sum?.add(number, times: samples)
    }

    mutating func merge(_ other: ExtraSamples) {
        count += other.count
        guard let others = other.sum else { return }
        sum = sum ?? BucketSum()
        sum?.merge(others)
    }

    mutating func subtract(_ other: ExtraSamples) {
        count -= other.count
        guard let others = other.sum else { return }
        sum = sum ?? BucketSum()
        sum?.subtract(others)
    }
}

/// The types whose values do not add up, by the ids of an archive.
final class DiscreteTypes {
    private let db: Database
    private var known: [Int64: Bool] = [:]

    init(_ db: Database) { self.db = db }

    func contains(_ type: Int64) throws -> Bool {
        if let known = known[type] { return known }
        let statement = try db.cachedStatement(sql: "SELECT type_identifier FROM sample_types WHERE id = ?")
        guard let row = try Row.fetchOne(statement, arguments: [type]),
            let name = try? row.get("type_identifier") as String
        else { throw HealthProbeError.damagedRow("sample_types", type) }
        let isDiscrete = !QuantityTypeTable.shared[name].isCumulative
        known[type] = isDiscrete
        return isDiscrete
    }
}
