internal import Basics
package import Days
internal import HealthModel
package import Questions
package import Store

/// Buckets with what the archive's stored rows cannot say, because it is no sum over records: totals with each stretch of
/// time counted once, seconds covered by any record, and the values of category types.
///
/// The stored rows say which buckets there are; the records of their days are read beside them, some weeks at a time.
package enum TotalledBuckets {
    /// Ends the reading of buckets that nobody asked for.
    private struct Enough: Error {}

    /// Calls `body` with the buckets as `Aggregates.forEachBucket` has them; where a type adds up, the merged total follows
    /// the other rows of its bucket.
    ///
    /// - Parameters:
    ///   - order: the athlete's order of sources.
    ///   - limit: the most buckets.
    /// - Returns: whether these were all.
    /// - Complexity: the stored rows, and the records of types with a length, values or sums; memory for those of some weeks.
    package static func forEach(
        _ snapshot: Snapshot, at observation: Observation, _ question: AggregateQuestion, order: SourceOrder,
        limit: Int = .max, _ body: (AggregateBucket) throws -> Void
    ) throws -> Bool {
        guard let (_, clock) = try ChainZone.recorded(snapshot.db, chain: snapshot.chain.id) else { return true }
        let stream = try RecordStream(snapshot, .visible(snapshot.chain, at: observation))
        var count = 0
        do {
            var weeks: Weeks?
            func finish() throws {
                for bucket in try weeks?.finish() ?? [] {
                    if count == limit { throw Enough() }
                    count += 1
                    try body(bucket)
                }
            }
            try Aggregates.forEachBucket(snapshot.db, snapshot.chain, at: observation, question) { bucket in
                if weeks?.type != bucket.type {
                    try finish()
                    weeks = Weeks(bucket.type, stream, clock, order, question.source)
                } else if weeks?.isBehind(bucket) == true {
                    try finish()
                }
                weeks?.append(bucket)
            }
            try finish()
            return true
        } catch is Enough {
            return false
        }
    }
}

/// Some weeks of one type's buckets, until their records are read.
private struct Weeks {
    let type: String
    private let stream: RecordStream
    private let clock: ZoneClock
    private let order: SourceOrder
    private let source: SourceFilter?
    private let isCumulative: Bool
    private let isCategory: Bool
    private var buckets: [AggregateBucket] = []
    /// How many seconds are read at once: more each time, since the days before are read again.
    private var reach: Int64 = 32 * 86_400
    private static let longestReach: Int64 = 512 * 86_400

    init(_ type: String, _ stream: RecordStream, _ clock: ZoneClock, _ order: SourceOrder, _ source: SourceFilter?) {
        (self.type, self.stream, self.clock, self.order, self.source) = (type, stream, clock, order, source)
        isCumulative = QuantityTypeTable.shared[type].isCumulative
        isCategory = type.hasPrefix("HKCategoryTypeIdentifier")
    }

    func isBehind(_ bucket: AggregateBucket) -> Bool {
        buckets.first.map { bucket.start >= $0.start + reach } ?? false
    }

    mutating func append(_ bucket: AggregateBucket) { buckets.append(bucket) }

