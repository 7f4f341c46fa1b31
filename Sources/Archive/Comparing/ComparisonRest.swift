internal import GRDB
internal import HealthModel

/// Passes 3 to 5 of the comparison, on a temporary table of what the strict key left over.
final class ComparisonRest {
    private let db: Database
    private let names: SourceNames
    private let converter = UnitConverter()
    private var dimensions: [HealthUnit.Dimension: Int64] = [:]
    private var typeNames: [Int64: String] = [:]
    private var unitNames: [Int64: String] = [:]
    private let synonymTypes = Set(CategorySynonyms.shared.types)
    /// The keys of passes 3 and 5 that some row of each side has, so that a pass without any is not run.
    private var present: [Set<String>] = [[], []]

    init(_ db: Database, names: SourceNames) {
        self.db = db
        self.names = names
    }

    /// Fills the table with the rows of types that have some on both sides; false when there are none.
    func fill(
        before: StateComparison.Side, after: StateComparison.Side, isTaken: (Int, Int64) -> Bool
    ) throws -> Bool {
        var types: [Set<Int64>] = [[], []]
        for (index, side) in [before, after].enumerated() {
            let statement = try UnsafeStatement(db, "SELECT ref, sample_type_id FROM \(side.table)")
            while try statement.step() {
                if !isTaken(index, statement.int(0)) { types[index].insert(statement.int(1)) }
            }
        }
        let shared = types[0].intersection(types[1])
        guard !shared.isEmpty else { return false }
        try create()
        let insert = try UnsafeStatement(
            db,
            """
            INSERT INTO temp.rest (side, ref, sample_type_id, start_seconds, end_seconds, creation, source_class,
                sync, external, activity, dimension, unit_id, number, common, tolerance, fact, identity, version)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """)
        for (index, side) in [before, after].enumerated() {
            let statement = try UnsafeStatement(db, "SELECT ref, sample_type_id FROM \(side.table) ORDER BY ref")
            while try statement.step() {
                let reference = statement.int(0)
                guard shared.contains(statement.int(1)), !isTaken(index, reference),
                    let candidate = try side.reader.fetch(reference)
                else { continue }
                try add(candidate, reference: reference, side: index, insert)
            }
        }
        return true
    }

    func drop() throws { try db.execute(sql: "DROP TABLE IF EXISTS temp.rest") }

    private func create() throws {
        try drop()
        try db.execute(
            sql: """
                CREATE TEMP TABLE rest (
                    side INTEGER, ref INTEGER, sample_type_id INTEGER, start_seconds INTEGER, end_seconds INTEGER,
                    creation INTEGER, source_class INTEGER, sync TEXT, external TEXT, activity TEXT,
                    dimension INTEGER, unit_id INTEGER, number REAL, common REAL, tolerance REAL, fact TEXT,
                    identity BLOB, version BLOB, taken INTEGER NOT NULL DEFAULT 0,
                    PRIMARY KEY (side, ref)) WITHOUT ROWID
                """)
    }

    private func add(_ candidate: Candidate, reference: Int64, side: Int, _ insert: UnsafeStatement) throws {
        let stable = candidate.stableIdentifiers
        insert.bind(1, Int64(side))
        insert.bind(2, reference)
        insert.bind(3, candidate.type)
        insert.bind(4, optional: candidate.start)
        insert.bind(5, optional: candidate.end)
        insert.bind(6, optional: candidate.creation)
        insert.bind(7, side == 0 ? names.classBefore(candidate.source) : names.classAfter(candidate.source))
        for index in Int32(11)...15 { insert.bindNull(index) }
        if let number = candidate.number, candidate.unit != 0,
            let unit = try unitName(candidate.unit),
            let common = converter.commonValue(number, unit: unit), let scale = converter.scale(unit: unit)
        {
            insert.bind(11, dimension(common.dimension))
            insert.bind(12, candidate.unit)
            insert.bind(13, number)
            insert.bind(14, common.value)
            insert.bind(15, ConversionTolerance.halfUnitOfSixthDigit(of: number) * abs(scale))
        }
        let fact = try candidate.text.flatMap { text -> String? in
            guard let type = try typeName(candidate.type), synonymTypes.contains(type) else { return nil }
            return CategorySynonyms.shared.canonicalValue(type: type, value: text)
        }
        let texts = ByteBuffer(capacity: 64)
        var spans: [(Int32, Int, Int)] = []
        for (index, name, text) in [
            (Int32(8), "sync", stable.sync), (9, "external", stable.external), (10, "activity", stable.activity),
            (16, "fact", fact),
        ] {
            insert.bindNull(index)
            guard let text else { continue }
            self.present[side].insert(name)
            let from = texts.count
            texts.append(text)
            spans.append((index, from, texts.count - from))
        }
        for (index, from, count) in spans { insert.bind(index, text: ByteView(texts.base + from, count)) }
        try withExtendedLifetime(texts) {
            try withUnsafeBytes(of: candidate.identity) { identity in
                try withUnsafeBytes(of: candidate.version) { version in
                    guard let first = identity.baseAddress, let second = version.baseAddress else { return }
                    insert.bind(17, blob: first, 32)
                    insert.bind(18, blob: second, 32)
                    try insert.run()
                }
            }
        }
    }

    private func dimension(_ dimension: HealthUnit.Dimension) -> Int64 {
        if let known = dimensions[dimension] { return known }
        let number = Int64(dimensions.count + 1)
        dimensions[dimension] = number
        return number
    }

    private func unitName(_ id: Int64) throws -> String? {
        if let known = unitNames[id] { return known }
        let name = try String.fetchOne(db, sql: "SELECT unit FROM units WHERE id = ?", arguments: [id])
        unitNames[id] = name
        return name
    }

    private func typeName(_ id: Int64) throws -> String? {
        if let known = typeNames[id] { return known }
        let name = try String.fetchOne(
            db, sql: "SELECT type_identifier FROM sample_types WHERE id = ?", arguments: [id])
        typeNames[id] = name
        return name
    }

    // MARK: - Linking

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
        var reference: Int64 = 0
        var key: [Int64] = []
        var unit: Int64 = 0
        var common: Double = 0
        var tolerance: Double = 0
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
                common: statement.double(7), tolerance: statement.double(8))
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
            } else if a.unit != b.unit, abs(a.common - b.common) <= Swift.max(a.tolerance, b.tolerance) {
                insert.bind(1, a.reference)
                insert.bind(2, b.reference)
                try insert.run()
                try old.advance()
                try new.advance()
            } else if a.common < b.common {
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
