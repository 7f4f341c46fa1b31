package import GRDB
internal import HealthModel

extension Aggregates {
    /// The zone in whose days a chain is aggregated; nil before its first observation.
    package static func zone(_ db: Database, chain: Int64) throws -> ChainZone? {
        try ChainZone.recorded(db, chain: chain)?.zone
    }

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
        let types = try Row.fetchAll(db, sql: "SELECT id, type_identifier FROM sample_types").map {
            try (id: $0.get("id") as Int64, name: $0.get("type_identifier") as String)
        }
        for type in types.sorted(by: { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) })
        where question.types?.matches(type.name) ?? true {
            var gathered = GatheredBucket(type: type.name, series: stored.series)
            var bounds: (first: Int64, next: Int64) = (0, 0)
            try stored.forEachDay(type: type.id, from: days.first, to: days.next) { day, states in
                if gathered.isEmpty || day >= bounds.next {
                    try gathered.finish(body)
                    bounds = question.size == .day ? (day, day + 1) : LocalDate.monthBounds(day: day)
                    gathered.label = question.size == .day ? LocalDate.text(day: day) : LocalDate.monthText(day: day)
                    gathered.start = clock.start(of: bounds.first)
                    gathered.end = clock.start(of: bounds.next)
                }
                for (series, aggregate) in states[0] { gathered.add(aggregate, series: series) }
            }
            try gathered.finish(body)
        }
    }

    /// Calls `body` with every local day of a type that has records at one of two observations: the day's label, its
    /// first instant, and what it comes to at each, over all sources.
    ///
    /// - Parameters:
    ///   - source: only the source of this name; nil for all.
    /// - Complexity: one pass over the type's stored rows.
    package static func forEachDay(
        _ db: Database, _ chain: Chain, type: String, from: Observation, to: Observation, source: String? = nil,
        _ body: (_ label: String, _ start: Int64, _ before: DayMeasure?, _ after: DayMeasure?) throws -> Void
    ) throws {
        guard let clock = try ChainZone.recorded(db, chain: chain.id)?.clock,
            let id = try Int64.fetchOne(
                db, sql: "SELECT id FROM sample_types WHERE type_identifier = ?", arguments: [type])
        else { return }
        let stored = try StoredBuckets(db, chain, at: [from, to], source: source)
        let meter = DayMeter(type: type, series: stored.series)
        try stored.forEachDay(type: id) { day, states in
            try body(
                LocalDate.text(day: day), clock.start(of: day), meter.measure(states[0]), meter.measure(states[1]))
        }
    }
}
