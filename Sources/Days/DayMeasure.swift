internal import HealthModel

/// The one number by which a day is compared: the sum of a cumulative type, the mean of a discrete one, and how many
/// records there are of types without numbers.
package struct DayMeasure: Sendable, Equatable, Codable {
    package enum Kind: String, Sendable, Codable {
        case sum, mean, count
    }

    package var kind: Kind
    package var value: Double
    /// Of sums and means: the one unit of the day, or the type's canonical unit where the day has several.
    package var unit: String?
    /// Visible records.
    package var count: Int64
    /// The samples that those with a number represent.
    package var samples: Int64 = 0
}

/// Measures days of one type.
struct DayMeter {
    private let type: QuantityType
    private let series: [Int64: StoredBuckets.Series]
    private let units = UnitConverter()

    init(type: String, series: [Int64: StoredBuckets.Series]) {
        self.type = QuantityTypeTable.shared[type]
        self.series = series
    }

    /// The measure of the series of a day, over all sources; nil where there are none.
    func measure(_ states: [Int64: Aggregate]) -> DayMeasure? {
        guard !states.isEmpty else { return nil }
        let (count, aggregates) = gathered(states)
        var (sum, mean, unit): (Double?, Double?, String?)
        if aggregates.count == 1, let (only, aggregate) = aggregates.first {
            (sum, mean, unit) = (aggregate.sum, aggregate.mean, only)
        } else {
            let figures = figures(count, aggregates)
            guard figures.mean != nil else { return DayMeasure(kind: .count, value: Double(count), count: count) }
            (sum, mean, unit) = (figures.sum, figures.mean, figures.unit)
        }
        let (kind, value) = type.isCumulative ? (DayMeasure.Kind.sum, sum) : (.mean, mean)
        let samples = aggregates.values.reduce(0) { $0 + $1.sampleCount }
        return DayMeasure(kind: kind, value: value ?? 0, unit: unit, count: count, samples: samples)
    }

    /// All numbers of the series of a day, over all sources, in the type's canonical unit; nil where there are none.
    ///
    /// Only the count where a value has no unit, or one that cannot be converted.
    func figures(_ states: [Int64: Aggregate]) -> DayFigures? {
        guard !states.isEmpty else { return nil }
        let (count, aggregates) = gathered(states)
        return figures(count, aggregates)
    }

    private func figures(_ count: Int64, _ aggregates: [String?: Aggregate]) -> DayFigures {
        guard let target = type.unit ?? aggregates.keys.compactMap({ $0 }).min() else {
            return DayFigures(count: count)
        }
        var figures = DayFigures(count: count, unit: target)
        var total = 0.0
        for (unit, aggregate) in aggregates.sorted(by: { ($0.key ?? "") < ($1.key ?? "") }) {
            guard let unit, let sum = sum(of: aggregate, from: unit, to: target),
                let minimum = aggregate.minimum.flatMap({ converted($0, from: unit, to: target) }),
                let maximum = aggregate.maximum.flatMap({ converted($0, from: unit, to: target) })
            else { return DayFigures(count: count) }
            total += sum
            figures.minimum = min(minimum, figures.minimum ?? minimum)
            figures.maximum = max(maximum, figures.maximum ?? maximum)
        }
        let means = aggregates.values.reduce(0) { $0 + $1.meanCount }
        guard means > 0 else { return figures }
        if type.isCumulative { figures.sum = total }
        figures.mean = total / Double(means)
        return figures
    }

    /// The records of a day, and those with a number by unit.
    private func gathered(_ states: [Int64: Aggregate]) -> (count: Int64, byUnit: [String?: Aggregate]) {
        var byUnit: [String?: AggregateBuilder] = [:]
        var count: Int64 = 0
        for (id, aggregate) in states {
            count += aggregate.count
            guard aggregate.numberCount > 0, let series = series[id] else { continue }
            byUnit[series.unit, default: AggregateBuilder()].merge(AggregateBuilder(aggregate))
        }
        return (count, byUnit.mapValues(\.aggregate))
    }

    private func converted(_ value: Double, from unit: String, to target: String) -> Double? {
        unit == target ? value : units.convert(value, from: unit, to: target)
    }

    /// Two measures in one unit; nil where they cannot be compared.
    func aligned(_ before: DayMeasure, _ after: DayMeasure) -> (before: DayMeasure, after: DayMeasure)? {
        guard before.kind == after.kind else { return nil }
        guard before.unit != after.unit else { return (before, after) }
        guard let from = before.unit, let unit = after.unit,
            let value = units.convert(before.value, from: from, to: unit)
        else { return nil }
        var before = before
        before.value = value
        before.unit = unit
        return (before, after)
    }

    /// The sum over which `mean` divides in another unit; one with an offset, as a temperature's, is converted by its mean.
    private func sum(of aggregate: Aggregate, from unit: String, to target: String) -> Double? {
        guard let mean = aggregate.mean, let sum = aggregate.sum else { return nil }
        if unit == target, aggregate.extraTerms == nil { return sum }
        return converted(mean, from: unit, to: target).map { $0 * Double(aggregate.meanCount) }
    }
}
