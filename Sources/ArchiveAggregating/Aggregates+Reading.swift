package import ArchiveRows
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
        for type in try SampleTypeNames.sorted(db) where question.types?.matches(type.identifier) ?? true {
            var gathered = GatheredBucket(type: type.identifier, series: stored.series)
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

    /// Calls `body` with every local day of a type whose aggregate differs between two observations, in order.
    ///
    /// - Complexity: one pass over the type's stored rows.
    package static func forEachChangedDay(
        _ db: Database, _ chain: Chain, type: String, from: Observation, to: Observation,
        _ body: (ChangedDays.Day) throws -> Void
    ) throws {
        guard let clock = try ChainZone.recorded(db, chain: chain.id)?.clock,
            let id = try Int64.fetchOne(
                db, sql: "SELECT id FROM sample_types WHERE type_identifier = ?", arguments: [type])
        else { return }
        let stored = try StoredBuckets(db, chain, at: [from, to], source: nil)
        let comparison = DayComparison(clock: clock, meter: DayMeter(type: type, series: stored.series))
        try stored.forEachDay(type: id) { day, states in
            if let changed = comparison.change(on: day, states) { try body(changed) }
        }
    }
}