    /// The buckets with what their records say, and none from here on.
    mutating func finish() throws -> [AggregateBucket] {
        defer {
            buckets = []
            reach = min(2 * reach, Self.longestReach)
        }
        guard let first = buckets.first, let last = buckets.last,
            isCumulative || isCategory || buckets.contains(where: { $0.aggregate.coveredSeconds > 0 })
        else { return buckets }
        let found = try Covered(buckets, isCategory: isCategory)
        let units = UnitConverter()
        let all = Set(buckets.compactMap(\.unit))
        let unit = all.count == 1 ? all.first : QuantityTypeTable.shared[type].unit ?? all.min()
        var totals: [Int64: DayTotal] = [:]
        let gatherer = DayGatherer(clock) { totals[$0] = DayTotal($1) }
        let from = isCumulative ? first.start - DayGatherer.mostDays * 86_400 : first.start
        try stream.forEach(type, from: from, below: last.end) { rows, start, facts in
            guard source?.selects(sourceID: facts.sourceID) ?? true else { return }
            let end = try rows.end ?? start
            if start >= first.start { try found.add(rows, start, end, facts) }
            guard isCumulative, end >= start, let unit, let number = try rows.number, number >= 0,
                let value = units.convert(number, from: facts.unit ?? "", to: unit)
            else { return }
            let rank = try DayTotal.Record.rank(
                of: facts.foldedName, facts.kind, isUserEntered: stream.isUserEntered(rows), order: order)
            gatherer.add(DayTotal.Record(Double(start), Double(end), value, sourceName: facts.sourceName, rank: rank))
        }
        gatherer.finish()
        return found.buckets(buckets) { members in
            guard isCumulative, let unit, let bucket = members.first else { return nil }
            var clock = clock
            let days = clock.day(of: bucket.start)..<clock.day(of: bucket.end)
            let known = totals.filter { days.contains($0.key) }.sorted { $0.key < $1.key }.map(\.value)
            let own = Set(members.compactMap(\.unit))
            let shown = own.count == 1 ? own.first ?? unit : unit
            let sum = known.reduce(into: CompensatedSum()) { $0.add($1.value) }.value
            let sources = members.filter { $0.level == .source }.map(\.aggregate)
            return bucket.merged(
                unit: shown, count: sources.reduce(0) { $0 + $1.count },
                numberCount: sources.reduce(0) { $0 + $1.numberCount },
                sum: units.convert(sum, from: unit, to: shown) ?? sum)
        }
    }
}

/// Which time the records of some buckets cover, and how often category values occur.
private final class Covered {
    private struct Key: Hashable {
        var bucket: Int
        /// Nil for all sources together.
        var source: String?
        var unit: String?
    }

    /// The first instants of the buckets, in order.
    private let starts: [Int64]
    private let isCategory: Bool
    private var times: [Key: GatheredIntervals] = [:]
    private var values: [Key: [String: (count: Int64, time: GatheredIntervals)]] = [:]

    init(_ buckets: [AggregateBucket], isCategory: Bool) throws {
        starts = Set(buckets.map(\.start)).sorted()
        self.isCategory = isCategory
    }

    func add(_ rows: VersionCursor, _ start: Int64, _ end: Int64, _ facts: DescriptorFacts.Facts) throws {
        let bucket = starts.partitionPoint { $0 <= start } - 1
        guard bucket >= 0 else { return }
        let time = Interval(Double(start), Double(max(start, end)))
        let key = Key(bucket: bucket, source: facts.sourceName, unit: facts.unit)
        if time.seconds > 0 {
            times[key, default: GatheredIntervals(least: 256)].append(time)
            times[Key(bucket: bucket), default: GatheredIntervals(least: 256)].append(time)
        }
        guard isCategory else { return }
        let value = if case .text(let text) = try rows.value { text.string } else { "" }
        values[key, default: [:]][value, default: (0, GatheredIntervals(least: 256))].count += 1
        values[key]?[value]?.time.append(time)
    }

    /// The buckets with their covered seconds and values, and what `merged` makes of those of one interval behind them.
    func buckets(
        _ buckets: [AggregateBucket], merged: ([AggregateBucket]) -> AggregateBucket?
    ) -> [AggregateBucket] {
        var out: [AggregateBucket] = []
        for (index, start) in starts.enumerated() {
            let first = buckets.partitionPoint { $0.start < start }
            let members = buckets[first...].prefix { $0.start == start }.map { bucket in
                var bucket = bucket
                let isAll = bucket.level != .source
                let key = Key(
                    bucket: index, source: isAll ? nil : bucket.sourceName ?? "", unit: isAll ? nil : bucket.unit)
                bucket.aggregate.coveredSeconds = seconds(times[key])
                if isCategory {
                    bucket.values = (values[key] ?? [:]).sorted { $0.key < $1.key }.map {
                        AggregateBucket.CategoryValue(
                            value: $0.key, count: $0.value.count, seconds: seconds($0.value.time))
                    }
                }
                return bucket
            }
            out += members
            if var total = merged(members) {
                total.aggregate.coveredSeconds = seconds(times[Key(bucket: index)])
                out.append(total)
            }
        }
        return out
    }

    private func seconds(_ time: GatheredIntervals?) -> Int64 { Int64(time?.united.seconds ?? 0) }
}
