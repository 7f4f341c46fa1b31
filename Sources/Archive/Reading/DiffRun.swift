internal import GRDB
internal import HealthModel

/// One diff: candidates in temporary tables, their comparison, and the results in order.
final class DiffRun {
    let db: Database
    let span: DiffSpan
    private let filter: TypeFilter?
    let source: String?
    private(set) var typeNames: [Int64: String] = [:]
    private(set) var tally = ChangeTally()

    init(_ db: Database, span: DiffSpan, types: TypeFilter?, source: String?) throws {
        self.db = db
        self.span = span
        filter = types
        self.source = source
        for row in try Row.fetchAll(db, sql: "SELECT id, type_identifier FROM sample_types") {
            try typeNames[row.get("id")] = row.get("type_identifier")
        }
    }

    func drop() throws {
        try db.execute(
            sql: """
                DROP TABLE IF EXISTS temp.touched;
                DROP TABLE IF EXISTS temp.diff_before;
                DROP TABLE IF EXISTS temp.diff_after;
                DROP TABLE IF EXISTS temp.diff_pairs;
                """)
        try SpanReturns.drop(db)
    }

    func isWanted(_ type: Int64) -> Bool {
        guard let filter else { return true }
        return typeNames[type].map(filter.matches) ?? false
    }

    // MARK: - Candidates

    /// Finds the copies that are visible at exactly one of the two observations.
    ///
    /// Such a copy was opened or closed after the first and not after the second, and both have an index.
    func findCandidates() throws {
        try drop()
        try db.execute(
            sql: """
                CREATE TEMP TABLE touched (id INTEGER PRIMARY KEY);
                CREATE TEMP TABLE diff_pairs (
                    after_ref INTEGER PRIMARY KEY, before_ref INTEGER NOT NULL UNIQUE, evidence INTEGER NOT NULL);
                """)
        try ComparisonTable.create(db, "diff_before")
        try ComparisonTable.create(db, "diff_after")
        guard !span.later.isEmpty else { return }
        let types = typeNames.keys.filter(isWanted).sorted().map(String.init).joined(separator: ", ")
        try TouchedCopies.collect(
            db, into: "temp.touched", of: span.later.map(\.id), closing: span.inner.map(\.id))
        if !span.inner.isEmpty {
            try SpanReturns(db: db, chain: span.chain, inner: span.inner).find(touched: "temp.touched", types: types)
            try db.execute(sql: "INSERT OR IGNORE INTO temp.touched SELECT id FROM temp.span_released")
        }
        let atFrom = span.isBefore("c")
        let atTo = Visibility.sql("c", through: span.chain.ids(through: span.to))
        for (name, condition) in [
            ("diff_before", "\(atFrom) AND NOT \(atTo)"), ("diff_after", "\(atTo) AND NOT \(atFrom)"),
        ] {
            let fill = span.isOfNeighbours ? ComparisonTable.fillReferences : ComparisonTable.fill
            try fill(
                db, name,
                """
                    SELECT c.id FROM temp.touched t CROSS JOIN record_versions c ON c.id = t.id
                    LEFT JOIN record_versions k ON k.id = c.sample_id
                    WHERE c.device_chain_id = \(span.chain.id)
                        AND iif(c.sample_id IS NULL, c.sample_type_id, k.sample_type_id) IN (\(types)) AND \(condition)
                """)
        }
    }

    // MARK: - Comparison

