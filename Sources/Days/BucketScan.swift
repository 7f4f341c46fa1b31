package import GRDB
internal import HealthModel
package import Store

/// Computes the rows of aggregates from record versions and their ranges, for all observations of a chain at once.
///
/// Reads the samples of a type in the order of their starts, so that a local day's records are neighbours: memory
/// depends on what is in a day, not on the archive.
package final class BucketScan {
    /// One row of `daily_aggregates` without its type.
    package struct Row: Equatable {
        var day: Int64
        package var series: Int64
        package var observation: Int64
        package var aggregate: Aggregate
    }

    /// Receives all rows of one day, by series and then chain order.
    package typealias Day = (Int64, [Row]) throws -> Void

    private struct Range: Hashable {
        var series: Int64
        /// Places of observations, from 0; `to` is behind the last one at which the rows are visible.
        var from: Int
        var to: Int
    }

    private let observations: [Int64]
    private let places: [Int64: Int]
    private let series: (Int64) throws -> Int64
    private let statement: PreparedStatement
    private let hasPast: Bool
    private let discreteTypes: DiscreteTypes
    private var clock: ZoneClock
    private var builders: [Range: AggregateBuilder] = [:]

    /// - Parameter series: the series of a descriptor.
    package init(_ db: Database, _ chain: Chain, clock: ZoneClock, series: @escaping (Int64) throws -> Int64) throws {
        observations = chain.finished.map(\.id)
        places = Dictionary(observations.enumerated().map { ($1, $0) }) { first, _ in first }
        self.clock = clock
        self.series = series
        discreteTypes = DiscreteTypes(db)
        // Where nothing is condensed, no metadata is read.
        let hasCondensed =
            try Bool.fetchOne(
                db,
                sql: """
                    SELECT EXISTS (SELECT 1 FROM record_versions INDEXED BY record_versions_condensed
                        WHERE \(CondenserIdentifier.condition("")))
                    """) ?? false
        let metadata =
            hasCondensed
            ? """
            CASE WHEN c.payload_id IS NULL THEN CASE WHEN \(CondenserIdentifier.condition("c.")) THEN c.metadata END
                ELSE (SELECT m.metadata FROM record_versions m WHERE m.id = c.payload_id
                    AND \(CondenserIdentifier.condition("m."))) END
            """ : "NULL"
        hasPast = try Bool.fetchOne(db, sql: "SELECT EXISTS (SELECT 1 FROM past_ranges)") ?? false
        statement = try PreparedStatement(
            db,
            """
            SELECT s.start_seconds, s.duration, s.value, c.descriptor_id, c.opened_observation_id,
                c.closed_observation_id, c.id, \(metadata)\(hasPast ? ", r.opened_observation_id, r.closed_observation_id" : "")
            FROM record_versions s INDEXED BY record_versions_timeline CROSS JOIN record_versions c
                \(hasPast ? "LEFT JOIN past_ranges r ON r.record_version_id = c.id" : "")
            WHERE s.sample_type_id = ?1 AND s.sample_id IS NULL AND s.start_seconds >= ?2 AND s.start_seconds < ?3
                AND s.device_chain_id = \(chain.id) AND (c.id = s.id OR c.sample_id = s.id)
            ORDER BY s.start_seconds
            """)
    }

    /// Every day of a type that has records, ascending.
    package func run(type: Int64, _ body: Day) throws { try run(type: type, from: .min, to: .max, body) }

    /// One day of a type; empty where no record belongs to it.
    func rows(type: Int64, day: Int64) throws -> [Row] {
        var found: [Row] = []
        try run(type: type, from: clock.start(of: day), to: clock.start(of: day + 1)) { found += $1 }
        return found
    }

    private func run(type: Int64, from: Int64, to: Int64, _ body: Day) throws {
        statement.bind(1, type)
        statement.bind(2, from)
        statement.bind(3, to)
        defer { statement.reset() }
        var day = Int64.min
        var lastRow: Int64 = -1
        let isSummed = try discreteTypes.contains(type)
        let row = StoredRow(statement: statement, idColumn: 6)
        while try statement.step() {
            guard let start = try row.instant(0) else { throw row.damage }
            let next = clock.day(of: start)
            if next != day {
                if day != .min { try body(day, finish(day)) }
                day = next
            }
            let end = try row.instant(1).map { start + $0 }
            let seconds = AggregateBuilder.seconds(start: start, end: end)
            let number = try row.number(2)
            let extra = number == nil ? 0 : CondenserIdentifier.extraSamples(in: statement.text(7))
            let series = try series(row.integer(3))
            func add(_ column: Int32) {
                let from = statement.optionalInt(column).map { places[$0] ?? observations.count } ?? 0
                let to = places[statement.int(column + 1)] ?? observations.count
                guard from < to else { return }
                let range = Range(series: series, from: from, to: to)
                builders[range, default: AggregateBuilder()].add(
                    seconds: seconds, number: number, extra: extra, isSummed: isSummed)
            }
            // A row with earlier ranges comes once for each of them.
            if statement.int(6) != lastRow { add(4) }
            lastRow = statement.int(6)
            if hasPast, !statement.isNull(9) { add(8) }
        }
        if day != .min { try body(day, finish(day)) }
    }

    /// The rows of the day that was gathered: one where the aggregate differs from that of the observation before.
    private func finish(_ day: Int64) -> [Row] {
        defer { builders.removeAll(keepingCapacity: true) }
        var rows: [Row] = []
        for (series, ranges) in Dictionary(grouping: builders, by: \.key.series).sorted(by: { $0.key < $1.key }) {
            var last = Aggregate.none
            let borders = Set(ranges.flatMap { [$0.key.from, $0.key.to] }).filter { $0 < observations.count }
            for place in borders.sorted() {
                var builder = AggregateBuilder()
                for range in ranges where range.key.from <= place && place < range.key.to { builder.merge(range.value) }
                let aggregate = builder.aggregate
                if aggregate != last {
                    rows.append(
                        Row(day: day, series: series, observation: observations[place], aggregate: aggregate))
                }
                last = aggregate
            }
        }
        return rows
    }
}
