internal import Basics
internal import Days
internal import GRDB
internal import HealthModel
internal import Store

/// Writes the days and months of chains into a cache.
///
/// They come from the one reader of stored days and not from SQL: a month's sum is the exact sum of its days' exact sums,
/// rounded once, and sums of rounded sums differ in the last digit.
final class BucketWriter {
    private let db: Database
    private let insert: PreparedStatement
    private var texts: [ExactText: Int64] = [:]
    private var sourceHashes: [[String?]: String] = [:]

    init(_ db: Database) throws {
        self.db = db
        insert = try PreparedStatement(
            db, "INSERT INTO main.cached_buckets VALUES (\(Array(repeating: "?", count: 20).joined(separator: ", ")))")
        for row in try Row.fetchAll(db, sql: "SELECT id, text FROM main.cached_texts") {
            texts[ExactText(try row.get("text"))] = try row.get("id")
        }
    }

    /// Writes what a chain has from an observation on; what it had before that stays.
    ///
    /// - Parameters:
    ///   - first: the place of the observation.
    ///   - filter: of which types; nil for all.
    func write(_ chain: Chain, from first: Int, _ filter: TypeFilter?) throws {
        let last = chain.finished.count - 1
        guard first <= last else { return }
        guard let sweep = try AggregateSweep(db, chain) else {
            return try db.execute(
                sql: "DELETE FROM main.cached_buckets WHERE device_chain_id = ?", arguments: [chain.id])
        }
        let stale = "device_chain_id = \(chain.id) AND position > \(first)"
        let hadLater = try Set(
            Int64.fetchAll(db, sql: "SELECT DISTINCT type_id FROM main.cached_buckets WHERE \(stale)"))
        let ids = chain.finished[first...].map { "\($0.id)" }.joined(separator: ", ")
        let changed = try Set(
            Int64.fetchAll(
                db,
                sql: """
                    SELECT DISTINCT sample_type_id FROM type_runs WHERE import_id IN (\(ids))
                        AND appeared_count + disappeared_count + representation_changed_count > 0
                    """))
        for type in try SampleTypeNames.sorted(db) where filter?.matches(type.identifier) ?? true {
            let name = try text(type.identifier)
            guard first == 0 || changed.contains(type.id) || hadLater.contains(name) else { continue }
            try db.cachedStatement(
                sql: """
                    DELETE FROM main.cached_buckets WHERE device_chain_id = ? AND type_id = ? AND (size = 0 OR position > ?)
                    """
            ).execute(arguments: [chain.id, name, first])
            var runs = Runs(chain: chain.id, type: name, first: first, count: chain.finished.count)
            // The observation before the first one says which buckets end there.
            let months = Set(max(0, first - 1)...last)
            _ = try sweep.run(
                type: type.id, type.identifier, [.month: months, .day: [last]], changes: []
            ) { size, places, buckets in
                if size == .day {
                    try write(buckets, size: 0, runs, at: places.lowerBound)
                } else if let ended = runs.next(places, buckets) {
                    try writeEnd(ended, runs)
                }
                if size == .month, places.lowerBound >= first {
                    try write(buckets, size: 1, runs, at: places.lowerBound)
                }
            }
            if let ended = runs.finish() { try writeEnd(ended, runs) }
        }
    }

    /// The months of a type as the sweep gives them: each with the runs of observations that show its rows.
    private struct Runs {
        let chain: Int64
        let type: Int64
        let first: Int
        let count: Int
        private var month: AggregateBucket?
        private var end = 0

        init(chain: Int64, type: Int64, first: Int, count: Int) {
            (self.chain, self.type, self.first, self.count) = (chain, type, first, count)
        }

        /// Takes the next run; returns the month that had no records between it and the one before, and from where on.
        mutating func next(_ places: Range<Int>, _ buckets: [AggregateBucket]) -> (AggregateBucket, place: Int)? {
            let ended = buckets.first?.start == month?.start ? gap(before: places.lowerBound) : finish()
            (month, end) = (buckets.first, places.upperBound)
            return ended
        }

        /// The last month, where later observations have no records of it.
        func finish() -> (AggregateBucket, place: Int)? { gap(before: count) }

        private func gap(before place: Int) -> (AggregateBucket, place: Int)? {
            month.flatMap { end < place && end >= first ? ($0, end) : nil }
        }
    }

    private func writeEnd(_ ended: (bucket: AggregateBucket, place: Int), _ runs: Runs) throws {
        try bindPlace(ended.bucket, size: 1, runs, at: ended.place, part: 0)
        for index in Int32(9)...11 { insert.bindNull(index) }
        for index in Int32(12)...15 { insert.bind(index, Int64(0)) }
        for index in Int32(16)...19 { insert.bindNull(index) }
        insert.bind(20, Int64(0))
        try insert.run()
    }

    private func bindPlace(_ bucket: AggregateBucket, size: Int64, _ runs: Runs, at place: Int, part: Int) throws {
        let integers = [runs.chain, size, runs.type, bucket.start, Int64(place + 1), Int64(part), bucket.end]
        for (index, value) in integers.enumerated() { insert.bind(Int32(index + 1), value) }
        insert.bind(8, try text(bucket.label))
    }

    private func write(_ buckets: [AggregateBucket], size: Int64, _ runs: Runs, at place: Int) throws {
        for (part, bucket) in buckets.enumerated() {
            let (aggregate, isTotal) = (bucket.aggregate, bucket.overlappingSources != nil)
            try bindPlace(bucket, size: size, runs, at: place, part: part)
            insert.bind(9, optional: try bucket.sourceName.map(text))
            insert.bind(10, optional: isTotal ? nil : try text(sourceHash(bucket)))
            insert.bind(11, optional: try bucket.unit.map(text))
            insert.bind(12, aggregate.count)
            insert.bind(13, aggregate.numberCount)
            insert.bind(14, aggregate.sampleCount)
            insert.bind(15, aggregate.coveredSeconds)
            let numbers = [aggregate.sum, aggregate.minimum, aggregate.maximum, aggregate.mean]
            for (index, number) in numbers.enumerated() {
                // SQLite stores neither NaN nor the sign of zero.
                guard let number, !number.isNaN else {
                    insert.bindNull(Int32(16 + index))
                    continue
                }
                insert.bind(Int32(16 + index), number == 0 ? 0.0 as Double : number)
            }
            insert.bind(20, Int64(isTotal ? 1 : 0))
            try insert.run()
        }
    }

    /// The id of a text that many rows have.
    private func text(_ text: String) throws -> Int64 {
        if let id = texts[ExactText(text)] { return id }
        try db.execute(sql: "INSERT INTO main.cached_texts (text) VALUES (?)", arguments: [text])
        texts[ExactText(text)] = db.lastInsertedRowID
        return db.lastInsertedRowID
    }

    /// `sourceRevisionDisplayHash`: a stable key of a source with its versions, for colours.
    private func sourceHash(_ bucket: AggregateBucket) -> String {
        let names = [bucket.sourceName] + bucket.sourceVersions
        if let hash = sourceHashes[names] { return hash }
        let json = JSON.array([.optional(bucket.sourceName)] + bucket.sourceVersions.map { .string($0) })
        let hash = Digest256(hashing: "hp:cache:1:source:" + json.canonicalText).hex
        sourceHashes[names] = hash
        return hash
    }
}
