internal import Basics
internal import GRDB
internal import HealthModel
internal import Store

/// An insert of prepared items, by number, into `TemporaryTable.itemColumns` of a table.
///
/// Rows wait until one statement can insert many: SQLite opens the table and its indexes once for each run of a statement,
/// which takes two fifths of the time of single rows.
final class ItemInsert {
    /// The parameters of a row, in the order of the columns of the statement.
    private enum Parameter {
        static let number: Int32 = 1, sampleType: Int32 = 2, start: Int32 = 3, duration: Int32 = 4, value: Int32 = 5
        static let lexicalForm: Int32 = 6, descriptor: Int32 = 7, creationDelay: Int32 = 8, metadata: Int32 = 9
        static let identity: Int32 = 10, version: Int32 = 11, extras: Int32 = 12, volatileFields: Int32 = 13
        static let strictKey: Int32 = 14, kind: Int32 = 15, sortKey: Int32 = 16
    }

    private struct Waiting {
        var number: Int64
        var item: PreparedItem
        var type: Int64
        var descriptor: Int64
        var metadataSet: Int64?
    }

    /// Rows that one statement inserts; twice as many save less than a twentieth.
    private static let rowsAtOnce = 32
    private let dictionaries: Dictionaries
    private let insertMany: PreparedStatement
    private let insertOne: PreparedStatement
    /// Parameters of a row; 16 where the table has the column `key` beside those of an item.
    private let parameters: Int32
    private var waiting: [Waiting] = []

    /// Fills `record_versions` with the rows of a chain.
    convenience init(_ db: Database, _ dictionaries: Dictionaries, chain: Int64) throws {
        try self.init(
            db, dictionaries, into: "record_versions (id, \(TemporaryTable.itemColumns), device_chain_id)",
            parameters: Parameter.kind, constant: ", \(chain)")
    }

    /// Fills `staged_items` or `nested_items`.
    convenience init(_ db: Database, _ dictionaries: Dictionaries, staging table: String) throws {
        try self.init(
            db, dictionaries, into: "temp.\(table) (seq, \(TemporaryTable.itemColumns), key)",
            parameters: Parameter.sortKey, constant: "")
    }

    private init(
        _ db: Database, _ dictionaries: Dictionaries, into table: String, parameters: Int32, constant: String
    ) throws {
        self.dictionaries = dictionaries
        self.parameters = parameters
        let places = Array(repeating: "?", count: Int(parameters)).joined(separator: ", ")
        func statement(rows: Int) throws -> PreparedStatement {
            let values = Array(repeating: "(\(places)\(constant))", count: rows).joined(separator: ", ")
            return try PreparedStatement(db, "INSERT INTO \(table) VALUES \(values)")
        }
        insertMany = try statement(rows: Self.rowsAtOnce)
        insertOne = try statement(rows: 1)
        waiting.reserveCapacity(Self.rowsAtOnce)
    }

    /// Inserts an item of a page, now or by the end of the page; what it lacks is NULL.
    @inline(__always)
    func insertRow(_ number: Int64, _ item: PreparedItem, of page: ItemPage) throws {
        let metadataSet = item.metadata.isAbsent ? nil : try dictionaries.metadataSet(page.view(item.metadata))
        try waiting.append(
            Waiting(
                number: number, item: item, type: dictionaries.type(item.type),
                descriptor: dictionaries.descriptor(item.descriptor), metadataSet: metadataSet))
        guard waiting.count == Self.rowsAtOnce else { return }
        try insertMany.run { row in
            for (place, waiting) in waiting.enumerated() {
                bind(waiting, of: page, to: row, behind: Int32(place) * parameters)
            }
        }
        waiting.removeAll(keepingCapacity: true)
    }

    /// Inserts what waits of a page that ends.
    func endPage(_ page: ItemPage) throws {
        for row in waiting { try insertOne.run { bind(row, of: page, to: $0, behind: 0) } }
        waiting.removeAll(keepingCapacity: true)
    }

    /// - Parameter behind: how many parameters are before those of the row.
    @inline(__always)
    private func bind(_ waiting: Waiting, of page: ItemPage, to row: PreparedStatement.Row, behind: Int32) {
        let item = waiting.item
        let start = item.startDate
        row.bind(behind + Parameter.number, waiting.number)
        row.bind(behind + Parameter.sampleType, waiting.type)
        row.bind(behind + Parameter.descriptor, waiting.descriptor)
        row.bind(behind + Parameter.identity, item.identity)
        row.bind(behind + Parameter.version, item.version)
        row.bind(behind + Parameter.kind, Int64(item.kind.rawValue))
        if parameters == Parameter.sortKey { row.bind(behind + Parameter.sortKey, item.identity.sortKey) }
        if let start { row.bind(behind + Parameter.start, start) }
        if let end = item.endDate { row.bind(behind + Parameter.duration, end - (start ?? 0)) }
        if item.creation != PreparedItem.absentTime {
            row.bind(behind + Parameter.creationDelay, item.creation - (start ?? 0))
        }
        bindValue(of: item, page, to: row, behind: behind)
        if let metadataSet = waiting.metadataSet {
            row.bind(behind + Parameter.metadata, metadataSet)
        } else {
            bind(item.metadata, of: page, behind + Parameter.metadata, to: row)
        }
        bind(item.extras, of: page, behind + Parameter.extras, to: row)
        bind(item.volatileFields, of: page, behind + Parameter.volatileFields, to: row)
        bind(item.strictKey, of: page, behind + Parameter.strictKey, to: row)
    }

    @inline(__always)
    private func bindValue(
        of item: PreparedItem, _ page: ItemPage, to row: PreparedStatement.Row, behind: Int32
    ) {
        switch item.valueKind {
        case .number:
            // A whole number takes fewer bytes as an INTEGER and compares the same.
            if let whole = Int64(exactly: item.number), whole.magnitude < 1 << 53 {
                row.bind(behind + Parameter.value, whole)
            } else {
                row.bind(behind + Parameter.value, item.number)
            }
            bind(item.text, of: page, behind + Parameter.lexicalForm, to: row)
        case .text: row.bind(behind + Parameter.value, unowned: page.view(item.text))
        case .absent: break
        }
    }

    @inline(__always)
    private func bind(_ slice: ByteSlice, of page: ItemPage, _ parameter: Int32, to row: PreparedStatement.Row) {
        if !slice.isAbsent { row.bind(parameter, unowned: page.view(slice)) }
    }
}
