import Foundation

/// The rows that the views of a cache must have, by brute force: one visible sample after the other.
///
/// Each row is one text, so that rows of the model and of the cache are compared as they are, numbers to the last bit.
struct CachedRows {
    /// The observations of the chain in order, with the archive's ids.
    let observations: [(id: Int, observation: ModelObservation)]
    /// The zone of the chain: the one that a top-level item names, else the offset of the first export.
    let zone: (name: String, offset: Int)

    /// - Parameter exports: what the observations were made of, in the same order.
    init(_ observations: [(id: Int, observation: ModelObservation)], exports: [ModelExport]) {
        self.observations = observations
        let named = exports.flatMap(\.itemsRead).contains { $0.metadata["HKTimeZone"] != nil }
        let offset = exports.first?.offsetSeconds ?? 0
        let sign = offset < 0 ? "-" : "+"
        let text = String(format: "%@%02d:%02d", sign, abs(offset) / 3600, abs(offset) / 60 % 60)
        // All samples lie in the weeks in which Paris is two hours ahead.
        zone = named ? ("Europe/Paris", 7200) : (text, offset)
    }

    /// Where the choice among samples hung on a hash that nobody knows: these rows are not compared.
    func isUndecided(_ place: Int, _ type: String) -> Bool {
        observations[max(place - 1, 0)...place].contains { $0.observation.undecidedTypes.contains(type) }
            || observations[place].observation.comparison.undecidedTypes.contains(type)
    }

    // MARK: - Types

    static let typeColumns = """
        sampleTypeIdentifier, visibleRecordCount, appearedCount, disappearedCount, representationChangedCount,
        earliestStartDate, latestEndDate, valueSum, valueMax, status, readCount, unit, sourceCount
        """

    /// The rows of `CachedTypeSummary` at an observation.
    func types(at place: Int) -> [String] {
        let observation = observations[place].observation
        let before = place > 0 ? observations[place - 1].observation.state : []
        let tallies = TypeTally.tallies(observation.comparison, before: before, after: observation.state)
        return tallies.filter { !isUndecided(place, $0.key) }.map { type, tally in
            let samples = observation.state.filter { $0.type == type }
            let read = observation.read.count { $0.type == type }
            let numbers = samples.filter { $0.number != nil }
            let units = Set(numbers.map(\.unit))
            // The sum of what `show` prints for each source.
            let sums = Dictionary(grouping: numbers, by: \.source).values.map { ExactNumbers($0.map(\.number)).sum }
            let hasOneUnit = units.count == 1
            let maximum = numbers.compactMap(\.number).max()
            return Self.row([
                type, tally.after, tally.appeared, tally.disappeared, tally.representationChanged,
                samples.compactMap(\.start).min(), samples.compactMap(\.end).max(),
                hasOneUnit ? ExactNumbers(sums).sum : nil, hasOneUnit ? maximum : nil,
                observation.isPartial ? "incomplete" : read > 0 ? "completed" : "absent", read,
                hasOneUnit ? units.first ?? nil : nil, Set(samples.map(\.source)).count,
            ])
        }
    }

    // MARK: - Days and months

    static let bucketColumns = """
        sampleTypeIdentifier, localLabel, bucketStart, bucketEnd, timeZoneIdentifier, sourceName, unit,
        overlapNotRemoved, visibleRecordCount, numberCount, sampleCount, coveredSeconds, valueSum, valueMin, valueMax,
        valueMean
        """

    private struct Bucket: Hashable {
        var type: String
        var first: Int
        var next: Int
        var label: String
        var unit: String?
    }

    /// The rows of `CachedMonthlyAggregate` or `CachedDailyAggregate` at an observation.
    func buckets(at place: Int, byMonth: Bool, of isWanted: (String) -> Bool = { _ in true }) -> [String] {
        let state = observations[place].observation.state.filter {
            $0.start != nil && !isUndecided(place, $0.type) && isWanted($0.type)
        }
        let buckets = Dictionary(grouping: state) { bucket(of: $0, byMonth: byMonth) }
        return buckets.flatMap { bucket, samples in
            let bySource = Dictionary(grouping: samples, by: \.source)
            let rows = bySource.map { row(bucket, source: $0, isTotal: false, $1) }
            let hasTotal = bySource.count > 1 && bucket.type == Domain.energy
            return rows + (hasTotal ? [row(bucket, source: nil, isTotal: true, samples)] : [])
        }
    }

