internal import ArchiveFile
internal import ArchiveRows
internal import GRDB
internal import HealthModel
internal import TextFormats

/// Passes 3 to 5 of the comparison, on temporary tables of the rows that the strict key left over.
final class SecondaryKeyMatcher {
    /// What a pass asks for beside the fields of a row.
    enum KeyKind: Int64, CaseIterable {
        case sync, external, activity
        /// The canonical value of a category that has synonyms.
        case synonymValue
    }

    let db: Database
    /// Whether a row of a side (0 before, 1 after) may be paired.
    let isFree: (Int, Int64) -> Bool
    private let names: SourceNames
    private let converter = UnitConverter()
    private var dimensions: [HealthUnit.Dimension: Int64] = [:]
    private let synonymTypes = Set(CategorySynonyms.shared.types)
    /// The keys that some row of each side has, so that a pass without any is not run.
    private(set) var present: [Set<KeyKind>] = [[], []]

    init(_ db: Database, names: SourceNames, isFree: @escaping (Int, Int64) -> Bool) {
        self.db = db
        self.names = names
        self.isFree = isFree
    }

    /// Fills the table with the rows of types that have some on both sides and that a pass can link; false when there
    /// are none.
    ///
    /// Most rows have no stable identifier, and their type has one unit: no pass asks for them.
    func fill(_ sides: [StateComparison.Side]) throws -> Bool {
        var first: [[Int64: Int64]] = [[:], [:]]
        try forEach(sides) { side, reference, type in
            if first[side][type] == nil { first[side][type] = reference }
        }
        let shared = Set(first[0].keys).intersection(first[1].keys)
        guard !shared.isEmpty else { return false }
        try db.createTemporary(TemporaryTable.secondaryKeys)
        let insert = try Inserts(db)
        // The unit of each type that has been met in one only.
        var single: [Int64: Int64] = [:]
        for type in shared {
            let units = try [0, 1].map { try first[$0][type].map(sides[$0].reader.fetch)?.descriptor.unitID }
            if units[0] == units[1] { single[type] = units[0] }
        }
        var mixed = Set<Int64>()
        try forEachRecord(sides, of: shared) { side, record in
            let unit = single[record.typeID]
            if let unit, record.descriptor.unitID != unit { mixed.insert(record.typeID) }
            let keys = Keys(record, synonymValue: synonymValue(record))
            if !keys.isEmpty || unit == nil { try add(record, keys, side: side, insert) }
        }
        if !mixed.isEmpty {
            try forEachRecord(sides, of: mixed) { side, record in
                let keys = Keys(record, synonymValue: synonymValue(record))
                if keys.isEmpty { try add(record, keys, side: side, insert) }
            }
        }
        try insert.row.flush()
        return true
    }

    /// Goes through the records of some types that passes 1 and 2 left.
    private func forEachRecord(
        _ sides: [StateComparison.Side], of types: Set<Int64>, _ body: (_ side: Int, RecordRow) throws -> Void
    ) throws {
        var ids: [[Int64]] = [[], []]
        func read(_ side: Int) throws {
            try sides[side].reader.forEach(ids[side]) { try body(side, $0) }
            ids[side].removeAll(keepingCapacity: true)
        }
        try forEach(sides) { side, reference, type in
            guard types.contains(type) else { return }
            ids[side].append(reference)
            if ids[side].count == 1024 { try read(side) }
        }
        for side in 0...1 { try read(side) }
    }

    /// Goes through the rows that passes 1 and 2 left.
    private func forEach(
        _ sides: [StateComparison.Side], _ body: (_ side: Int, _ reference: Int64, _ type: Int64) throws -> Void
    ) throws {
        for (index, side) in sides.enumerated() {
            let rows = try PreparedStatement(db, "SELECT ref, sample_type_id FROM \(side.table) ORDER BY ref")
            while try rows.step() {
                if isFree(index, rows.int(0)) { try body(index, rows.int(0), rows.int(1)) }
            }
        }
    }

    /// What passes 3 and 5 ask for.
    private struct Keys {
        let texts: [(kind: KeyKind, text: String)]

        init(_ record: RecordRow, synonymValue: String?) {
            let stable = record.stableIdentifiers
            texts =
                stable.sync.map { (.sync, $0) } + stable.external.map { (.external, $0) }
                + stable.activity.map { (.activity, $0) } + (synonymValue.map { [(.synonymValue, $0)] } ?? [])
        }

        var isEmpty: Bool { texts.isEmpty }
    }

    private func synonymValue(_ record: RecordRow) -> String? {
        guard record.start != nil, record.end != nil, case .text(let text) = record.value,
            synonymTypes.contains(record.type)
        else {
            return nil
        }
        return CategorySynonyms.shared.canonicalValue(type: record.type, value: text)
    }

    func drop() throws { try db.dropTemporary(TemporaryTable.secondaryKeys) }

    /// The parameters of the insert into `secondary_rows`, in the order of its columns.
    private enum Column {
        static let side: Int32 = 1, ref: Int32 = 2, sampleType: Int32 = 3, start: Int32 = 4, end: Int32 = 5
        static let creation: Int32 = 6, sourceClass: Int32 = 7, dimension: Int32 = 8, unit: Int32 = 9
        static let commonValue: Int32 = 10, tolerance: Int32 = 11, identity: Int32 = 12, version: Int32 = 13
    }

    private struct Inserts {
        let row: RowBatch
        let key: PreparedStatement

        init(_ db: Database) throws {
            row = try RowBatch(
                db, into: "temp.secondary_rows",
                [
                    "side", "ref", "sample_type_id", "start_seconds", "end_seconds", "creation", "source_class",
                    "dimension", "unit_id", "common", "tolerance", "identity", "version",
                ])
            key = try PreparedStatement(
                db, "INSERT INTO temp.secondary_keys (kind, side, ref, text) VALUES (?, ?, ?, ?)")
        }
    }

    private func add(_ record: RecordRow, _ keys: Keys, side: Int, _ insert: Inserts) throws {
        let row = insert.row
        row.bind(Column.side, Int64(side))
        row.bind(Column.ref, record.rowID)
        row.bind(Column.sampleType, record.typeID)
        row.bind(Column.start, optional: record.start)
        row.bind(Column.end, optional: record.end)
        row.bind(Column.creation, record.creationKey)
        let source = record.descriptor.sourceID
        row.bind(Column.sourceClass, side == 0 ? names.classBefore(source) : names.classAfter(source))
        for column in Column.dimension...Column.tolerance { row.bind(column, optional: nil) }
        if let number = record.number, let unit = record.unit,
            let common = converter.converted(number, unit: unit)
        {
            row.bind(Column.dimension, dimension(common.dimension))
            row.bind(Column.unit, record.descriptor.unitID)
            row.bind(Column.commonValue, common.value.value)
            row.bind(Column.tolerance, common.value.tolerance)
        }
        row.bind(Column.identity, record.identity)
        row.bind(Column.version, record.version)
        try row.endRow()
        for (kind, text) in keys.texts {
            present[side].insert(kind)
            insert.key.bind(1, kind.rawValue)
            insert.key.bind(2, Int64(side))
            insert.key.bind(3, record.rowID)
            insert.key.bind(4, text: text)
            try insert.key.run()
        }
    }

    private func dimension(_ dimension: HealthUnit.Dimension) -> Int64 {
        if let known = dimensions[dimension] { return known }
        let number = Int64(dimensions.count + 1)
        dimensions[dimension] = number
        return number
    }
}