    /// Links both sides, as stored between neighbours and else by a comparison, and counts.
    func compare() throws {
        let wanted = try source.map { try sourceID($0) }
        let copies = try CandidateReader.copies(db)
        func count(_ old: Candidate, _ new: Candidate, _ evidence: Evidence) {
            if let wanted, old.source != wanted, new.source != wanted { return }
            tally.changed(new.type, evidence, old.changedFields(to: new))
        }
        if span.isOfNeighbours {
            try readPairs()
            let pairs = try UnsafeStatement(db, "SELECT before_ref, after_ref, evidence FROM temp.diff_pairs")
            while try pairs.step() {
                guard let old = try copies.fetch(pairs.int(0)), let new = try copies.fetch(pairs.int(1)),
                    let evidence = Evidence(rawValue: pairs.int(2))
                else { continue }
                count(old, new, evidence)
            }
        } else {
            let names = SourceNames(
                before: try span.earlierSide.reduce(into: []) { try $0.formUnion(StateSummary.sources(db, at: $1.id)) },
                after: try StateSummary.sources(db, at: span.to.id))
            let comparison = StateComparison(
                db, before: .init(table: "temp.diff_before", reader: copies),
                after: .init(table: "temp.diff_after", reader: try .copies(db)), names: names)
            try comparison.recordPairs(db, in: "temp.diff_pairs", copies, tell: count)
            try comparison.run()
        }
        for (table, key, note) in [
            ("diff_before", "before_ref", { (type: Int64, count: Int64) in self.tally.disappeared(type, count) }),
            ("diff_after", "after_ref", { (type: Int64, count: Int64) in self.tally.appeared(type, count) }),
        ] {
            let rows = try Row.fetchCursor(
                db,
                sql: """
                    SELECT b.sample_type_id, count(*) AS count FROM temp.\(table) b
                    CROSS JOIN record_versions c ON c.id = b.ref JOIN descriptors d ON d.id = c.descriptor_id
                    WHERE b.ref NOT IN (SELECT \(key) FROM temp.diff_pairs) \(wanted.map { "AND d.source_id = \($0)" } ?? "")
                    GROUP BY b.sample_type_id
                    """)
            while let row = try rows.next() { try note(row.get("sample_type_id"), row.get("count")) }
        }
    }

    /// The links that the import of the later observation found.
    private func readPairs() throws {
        try db.execute(
            sql: """
                INSERT OR IGNORE INTO temp.diff_pairs
                SELECT after_ref, before_ref, evidence FROM (
                    SELECT c.id AS after_ref, coalesce(c.previous_id, c.sample_id, c.payload_id) AS before_ref, c.evidence
                    FROM temp.diff_after a CROSS JOIN record_versions c ON c.id = a.ref
                    WHERE c.opened_observation_id = \(span.to.id) AND c.evidence IS NOT NULL
                    UNION ALL
                    SELECT p.record_version_id, p.previous_id, p.evidence FROM past_ranges p
                    WHERE p.opened_observation_id = \(span.to.id) AND p.evidence IS NOT NULL
                        AND p.record_version_id IN (SELECT ref FROM temp.diff_after))
                WHERE before_ref IN (SELECT ref FROM temp.diff_before)
                """)
    }

    func sourceID(_ name: String) throws -> Int64 {
        try Int64.fetchOne(db, sql: "SELECT id FROM sources WHERE name = ?", arguments: [name]) ?? -1
    }

    // MARK: - Results

    /// Reports every difference in the order of type, start, identity, version and ordinal of the later copy.
    func stream(_ forEach: (DiffChange) throws -> Void) throws {
        let copies = try CandidateReader.copies(db)
        let wanted = try source.map { try sourceID($0) }
        let rows = try Row.fetchCursor(
            db,
            sql: """
                SELECT r.change, r.ref, r.before_ref, r.evidence FROM (
                    SELECT 0 AS change, ref, NULL AS before_ref, NULL AS evidence FROM temp.diff_after
                    WHERE ref NOT IN (SELECT after_ref FROM temp.diff_pairs)
                    UNION ALL
                    SELECT 1, ref, NULL, NULL FROM temp.diff_before
                    WHERE ref NOT IN (SELECT before_ref FROM temp.diff_pairs)
                    UNION ALL
                    SELECT 2, after_ref, before_ref, evidence FROM temp.diff_pairs) r
                JOIN full_record_versions f ON f.id = r.ref JOIN sample_types t ON t.id = f.sample_type_id
                ORDER BY t.type_identifier, f.start_seconds, \(StoredEnd.sql(fullCopy: "f")), f.identity, f.version, f.ordinal, r.change
                """)
        while let row = try rows.next() {
            let reference: Int64 = try row.get("ref")
            let old = try (row.get("before_ref") as Int64?).flatMap { try copies.fetch($0) }
            if let wanted {
                let new = try copies.fetch(reference)
                if new?.source != wanted, old?.source != wanted { continue }
            }
            switch try row.get("change") as Int {
            case 0: try forEach(.appeared(rowID: reference))
            case 1: try forEach(.disappeared(rowID: reference))
            default:
                guard let old, let new = try copies.fetch(reference), let before: Int64 = try row.get("before_ref"),
                    let evidence = try Evidence(rawValue: row.get("evidence"))
                else { continue }
                try forEach(
                    .representationChanged(
                        evidence: evidence.name, changedFields: old.changedFields(to: new), before: before,
                        after: reference))
            }
        }
    }
}
