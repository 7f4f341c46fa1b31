internal import GRDB
internal import HealthModel

extension ComparisonRest {
    /// Runs passes 3, 4 and 5 and reports each link.
    func linkAll(_ take: (Int64, Int64, Evidence) throws -> Void) throws {
        try link(.syncIdentifier, present: "sync", key: ["sample_type_id", "sync", "source_class"], take)
        try link(.externalUUID, present: "external", key: ["sample_type_id", "external", "source_class"], take)
        try link(.activityUUID, present: "activity", key: ["sample_type_id", "activity"], take)
        try linkConvertedUnits(take)
        try link(
            .valueSynonym, present: "fact",
            key: [
                "sample_type_id", "fact", "start_seconds", "end_seconds", "ifnull(creation, -9223372036854775808)",
            ], take)
    }

    /// The order of equal copies of a side: of the earlier state the last ones are linked, so that those that stay
    /// visible (in a partial observation) are the first ones.
    private static func order(_ side: Int) -> String { side == 0 ? "ref DESC" : "ref" }

    /// Pairs both sides within equal keys, each in ascending order of start, end, identity and version.
    private func link(
        _ evidence: Evidence, present: String, key: [String], _ take: (Int64, Int64, Evidence) throws -> Void
    ) throws {
        guard self.present[0].contains(present), self.present[1].contains(present) else { return }
        let names = (1...key.count).map { "k\($0)" }
        let select = zip(key, names).map { "\($0) AS \($1)" }.joined(separator: ", ")
        func side(_ number: Int) -> String {
            """
            SELECT ref, \(names.joined(separator: ", ")), row_number() OVER (
                PARTITION BY \(names.joined(separator: ", "))
                ORDER BY start_seconds, end_seconds, identity, version, \(Self.order(number))) AS place
            FROM (SELECT *, \(select) FROM temp.rest
                WHERE side = \(number) AND taken = 0 AND \(present) IS NOT NULL)
            """
        }
        let equal = names.map { "b.\($0) = a.\($0)" }.joined(separator: " AND ")
        try db.execute(
            sql: """
                CREATE TEMP TABLE links AS
                SELECT b.ref AS before_ref, a.ref AS after_ref FROM (\(side(0))) b
                JOIN (\(side(1))) a ON \(equal) AND b.place = a.place
                """)
        try takeLinks(evidence, take)
    }

    private func takeLinks(_ evidence: Evidence, _ take: (Int64, Int64, Evidence) throws -> Void) throws {
        let links = try UnsafeStatement(db, "SELECT before_ref, after_ref FROM temp.links")
        var any = false
        while try links.step() {
            any = true
            try take(links.int(0), links.int(1), evidence)
        }
        // Behind the last pass nobody asks any more what was taken.
        let isNeeded = evidence != .unitConversion || (present[0].contains("fact") && present[1].contains("fact"))
        if any, isNeeded {
            try db.execute(
                sql: """
                    UPDATE temp.rest SET taken = 1 WHERE side = 0 AND ref IN (SELECT before_ref FROM temp.links);
                    UPDATE temp.rest SET taken = 1 WHERE side = 1 AND ref IN (SELECT after_ref FROM temp.links);
                    """)
        }
        try db.execute(sql: "DROP TABLE temp.links")
    }

    // MARK: - Pass 4

    private struct Measured {
        var reference: Int64
        var key: [Int64]
        var unit: Int64
        var common: ConvertedValue
    }

    /// One side's measured rows in the order of pass 4's key and common value.
    private struct MeasuredStream {
        let statement: UnsafeStatement
        var row: Measured?

        init(_ db: Database, side: Int) throws {
            statement = try UnsafeStatement(
                db,
                """
                SELECT ref, sample_type_id, dimension, start_seconds, end_seconds,
                    ifnull(creation, -9223372036854775808), unit_id, common, tolerance
                FROM temp.rest
                WHERE side = \(side) AND taken = 0 AND dimension IS NOT NULL
                    AND start_seconds IS NOT NULL AND end_seconds IS NOT NULL
                ORDER BY 2, 3, 4, 5, 6, common, identity, version, \(ComparisonRest.order(side))
                """)
            try advance()
        }

        mutating func advance() throws {
            guard try statement.step() else {
                row = nil
                return
            }
            row = Measured(
                reference: statement.int(0), key: (1...5).map { statement.int(Int32($0)) }, unit: statement.int(6),
                common: ConvertedValue(value: statement.double(7), tolerance: statement.double(8)))
        }
    }

    /// Links equal values in two units of one dimension: both sides are walked in ascending order of the common
    /// unit's value within one key, and of two heads that do not fit the smaller is passed over.
    private func linkConvertedUnits(_ take: (Int64, Int64, Evidence) throws -> Void) throws {
        try db.execute(sql: "CREATE TEMP TABLE links (before_ref INTEGER, after_ref INTEGER)")
        let insert = try UnsafeStatement(db, "INSERT INTO temp.links VALUES (?, ?)")
        var old = try MeasuredStream(db, side: 0)
        var new = try MeasuredStream(db, side: 1)
        while let a = old.row, let b = new.row {
            if a.key != b.key {
                if a.key.lexicographicallyPrecedes(b.key) { try old.advance() } else { try new.advance() }
            } else if a.unit != b.unit, a.common.agrees(with: b.common) {
                insert.bind(1, a.reference)
                insert.bind(2, b.reference)
                try insert.run()
                try old.advance()
                try new.advance()
            } else if a.common.value < b.common.value {
                try old.advance()
            } else {
                try new.advance()
            }
        }
        old.statement.reset()
        new.statement.reset()
        try takeLinks(.unitConversion, take)
    }
}
