internal import Basics
package import GRDB
internal import HealthModel
package import Store

/// Keeps the aggregates of one import: of all records of a chain's first export, of the changes of a later one.
///
/// Nothing is kept per record. A first export's records go to a tape until the zone is known. A later export's changes
/// are gathered by bucket, a bounded number of them at a time, and change the rows of its predecessor: counts, exact sums
/// and seconds are added and subtracted, and only where an extreme was taken away are the records of the day read again.
package final class AggregateRecorder {
    private let db: Database
    private let importID: Int64
    /// The observations up to the predecessor with their places.
    private let places: [Int64: Int]
    private let tape: AggregateTape?
    /// Nil while a first export is read.
    private var table: AggregateTable?
    private let discreteTypes: DiscreteTypes
    private var clock = ZoneClock(offsetSeconds: 0)
    private var changes: [AggregateTable.Key: BucketChange] = [:]
    private var uncertain = DaySet()
    private var zones: [String: Int64] = [:]
    /// Buckets gathered before they are written.
    private static let mostBuckets = 1 << 14
    /// Different zones counted of one export; a hostile one may name any number.
    private static let mostZones = 1_000

    /// Types and descriptors of records, each pair once.
    package typealias Pairs = [(type: Int64, descriptor: Int64)]

    /// - Parameter predecessors: the observations before this one, oldest first.
    package init(_ db: Database, chain: Int64, importID: Int64, predecessors: [Int64]) throws {
        self.db = db
        self.importID = importID
        discreteTypes = DiscreteTypes(db)
        places = Dictionary(predecessors.enumerated().map { ($1, $0) }) { first, _ in first }
        if predecessors.isEmpty {
            tape = AggregateTape()
            table = nil
        } else {
            tape = nil
            if let recorded = try ChainZone.recorded(db, chain: chain) { clock = recorded.clock }
            table = try AggregateTable(db, chain: chain, clock: clock)
        }
    }

    // MARK: - Records

    /// Counts how often items of a page name a zone.
    package func count(zones counts: [(name: String, count: Int64)]) {
        for (name, count) in counts {
            if let known = zones[name] {
                zones[name] = known + count
            } else if zones.count < Self.mostZones {
                zones[name] = count
            }
        }
    }

    /// Appends a record of a first export.
    ///
    /// - Parameter pair: the place of its type and descriptor in the summary's keys.
    @inline(__always)
    package func appendRecord(pair: Int, start: Int64?, end: Int64?, number: Double?) throws {
        // Without a start there is no day.
        guard let start else { return }
        try tape?.append(
            AggregateTape.Entry(
                start: start, end: end ?? .min, number: number ?? 0, pair: Int32(truncatingIfNeeded: pair),
                hasNumber: number == nil ? 0 : 1))
    }

    /// Adds a record version that this import opened.
    package func add(_ record: RecordRow) throws { try apply(record, to: \.added) }

    /// Subtracts a record version that this import closed.
    package func subtract(_ record: RecordRow) throws { try apply(record, to: \.removed) }

    /// Where a change counts a record.
    private typealias Side = WritableKeyPath<BucketChange, AggregateBuilder>

    private func apply(_ record: RecordRow, to side: Side) throws {
        try apply(
            record.typeID, record.descriptor.id, start: record.start, end: record.end, record.number,
            metadata: record.metadata, to: side)
    }

    /// Subtracts the record versions that this import closed.
    ///
    /// - Parameter rows: what follows `FROM` in a query for rows `c` of `full_record_versions`.
    package func subtractRows(_ rows: String) throws {
        let closed = try VersionCursor(db, "SELECT \(VersionColumns.ofView("c")) FROM \(rows)")
        while try closed.next() {
            let number = try closed.number
            var metadata: String?
            if number != nil, case .own(let own) = try closed.metadata { metadata = own.string }
            try apply(
                closed.typeID, closed.descriptorID, start: closed.start, end: closed.end, number, metadata: metadata,
                to: \.removed)
        }
    }

    private func apply(
        _ type: Int64, _ descriptor: Int64, start: Int64?, end: Int64?, _ number: Double?, metadata: String?,
        to side: Side
    ) throws {
        let extra = CondenserIdentifier.extraSamples(in: metadata)
        let isSummed = try discreteTypes.contains(type)
        try change(type, descriptor, start) { bucket, start in
            bucket[keyPath: side].add(
                seconds: AggregateBuilder.seconds(start: start, end: end), number: number, extra: extra,
                isSummed: isSummed)
        }
    }

    /// Adds what the condensed rows of a chain's first export represent beyond themselves.
    ///
    /// - Complexity: grows with the condensed rows, which have an index of their own.
    private func addExtraSamples(chain: Int64) throws {
        // An equal row takes its metadata from the first of its kind.
        let rows = try PreparedStatement(
            db,
            """
            WITH condensed AS MATERIALIZED (
                SELECT m.id, ifnull(m.sample_id, m.id) AS sample, m.metadata
                FROM record_versions m INDEXED BY record_versions_condensed
                WHERE \(CondenserIdentifier.condition("m.")) AND m.device_chain_id = \(chain)),
            shown (sample, descriptor, metadata) AS (
                SELECT m.sample, c.descriptor_id, m.metadata FROM condensed m CROSS JOIN record_versions c ON c.id = m.id
                UNION ALL
                SELECT m.sample, c.descriptor_id, m.metadata
                FROM condensed m CROSS JOIN record_versions c ON c.sample_id = m.sample
                WHERE c.payload_id = m.id)
            SELECT k.sample_type_id, s.descriptor, k.start_seconds, k.value, s.metadata
            FROM shown s CROSS JOIN record_versions k ON k.id = s.sample WHERE typeof(k.value) IN ('integer', 'real')
            """)
        while try rows.step() {
            let (type, number) = (rows.int(0), rows.double(3))
            let extra = CondenserIdentifier.extraSamples(in: rows.text(4))
            guard extra > 0 else { continue }
            let isSummed = try discreteTypes.contains(type)
            try change(type, rows.int(1), rows.instant(2)) { bucket, _ in
                bucket.added.extra.add(extra, of: number, isSummed: isSummed)
            }
        }
        try flush()
    }

    @inline(__always)
    private func change(
        _ type: Int64, _ descriptor: Int64, _ start: Int64?, _ body: (inout BucketChange, Int64) -> Void
    ) throws {
        guard let start, let table else { return }
        let key = AggregateTable.Key(
            type: type, day: clock.day(of: start), series: try table.series(of: descriptor))
        body(&changes[key, default: BucketChange()], start)
        if changes.count >= Self.mostBuckets { try flush() }
    }

    // MARK: - Rows

    /// Applies what was gathered.
    private func flush() throws {
        guard let table else { return }
        for key in changes.keys.sorted() {
            guard let change = changes[key] else { continue }
            let rows = try table.rows(key)
            let before = rows.filter { places[$0.key] != nil }.max { (places[$0.key] ?? 0) < (places[$1.key] ?? 0) }
            let old = before?.value ?? .none
            let (new, isCertain) = change.applied(to: rows[importID] ?? old)
            if !isCertain { uncertain.insert(type: key.type, day: key.day) }
            if new != old || !isCertain {
                try table.write(new, key, at: importID)
            } else if rows[importID] != nil {
                try table.remove(key, at: importID)
            }
        }
        changes.removeAll(keepingCapacity: true)
    }

    /// Writes how often the export's items name each zone.
    package func writeZones() throws {
        for (name, count) in zones where ChainZone.isName(name) {
            try db.execute(
                sql: "INSERT OR REPLACE INTO time_zone_counts (import_id, time_zone, item_count) VALUES (?, ?, ?)",
                arguments: [importID, name, count])
        }
    }

    /// Writes the aggregates; called when the observation's own row is written, before the commit.
    ///
    /// - Parameter pairs: the types and descriptors that `appendRecord` named by their places.
    /// - Returns: a warning where the chain's zone is another one now.
    package func finish(_ chain: Chain, _ pairs: Pairs, isRewritten: Bool) throws -> String? {
        if let tape {
            guard chain.finished.count == 1, let zone = try ChainZone.rule(db, chain) else {
                try Aggregates.rebuild(db, chain)
                return nil
            }
            try AggregateTable.clear(db, chain: chain.id)
            clock = try zone.record(db, chain: chain.id)
            let table = try AggregateTable(db, chain: chain.id, clock: clock)
            self.table = table
            try write(tape, pairs, table)
            try addExtraSamples(chain: chain.id)
            if isRewritten { try AggregateTable.tidy(db, chain: chain.id) }
            return nil
        }
        let zone = try Aggregates.settleZone(db, chain)
        guard !zone.isRebuilt else { return zone.warning }
        try flush()
        try Aggregates.recompute(db, chain, uncertain)
        if isRewritten || table?.hasRemoved == true { try AggregateTable.tidy(db, chain: chain.id) }
        return nil
    }

    /// Writes a first export's rows from its tape.
    private func write(_ tape: AggregateTape, _ pairs: Pairs, _ table: AggregateTable) throws {
        var buckets: [AggregateTable.Key: Int] = [:]
        var builders: [AggregateBuilder] = []
        var last = [(day: Int64, place: Int)](repeating: (.min, 0), count: pairs.count)
        func write() throws {
            for (key, place) in buckets.sorted(by: { $0.key < $1.key }) {
                // An earlier part of the same bucket was written before.
                if let part = try isSplit ? table.rows(key)[importID] : nil {
                    builders[place].merge(AggregateBuilder(part))
                }
                try table.write(builders[place].aggregate, key, at: importID)
            }
            buckets.removeAll(keepingCapacity: true)
            builders.removeAll(keepingCapacity: true)
            for index in last.indices { last[index].day = .min }
        }
        var isSplit = false
        try tape.drain { entry in
            let pair = Int(entry.pair)
            let day = clock.day(of: entry.start)
            if last[pair].day != day {
                if builders.count >= Self.mostBuckets {
                    try write()
                    isSplit = true
                }
                let key = AggregateTable.Key(
                    type: pairs[pair].type, day: day, series: try table.series(of: pairs[pair].descriptor))
                let place = buckets[key] ?? builders.count
                if place == builders.count {
                    buckets[key] = place
                    builders.append(AggregateBuilder())
                }
                last[pair] = (day, place)
            }
            builders[last[pair].place].add(
                seconds: AggregateBuilder.seconds(start: entry.start, end: entry.end == .min ? nil : entry.end),
                number: entry.hasNumber == 0 ? nil : entry.number)
        }
        try write()
    }
}
