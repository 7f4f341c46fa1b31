internal import Basics
internal import GRDB
internal import HealthModel
package import Store

/// Reads and writes rows of `daily_aggregates`, with the series and days that they refer to.
package final class AggregateTable {
    /// Which aggregate: of one type, local day and series.
    struct Key: Hashable, Comparable {
        var type: Int64
        var day: Int64
        var series: Int64

        static func < (a: Key, b: Key) -> Bool { (a.type, a.day, a.series) < (b.type, b.day, b.series) }
    }

    private let db: Database
    private let chain: Int64
    private let clock: ZoneClock
    private let select: PreparedStatement
    private let insert: PreparedStatement
    private let delete: PreparedStatement
    private var series: [Int64: Int64] = [:]
    private var lastDescriptor: Int64 = -1
    private var lastSeries: Int64 = -1
    private var days: Set<Int64> = []
    /// Whether a row was removed, so that days and series may be left that nothing refers to.
    private(set) var hasRemoved = false

    /// The columns from which `aggregate(_:from:)` reads.
    package static let columns = """
        record_count, number_count, covered_seconds, value_sum, value_sum_rest, value_min, value_max, extra_samples,
        extra_sum, extra_sum_rest
        """
    /// How many these are.
    static let columnCount: Int32 = 10

    init(_ db: Database, chain: Int64, clock: ZoneClock) throws {
        self.db = db
        self.chain = chain
        self.clock = clock
        select = try PreparedStatement(
            db,
            """
            SELECT \(Self.columns), import_id, day FROM daily_aggregates
            WHERE sample_type_id = ? AND day = ? AND series_id = ?
            """)
        insert = try PreparedStatement(
            db,
            """
            INSERT OR REPLACE INTO daily_aggregates (\(Self.columns), sample_type_id, day, series_id, import_id)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """)
        delete = try PreparedStatement(
            db,
            "DELETE FROM daily_aggregates WHERE sample_type_id = ? AND day = ? AND series_id = ? AND import_id = ?")
    }

    /// The series of a descriptor: its source, source version and unit, whatever the device; made where it is new.
    @inline(__always)
    func series(of descriptor: Int64) throws -> Int64 {
        if descriptor == lastDescriptor { return lastSeries }
        let found = try series[descriptor] ?? findSeries(of: descriptor)
        lastDescriptor = descriptor
        lastSeries = found
        return found
    }

    private func findSeries(of descriptor: Int64) throws -> Int64 {
        let parts = try db.cachedStatement(
            sql: """
                SELECT min(r.id) AS revision, d.unit_id FROM descriptors d JOIN descriptors r
                    ON r.source_id = d.source_id AND r.source_version IS d.source_version
                WHERE d.id = ?
                """)
        guard let row = try Row.fetchOne(parts, arguments: [descriptor]),
            let revision = try row.get("revision") as Int64?, let unit = try row.get("unit_id") as Int64?
        else { throw HealthProbeError.damagedRow("descriptors", descriptor) }
        let known = try Int64.fetchOne(
            db.cachedStatement(
                sql: """
                    SELECT id FROM aggregate_series
                    WHERE device_chain_id = ? AND source_revision_id = ? AND unit_id = ?
                    """),
            arguments: [chain, revision, unit])
        if known == nil {
            try db.executeCached(
                "INSERT INTO aggregate_series (device_chain_id, source_revision_id, unit_id) VALUES (?, ?, ?)",
                [chain, revision, unit])
        }
        let found = known ?? db.lastInsertedRowID
        series[descriptor] = found
        return found
    }

    /// All rows of one key by observation.
    func rows(_ key: Key) throws -> [Int64: Aggregate] {
        bind(select, 1, key)
        defer { select.reset() }
        var rows: [Int64: Aggregate] = [:]
        let row = Self.row(select, day: Self.columnCount + 1)
        while try select.step() { try rows[row.integer(Self.columnCount)] = Self.aggregate(row, from: 0) }
        return rows
    }

    /// The row of `daily_aggregates` that a statement is on, known by its day.
    package static func row(_ statement: PreparedStatement, day column: Int32) -> StoredRow {
        StoredRow(statement: statement, idColumn: column, table: "daily_aggregates")
    }

    /// The aggregate in the columns `columns` of a row, which begin at `first`.
    ///
    /// - Throws: `archiveDamaged`.
    package static func aggregate(_ row: StoredRow, from first: Int32) throws -> Aggregate {
        var aggregate = Aggregate()
        aggregate.count = try count(row, first)
        aggregate.numberCount = try count(row, first + 1)
        aggregate.coveredSeconds = try row.integer(first + 2)
        guard aggregate.numberCount > 0 else { return aggregate }
        guard let sum = try terms(row, first + 3) else { throw row.damage }
        aggregate.terms = sum
        aggregate.minimum = try row.real(first + 5)
        aggregate.maximum = try row.real(first + 6)
        guard let extraSamples = try row.optionalInteger(first + 7) else { return aggregate }
        guard (0...mostExtraSamples).contains(extraSamples) else { throw row.damage }
        aggregate.extraSamples = extraSamples
        aggregate.extraTerms = try terms(row, first + 8)
        return aggregate
    }

    /// More than the records of a day declare, and few enough to be added up.
    private static let mostExtraSamples: Int64 = 1 << 50
    /// More records than a day has, and few enough to be added up.
    private static let mostRecords: Int64 = 1 << 40

    private static func count(_ row: StoredRow, _ column: Int32) throws -> Int64 {
        let count = try row.integer(column)
        guard (0...mostRecords).contains(count) else { throw row.damage }
        return count
    }

    /// The terms of an exact sum: the first in one column, the others as a blob in the next; nil where there is none.
    private static func terms(_ row: StoredRow, _ column: Int32) throws -> [Double]? {
        guard let sum = try row.real(column) else { return nil }
        var terms = sum == 0 ? [] : [sum]
        guard let rest = try row.blob(column + 1)?.array else { return terms }
        guard rest.count % 8 == 0 else { throw row.damage }
        for at in stride(from: 0, through: rest.count - 8, by: 8) {
            let bits = rest[at..<at + 8].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            terms.append(Double(bitPattern: bits))
        }
        return terms
    }

    /// Writes a row, over an older one of the same observation.
    func write(_ aggregate: Aggregate, _ key: Key, at observation: Int64) throws {
        try require(day: key.day)
        insert.bind(1, aggregate.count)
        insert.bind(2, aggregate.numberCount)
        insert.bind(3, aggregate.coveredSeconds)
        bind(aggregate.numberCount > 0 ? aggregate.terms : nil, 4)
        if let minimum = aggregate.minimum { insert.bind(6, minimum) } else { insert.bindNull(6) }
        if let maximum = aggregate.maximum { insert.bind(7, maximum) } else { insert.bindNull(7) }
        insert.bind(8, optional: aggregate.extraSamples > 0 ? aggregate.extraSamples : nil)
        bind(aggregate.extraTerms, 9)
        bind(insert, Self.columnCount + 1, key)
        insert.bind(Self.columnCount + 4, observation)
        try insert.run()
    }

    /// Binds the terms of an exact sum to two parameters; nil for no sum.
    private func bind(_ terms: [Double]?, _ parameter: Int32) {
        if let terms { insert.bind(parameter, terms.first ?? 0) } else { insert.bindNull(parameter) }
        guard let terms, terms.count > 1 else { return insert.bindNull(parameter + 1) }
        let rest = ByteBuffer(capacity: 8 * terms.count)
        for term in terms.dropFirst() { rest.append(long: Int64(bitPattern: term.bitPattern)) }
        insert.bind(parameter + 1, blob: rest.view)
    }

    func remove(_ key: Key, at observation: Int64) throws {
        try delete.run(binding: [key.type, key.day, key.series, observation])
        hasRemoved = true
    }

    private func bind(_ statement: PreparedStatement, _ first: Int32, _ key: Key) {
        statement.bind(first, key.type)
        statement.bind(first + 1, key.day)
        statement.bind(first + 2, key.series)
    }

    private func require(day: Int64) throws {
        guard days.insert(day).inserted else { return }
        try db.executeCached(
            """
            INSERT OR IGNORE INTO aggregate_days (device_chain_id, day, bucket_start, bucket_end)
            VALUES (?, ?, ?, ?)
            """, [chain, day, clock.start(of: day), clock.start(of: day + 1)])
    }

    static func clear(_ db: Database, chain: Int64) throws {
        try db.execute(
            sql: """
                DELETE FROM daily_aggregates
                    WHERE series_id IN (SELECT id FROM aggregate_series WHERE device_chain_id = :chain);
                DELETE FROM aggregate_days WHERE device_chain_id = :chain;
                """,
            arguments: ["chain": chain])
    }

    /// Removes the days and series of a chain that no aggregate has any more, so that they follow from the states alone.
    static func tidy(_ db: Database, chain: Int64) throws {
        try db.execute(
            sql: """
                DELETE FROM aggregate_days WHERE device_chain_id = :chain AND day NOT IN (
                    SELECT a.day FROM daily_aggregates a JOIN aggregate_series s ON s.id = a.series_id
                    WHERE s.device_chain_id = :chain);
                DELETE FROM aggregate_series WHERE device_chain_id = :chain
                    AND id NOT IN (SELECT series_id FROM daily_aggregates);
                """,
            arguments: ["chain": chain])
    }
}
