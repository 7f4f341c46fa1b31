/// What the records of one bucket come to: counts, the exact sum, extremes and seconds covered.
package struct Aggregate: Sendable, Equatable {
    /// Visible rows.
    package var count: Int64 = 0
    /// Those of them whose value is a number.
    package var numberCount: Int64 = 0
    /// The durations of all of them together, in seconds; records without an end have none.
    package var coveredSeconds: Int64 = 0
    /// The exact sum, in the form of `BucketSum.terms`.
    var terms: [Double] = []
    /// The smallest number; nil without any.
    package var minimum: Double?
    /// The largest number; nil without any.
    package var maximum: Double?
    /// The samples that condensed records with a number represent beyond themselves.
    var extraSamples: Int64 = 0
    /// The exact sum of their values, as `terms`; nil without any, and for types that add up.
    var extraTerms: [Double]?

    /// Nothing at all: what a bucket has that no record belongs to.
    package static let none = Aggregate()

    /// The sum of the numbers, rounded once; nil without any.
    package var sum: Double? {
        guard numberCount > 0 else { return nil }
        return Self.rounded(terms)
    }

    /// The samples that the records with a number represent.
    package var sampleCount: Int64 { numberCount + extraSamples }

    /// What `mean` divides by: samples, or of types that add up records.
    var meanCount: Int64 { extraTerms == nil ? numberCount : sampleCount }

    /// The mean of the numbers, each weighted by the samples of its record; of types that are summed that of the
    /// records. Nil without any.
    package var mean: Double? {
        guard numberCount > 0 else { return nil }
        guard let extraTerms else { return sum.map { $0 / Double(numberCount) } }
        var all = BucketSum(terms: terms)
        all.merge(BucketSum(terms: extraTerms))
        return Self.rounded(all.terms) / Double(sampleCount)
    }

    /// The same of values in another unit, for display: each number times `scale` plus `offset`.
    package func converted(scale: Double, offset: Double) -> Aggregate {
        var other = self
        other.terms = [(sum ?? 0) * scale + offset * Double(numberCount)]
        other.minimum = minimum.map { $0 * scale + offset }
        other.maximum = maximum.map { $0 * scale + offset }
        other.extraTerms = extraTerms.map { [Self.rounded($0) * scale + offset * Double(extraSamples)] }
        return other
    }

    private static func rounded(_ terms: [Double]) -> Double {
        // An exact sum beyond the range of doubles is spelled in several terms, and then their sum is no number.
        terms.first.map { $0.magnitude < .greatestFiniteMagnitude ? $0 : terms.reduce(0, +) } ?? 0
    }
}

/// Builds an aggregate, record by record or from other aggregates, in any order.
struct AggregateBuilder {
    var count: Int64 = 0
    var numberCount: Int64 = 0
    var coveredSeconds: Int64 = 0
    var sum = BucketSum()
    var minimum = Double.infinity
    var maximum = -Double.infinity
    var extra = ExtraSamples()

    init() {}

    init(_ aggregate: Aggregate) {
        count = aggregate.count
        numberCount = aggregate.numberCount
        coveredSeconds = aggregate.coveredSeconds
        sum = BucketSum(terms: aggregate.terms)
        minimum = aggregate.minimum ?? .infinity
        maximum = aggregate.maximum ?? -.infinity
        extra = ExtraSamples(aggregate)
    }

    /// Adds one row.
    ///
    /// - Parameters:
    ///   - number: nil where its value is none.
    ///   - extra: the samples that it represents beyond itself.
    ///   - isSummed: whether these samples' values count too.
    @inline(__always)
    mutating func add(seconds: Int64, number: Double?, extra samples: Int64 = 0, isSummed: Bool = false) {
        count += 1
        coveredSeconds &+= seconds
        guard let number else { return }
        numberCount += 1
        sum.add(number)
        if number < minimum { minimum = number }
        if number > maximum { maximum = number }
        extra.add(samples, of: number, isSummed: isSummed)
    }

    mutating func merge(_ other: AggregateBuilder) {
        count += other.count
        numberCount += other.numberCount
        coveredSeconds &+= other.coveredSeconds
        sum.merge(other.sum)
        minimum = min(minimum, other.minimum)
        maximum = max(maximum, other.maximum)
        extra.merge(other.extra)
    }

    /// Takes rows away again, but not their extremes: which are the next ones does not follow.
    mutating func subtract(_ other: AggregateBuilder) {
        count -= other.count
        numberCount -= other.numberCount
        coveredSeconds &-= other.coveredSeconds
        sum.subtract(other.sum)
        extra.subtract(other.extra)
    }

    var aggregate: Aggregate {
        guard count > 0 else { return .none }
        return Aggregate(
            count: count, numberCount: numberCount, coveredSeconds: coveredSeconds, terms: sum.terms,
            minimum: numberCount > 0 ? minimum : nil, maximum: numberCount > 0 ? maximum : nil,
            extraSamples: extra.count, extraTerms: extra.count > 0 ? extra.sum?.terms : nil)
    }

    /// The seconds that a row covers: none without an end or with one before its start.
    @inline(__always)
    static func seconds(start: Int64, end: Int64?) -> Int64 {
        guard let end else { return 0 }
        let (seconds, overflow) = end.subtractingReportingOverflow(start)
        return overflow ? 0 : max(seconds, 0)
    }
}