    private func bucket(of sample: Sample, byMonth: Bool) -> Bucket {
        let local = (sample.start ?? 0) + zone.offset
        let day = Int((Double(local) / 86_400).rounded(.down))
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        let noon = Date(timeIntervalSince1970: Double(day * 86_400 + 43_200))
        let span = calendar.dateInterval(of: byMonth ? .month : .day, for: noon) ?? DateInterval()
        let (first, next) = (Int(span.start.timeIntervalSince1970), Int(span.end.timeIntervalSince1970))
        return Bucket(
            type: sample.type, first: first - zone.offset, next: next - zone.offset,
            label: String(noon.ISO8601Format().prefix(byMonth ? 7 : 10)), unit: sample.unit)
    }

    private func row(_ bucket: Bucket, source: String?, isTotal: Bool, _ samples: [Sample]) -> String {
        let numbers = samples.filter { $0.number != nil }
        let values = numbers.map(\.number)
        let weight = numbers.reduce(0) { $0 + $1.weight }
        let isSummed = bucket.type == Domain.energy
        // A condensed record stands for as many samples in a mean, but adds up as one.
        let all = isSummed ? values : numbers.flatMap { Array(repeating: $0.number, count: $0.weight) }
        let mean = ExactNumbers(all).sum / Double(max(all.count, 1))
        return Self.row([
            bucket.type, bucket.label, bucket.first, bucket.next, zone.name, source, bucket.unit, isTotal ? 1 : 0,
            samples.count, numbers.count, weight, samples.reduce(0) { $0 + max(0, ($1.end ?? 0) - ($1.start ?? 0)) },
            numbers.isEmpty ? nil : ExactNumbers(values).sum, values.compactMap(\.self).min(),
            values.compactMap(\.self).max(), numbers.isEmpty ? nil : mean,
        ])
    }

    // MARK: - Diffs

    static let diffColumns = """
        sampleTypeIdentifier, beforeCount, afterCount, appearedCount, disappearedCount, representationChangedCount
        """

    /// The rows of `CachedDiffSummary` of an observation and the one before it, but for `consolidationLikely`: the model
    /// has no analysis.
    func diffs(to place: Int) -> [String] {
        let observation = observations[place].observation
        let before = observations[place - 1].observation.state
        let tallies = TypeTally.tallies(observation.comparison, before: before, after: observation.state)
        return tallies.filter { !isUndecided(place, $0.key) }.map { type, tally in
            Self.row([
                type, tally.before, tally.after, tally.appeared, tally.disappeared, tally.representationChanged,
            ])
        }
    }

    // MARK: - Texts

    /// The text of a row.
    static func row(_ values: [(any CachedValue)?]) -> String {
        values.map { $0?.cachedText ?? "-" }.joined(separator: " | ")
    }
}

/// A value of a cached row.
protocol CachedValue {
    /// The value as a text, from which it can be told from all others of its kind.
    var cachedText: String { get }
}

extension Int: CachedValue {
    var cachedText: String { "\(self)" }
}

extension String: CachedValue {
    var cachedText: String { self }
}

extension Double: CachedValue {
    /// The shortest decimal that reads back; both zeros are one number.
    var cachedText: String { self == 0 ? "0.0" : "\(self)" }
}

extension Sample {
    /// The value where it is a number.
    fileprivate var number: Double? { if case .number(let number) = value { number } else { nil } }

    /// The samples for which the record stands: as many as a condenser's identifier says.
    fileprivate var weight: Int {
        guard let text = metadata["HKMetadataKeySyncIdentifier"], Self.isCondenserIdentifier(text) else { return 1 }
        return text.split(separator: ":").last.flatMap { Int($0) } ?? 1
    }
}

/// Numbers of a history, added exactly: all of them are multiples of 2^-60 far below 2^40.
private struct ExactNumbers {
    private var total: Int128 = 0

    init(_ numbers: [Double?]) {
        for number in numbers.compactMap(\.self) { total += Int128(number * 0x1p60) }
    }

    /// Rounded once.
    var sum: Double { Double(total) * 0x1p-60 }
}
