package import GRDB
internal import HealthModel
package import Store

extension Aggregates {
    /// Calls `body` with every bucket at an observation, by type, time, source and unit.
    ///
    /// Versions of one source are put together. Where a bucket of a cumulative type has several sources, a row over all
    /// of a unit follows them. A month is made of its days: its sum is exact, because those of the days are.
    ///
    /// - Complexity: one pass over the stored rows of the types and the interval; memory for one bucket.
    package static func forEachBucket(
        _ db: Database, _ chain: Chain, at observation: Observation, _ question: AggregateQuestion,
        _ body: (AggregateBucket) throws -> Void
    ) throws {
        guard var clock = try ChainZone.recorded(db, chain: chain.id)?.clock else { return }
        let stored = try StoredBuckets(db, chain, at: [observation], source: question.source)
        let days = question.days(&clock)
        let groups = SeriesGroups(stored.series)
        for type in try SampleTypeNames.sorted(db) where question.types?.matches(type.identifier) ?? true {
            var gathered = GatheredBucket(type: type.identifier, series: groups)
            try stored.forEachDay(type: type.id, from: days.first, to: days.next) { day, states in
                if day >= gathered.nextDay {
                    try gathered.finish(body)
                    gathered.begin(question.size, around: day, clock)
                }
                for (series, aggregate) in states[0] { gathered.add(aggregate, series: series) }
            }
            try gathered.finish(body)
        }
    }

    /// The local days on which records of a type start, as an observation shows them, in days from 1970-01-01.
    ///
    /// - Complexity: one pass over the type's stored rows.
    package static func days(
        _ db: Database, _ chain: Chain, type: String, at observation: Observation
    ) throws -> [Int64] {
        guard let id = try SampleTypeNames.id(db, of: type) else { return [] }
        var days: [Int64] = []
        try StoredBuckets(db, chain, at: [observation], source: nil).forEachDay(type: id) { day, _ in days.append(day) }
        return days
    }

    /// The first finished observation of a chain that has records of any type on a local day; nil where none has.
    ///
    /// - Complexity: one look-up a type.
    package static func firstObservation(_ db: Database, _ chain: Chain, with day: Int64) throws -> Observation? {
        let places = Dictionary(chain.finished.enumerated().map { ($1.id, $0) }) { first, _ in first }
        let rows = try PreparedStatement(
            db,
            """
            /* The observations whose aggregates of a day have records */
            SELECT a.import_id FROM sample_types t CROSS JOIN daily_aggregates a
                ON a.sample_type_id = t.id AND a.day = \(day)
            WHERE a.record_count > 0
            """)
        var first = Int.max
        while try rows.step() { first = min(first, places[rows.int(0)] ?? .max) }
        return first < chain.finished.count ? chain.finished[first] : nil
    }

    /// The first and the last local day on which a chain has records in any observation; nil without any.
    package static func reach(_ db: Database, _ chain: Chain) throws -> ClosedRange<Int64>? {
        let rows = try PreparedStatement(
            db,
            """
            /* The days of a chain */
            SELECT min(day), max(day) FROM aggregate_days WHERE device_chain_id = \(chain.id)
            """)
        guard try rows.step(), let first = try rows.instant(0), let last = try rows.instant(1) else { return nil }
        return first...last
    }

    /// Ends the reading of buckets that nobody asked for.
    private struct Enough: Error {}

    /// Calls `body` with the first buckets.
    ///
    /// - Returns: whether these were all.
    package static func forEachBucket(
        _ db: Database, _ chain: Chain, at observation: Observation, _ question: AggregateQuestion, limit: Int,
        _ body: (AggregateBucket) throws -> Void
    ) throws -> Bool {
        var count = 0
        do {
            try forEachBucket(db, chain, at: observation, question) { bucket in
                if count == limit { throw Enough() }
                count += 1
                try body(bucket)
            }
            return true
        } catch is Enough {
            return false
        }
    }

    /// Calls `body` with every local month in which a type has records at one of several observations: its first instant,
    /// its name, and for each observation its rows as `forEachBucket` has them.
    ///
    /// - Complexity: one pass over the type's stored rows; memory for one month.
    package static func forEachMonth(
        _ db: Database, _ chain: Chain, type: String, at observations: [Observation],
        _ body: (_ label: String, _ buckets: [[AggregateBucket]]) throws -> Void
    ) throws {
        guard let id = try SampleTypeNames.id(db, of: type) else { return }
        let stored = try StoredBuckets(db, chain, at: observations, source: nil)
        let groups = SeriesGroups(stored.series)
        var gathered = observations.map { _ in GatheredBucket(type: type, series: groups) }
        func finish() throws {
            let label = gathered.first?.label ?? ""
            var buckets: [[AggregateBucket]] = []
            for index in gathered.indices {
                var rows: [AggregateBucket] = []
                try gathered[index].finish { rows.append($0) }
                buckets.append(rows)
            }
            if buckets.contains(where: { !$0.isEmpty }) { try body(label, buckets) }
        }
        try stored.forEachDay(type: id) { day, states in
            if day >= gathered[0].nextDay {
                try finish()
                for index in gathered.indices { gathered[index].begin(.month, around: day, nil) }
            }
            for (index, state) in states.enumerated() {
                for (series, aggregate) in state { gathered[index].add(aggregate, series: series) }
            }
        }
        try finish()
    }

    /// Begins the statements of `forEachMonth`, so that an answer that was kept can print what it rests on.
    package static func beginMonths(
        _ db: Database, _ chain: Chain, type: String, at observations: some Sequence<Observation>
    ) throws {
        guard let id = try SampleTypeNames.id(db, of: type) else { return }
        try StoredBuckets.begin(db, chain, type: id, at: observations)
    }

    /// Calls `body` with every local day of a type whose aggregate differs between two observations, in order.
    ///
    /// - Complexity: one pass over the type's stored rows.
    package static func forEachChangedDay(
        _ db: Database, _ chain: Chain, type: String, from: Observation, to: Observation,
        _ body: (ChangedDays.Day) throws -> Void
    ) throws {
        guard let clock = try ChainZone.recorded(db, chain: chain.id)?.clock,
            let id = try SampleTypeNames.id(db, of: type)
        else { return }
        let stored = try StoredBuckets(db, chain, at: [from, to], source: nil)
        let comparison = DayComparison(clock: clock, meter: DayMeter(type: type, series: stored.series))
        try stored.forEachDay(type: id) { day, states in
            if let changed = comparison.change(on: day, states) { try body(changed) }
        }
    }
}
