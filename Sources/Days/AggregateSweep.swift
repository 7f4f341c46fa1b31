package import GRDB
package import Store

/// The months, the days and the changed days of types at all observations of a chain, from one pass over the stored rows
/// of each.
///
/// What two observations have in common is made once: an observation that changed nothing costs nothing.
package struct AggregateSweep {
    private let observations: [Int64]
    private let places: [Int64: Int]
    private let clock: ZoneClock
    private let series: [Int64: StoredBuckets.Series]
    private let groups: SeriesGroups
    private let rows: PreparedStatement

    private struct Entry {
        var series: Int64
        /// The place of the observation that it holds from.
        var place: Int
        var aggregate: Aggregate
    }

    /// - Returns: nil where the chain has no days yet.
    package init?(_ db: Database, _ chain: Chain) throws {
        guard let clock = try ChainZone.recorded(db, chain: chain.id)?.clock else { return nil }
        self.clock = clock
        observations = chain.finished.map(\.id)
        places = Dictionary(observations.enumerated().map { ($1, $0) }) { first, _ in first }
        series = try StoredBuckets(db, chain, at: [], source: nil).series
        groups = SeriesGroups(series)
        rows = try PreparedStatement(
            db,
            """
            SELECT day, series_id, import_id, \(AggregateTable.columns) FROM daily_aggregates
            WHERE sample_type_id = ? ORDER BY day, series_id
            """)
    }

    /// Calls `body` with every month and day in which a type has records at some observation, and the run of observations
    /// that show these rows, as places in the chain; the rows are those of `Aggregates.forEachBucket`.
    ///
    /// - Parameters:
    ///   - wanted: the observations whose months or days are wanted, as places in the chain; others are left out where that
    ///     saves work.
    ///   - changes: the places of the observations whose differences from the one before are wanted.
    /// - Returns: the days that changed, by the later one of two neighbours.
    /// - Complexity: one pass over the type's stored rows; memory for one month.
    package func run(
        type id: Int64, _ name: String, _ wanted: [AggregateQuestion.Size: Set<Int>], changes: Set<Int>,
        _ body: (_ size: AggregateQuestion.Size, _ observations: Range<Int>, _ buckets: [AggregateBucket]) throws ->
            Void
    ) throws -> [Int64: ChangedDays] {
        let comparison = DayComparison(clock: clock, meter: DayMeter(type: name, series: series))
        var changed: [Int: ChangedDays] = [:]
        var month: [[Entry]] = []
        var bounds: (first: Int64, next: Int64) = (0, .min)
        var entries: [Entry] = []
        var day = Int64.min
        func finish(_ size: AggregateQuestion.Size, _ days: [[Entry]], around day: Int64) throws {
            guard let places = wanted[size] else { return }
            var bucket = GatheredBucket(type: name, series: groups)
            bucket.begin(size, around: day, clock)
            try forEachRun(of: days, &bucket, places) { try body(size, $0, $1) }
        }
        func finishMonth() throws {
            try finish(.month, month, around: bounds.first)
            month.removeAll(keepingCapacity: true)
        }
        func finishDay() throws {
            guard !entries.isEmpty else { return }
            if day >= bounds.next {
                try finishMonth()
                bounds = LocalDate.monthBounds(day: day)
            }
            compare(entries, on: day, changes, comparison, &changed)
            try finish(.day, [entries], around: day)
            month.append(entries)
            entries.removeAll(keepingCapacity: true)
        }
        rows.bind(1, id)
        defer { rows.reset() }
        let row = AggregateTable.row(rows, day: 0)
        while try rows.step() {
            // Rows of other chains are passed over.
            let id = try row.integer(1)
            guard series[id] != nil, let place = try places[row.integer(2)] else { continue }
            guard let next = try row.instant(0) else { throw row.damage }
            if next != day {
                try finishDay()
                day = next
            }
            try entries.append(Entry(series: id, place: place, aggregate: AggregateTable.aggregate(row, from: 3)))
        }
        try finishDay()
        try finishMonth()
        return Dictionary(changed.map { (observations[$0.key], $0.value) }) { first, _ in first }
    }

    /// Calls `body` with the aggregates of a day at an observation.
    ///
    /// - Parameter entries: by series.
    private func forEach(_ entries: [Entry], at place: Int, _ body: (Int64, Aggregate) -> Void) {
        var index = 0
        while index < entries.count {
            let series = entries[index].series
            var last: Int?
            while index < entries.count, entries[index].series == series {
                let other = entries[index].place
                if other <= place, last.map({ entries[$0].place < other }) ?? true { last = index }
                index += 1
            }
            if let last, entries[last].aggregate.count > 0 { body(series, entries[last].aggregate) }
        }
    }

    private func state(_ entries: [Entry], at place: Int) -> [Int64: Aggregate] {
        var state: [Int64: Aggregate] = [:]
        forEach(entries, at: place) { state[$0] = $1 }
        return state
    }

    private func compare(
        _ entries: [Entry], on day: Int64, _ places: Set<Int>, _ comparison: DayComparison,
        _ changed: inout [Int: ChangedDays]
    ) {
        guard entries.contains(where: { $0.place > 0 }) else { return }
        for place in Set(entries.lazy.map(\.place)) where place > 0 && places.contains(place) {
            let states = [state(entries, at: place - 1), state(entries, at: place)]
            guard states.contains(where: { !$0.isEmpty }), let difference = comparison.change(on: day, states) else {
                continue
            }
            changed[place, default: ChangedDays()].add(difference)
        }
    }

    /// Hands on the rows of a bucket of days at each run of observations.
    private func forEachRun(
        of days: [[Entry]], _ gathered: inout GatheredBucket, _ wanted: Set<Int>,
        _ body: (Range<Int>, [AggregateBucket]) throws -> Void
    ) throws {
        let borders = Set(days.joined().map(\.place)).sorted()
        for (index, place) in borders.enumerated() {
            let end = index + 1 < borders.count ? borders[index + 1] : observations.count
            guard (place..<end).contains(where: wanted.contains) else { continue }
            for day in days { forEach(day, at: place) { gathered.add($1, series: $0) } }
            var buckets: [AggregateBucket] = []
            try gathered.finish { buckets.append($0) }
            if !buckets.isEmpty { try body(place..<end, buckets) }
        }
    }
}
