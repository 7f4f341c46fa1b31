internal import GRDB
internal import HealthModel

/// Passes 3 to 5 of the comparison, on a temporary table of what the strict key left over.
final class ComparisonRest {
    let db: Database
    private let names: SourceNames
    private let converter = UnitConverter()
    private var dimensions: [HealthUnit.Dimension: Int64] = [:]
    private var typeNames: [Int64: String] = [:]
    private var unitNames: [Int64: String] = [:]
    private let synonymTypes = Set(CategorySynonyms.shared.types)
    /// The keys of passes 3 and 5 that some row of each side has, so that a pass without any is not run.
    private(set) var present: [Set<String>] = [[], []]

    init(_ db: Database, names: SourceNames) {
        self.db = db
        self.names = names
    }

    /// Fills the table with the rows of types that have some on both sides and that a pass can link; false when there
    /// are none.
    ///
    /// Most rows have no stable identifier, and their type has one unit: no pass asks for them.
    func fill(
        before: StateComparison.Side, after: StateComparison.Side, isTaken: (Int, Int64) -> Bool
    ) throws -> Bool {
        let sides = [before, after]
        var first: [[Int64: Int64]] = [[:], [:]]
        try forEach(sides, isTaken) { side, reference, type in
            if first[side][type] == nil { first[side][type] = reference }
        }
        let shared = Set(first[0].keys).intersection(first[1].keys)
        guard !shared.isEmpty else { return false }
        try create()
        let insert = try UnsafeStatement(
            db,
            """
            INSERT INTO temp.rest (side, ref, sample_type_id, start_seconds, end_seconds, creation, source_class,
                sync, external, activity, dimension, unit_id, number, common, tolerance, fact, identity, version)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """)
        // The unit of each type that has been met in one only.
        var single: [Int64: Int64] = [:]
        for type in shared {
            let units = try [0, 1].map { try first[$0][type].flatMap(sides[$0].reader.fetch)?.unit }
            if units[0] == units[1] { single[type] = units[0] }
        }
        var mixed = Set<Int64>()
        try forEach(sides, isTaken) { side, reference, type in
            guard shared.contains(type), let candidate = try sides[side].reader.fetch(reference) else { return }
            let keys = try Keys(candidate, fact: fact(candidate))
            if let unit = single[type], keys.isEmpty {
                if candidate.unit != unit { mixed.insert(type) }
            } else {
                try add(candidate, keys, reference: reference, side: side, insert)
            }
        }
        guard !mixed.isEmpty else { return true }
        try forEach(sides, isTaken) { side, reference, type in
            guard mixed.contains(type), let candidate = try sides[side].reader.fetch(reference) else { return }
            let keys = try Keys(candidate, fact: fact(candidate))
            if keys.isEmpty { try add(candidate, keys, reference: reference, side: side, insert) }
        }
        return true
    }

    /// Goes through the rows that passes 1 and 2 left.
    private func forEach(
        _ sides: [StateComparison.Side], _ isTaken: (Int, Int64) -> Bool,
        _ body: (_ side: Int, _ reference: Int64, _ type: Int64) throws -> Void
    ) throws {
        for (index, side) in sides.enumerated() {
            let rows = try UnsafeStatement(db, "SELECT ref, sample_type_id FROM \(side.table) ORDER BY ref")
            while try rows.step() {
                if !isTaken(index, rows.int(0)) { try body(index, rows.int(0), rows.int(1)) }
            }
        }
    }

    /// What passes 3 and 5 ask for.
    private struct Keys {
        let stable: Candidate.StableIdentifiers
        let fact: String?

        init(_ candidate: Candidate, fact: String?) {
            stable = candidate.stableIdentifiers
            self.fact = fact
        }

        var isEmpty: Bool {
            stable.sync == nil && stable.external == nil && stable.activity == nil && fact == nil
        }
    }

    private func fact(_ candidate: Candidate) throws -> String? {
        guard let text = candidate.text, let type = try typeName(candidate.type), synonymTypes.contains(type) else {
            return nil
        }
        return CategorySynonyms.shared.canonicalValue(type: type, value: text)
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

    private func add(
        _ candidate: Candidate, _ keys: Keys, reference: Int64, side: Int, _ insert: UnsafeStatement
    ) throws {
        let stable = keys.stable
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
            let common = converter.converted(number, unit: unit)
        {
            insert.bind(11, dimension(common.dimension))
            insert.bind(12, candidate.unit)
            insert.bind(13, number)
            insert.bind(14, common.value.value)
            insert.bind(15, common.value.tolerance)
        }
        let texts = ByteBuffer(capacity: 64)
        var spans: [(Int32, Int, Int)] = []
        for (index, name, text) in [
            (Int32(8), "sync", stable.sync), (9, "external", stable.external), (10, "activity", stable.activity),
            (16, "fact", keys.fact),
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
}
