internal import ArchiveFile
internal import ArchiveRows
internal import GRDB
internal import HealthModel

/// Reads the aggregates of a chain as of one or two observations from their differential rows, in order of day.
///
/// - Complexity: one pass over the rows of a type and interval; memory for one day.
final class StoredBuckets {
    /// What a series is known by.
    struct Series: Hashable {
        var source: Int64
        var sourceName: String?
        var sourceVersion: String?
        var unit: String?
    }

    private let db: Database
    private let places: [Int64: Int]
    private let ends: [Int]
    let series: [Int64: Series]
    private let statement: UnsafeStatement

    /// - Parameters:
    ///   - observations: as of which.
    ///   - source: only these sources; nil for all.
    init(_ db: Database, _ chain: Chain, at observations: [Observation], source: SourceFilter?) throws {
        self.db = db
        places = Dictionary(chain.finished.enumerated().map { ($1.id, $0) }) { first, _ in first }
        let known = places
        ends = observations.map { known[$0.id] ?? -1 }
        var series: [Int64: Series] = [:]
        for row in try Row.fetchAll(
            db,
            sql: """
                SELECT s.id, d.source_id, n.name, d.source_version, u.unit FROM aggregate_series s
                JOIN descriptors d ON d.id = s.source_revision_id
                LEFT JOIN sources n ON n.id = d.source_id LEFT JOIN units u ON u.id = s.unit_id
                WHERE s.device_chain_id = ? \(source.map { "AND " + $0.hasID("d.source_id") } ?? "")
                """,
            arguments: [chain.id])
        {
            try series[row.get("id")] = Series(
                source: row.get("source_id"), sourceName: row.get("name"), sourceVersion: row.get("source_version"),
                unit: row.get("unit"))
        }
        self.series = series
        statement = try UnsafeStatement(
            db,
            """
            SELECT day, series_id, import_id, \(AggregateTable.columns) FROM daily_aggregates
            WHERE sample_type_id = ? AND day >= ? AND day < ? ORDER BY day, series_id
            """)
    }

    /// Calls `body` with each day of a type that has an aggregate at one of the observations: the series that are
    /// visible there, by observation.
    func forEachDay(
        type: Int64, from: Int64 = .min, to: Int64 = .max, _ body: (Int64, [[Int64: Aggregate]]) throws -> Void
    ) throws {
        statement.bind(1, type)
        statement.bind(2, from)
        statement.bind(3, to)
        defer { statement.reset() }
        var day = Int64.min
        let nothing = [[Int64: (place: Int, aggregate: Aggregate)]](repeating: [:], count: ends.count)
        var states = nothing
        func finish() throws {
            let visible = states.map { $0.compactMapValues { $0.aggregate.count > 0 ? $0.aggregate : nil } }
            if visible.contains(where: { !$0.isEmpty }) { try body(day, visible) }
            states = nothing
        }
        while try statement.step() {
            if statement.int(0) != day {
                if day != .min { try finish() }
                day = statement.int(0)
            }
            let id = statement.int(1)
            guard series[id] != nil, let place = places[statement.int(2)] else { continue }
            for index in ends.indices where place <= ends[index] && place > states[index][id]?.place ?? -1 {
                states[index][id] = (place, AggregateTable.aggregate(statement, from: 3))
            }
        }
        if day != .min { try finish() }
    }
}
