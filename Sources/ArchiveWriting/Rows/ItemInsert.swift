internal import ArchiveComparing
internal import ArchiveFile
internal import GRDB
internal import HealthModel
internal import TextFormats

/// An insert of prepared items, by number, into `TemporaryTable.itemColumns` of a table.
struct ItemInsert {
    /// The parameters, in the order of the columns of the statement.
    private enum Parameter {
        static let number: Int32 = 1, sampleType: Int32 = 2, start: Int32 = 3, duration: Int32 = 4, value: Int32 = 5
        static let lexicalForm: Int32 = 6, descriptor: Int32 = 7, creationDelay: Int32 = 8, metadata: Int32 = 9
        static let identity: Int32 = 10, version: Int32 = 11, extras: Int32 = 12, volatileFields: Int32 = 13
        static let strictKey: Int32 = 14, versionWithoutTrack: Int32 = 15, kind: Int32 = 16, sortKey: Int32 = 17
    }

    private let dictionaries: Dictionaries
    private let statement: UnsafeStatement
    /// Whether the table has the column `key` beside those of an item.
    private let isKeyed: Bool

    /// Fills `record_versions` with the rows of a chain.
    init(_ db: Database, _ dictionaries: Dictionaries, chain: Int64) throws {
        self.dictionaries = dictionaries
        isKeyed = false
        statement = try UnsafeStatement(
            db,
            """
            INSERT INTO record_versions (id, \(TemporaryTable.itemColumns), device_chain_id)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, \(chain))
            """)
    }

    /// Fills `staged_items` or `nested_items`.
    init(_ db: Database, _ dictionaries: Dictionaries, staging table: String) throws {
        self.dictionaries = dictionaries
        isKeyed = true
        statement = try UnsafeStatement(
            db,
            """
            INSERT INTO temp.\(table) (seq, \(TemporaryTable.itemColumns), key)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """)
    }

    /// Inserts an item of a page; what it lacks is NULL.
    @inline(__always)
    func insertRow(_ number: Int64, _ item: PreparedItem, of page: ItemPage) throws {
        let metadataSet = item.metadata.isAbsent ? nil : try dictionaries.metadataSet(page.view(item.metadata))
        let start = item.start == PreparedItem.absentTime ? nil : item.start
        try statement.run { row in
            row.bind(Parameter.number, number)
            row.bind(Parameter.sampleType, dictionaries.type(item.type))
            row.bind(Parameter.descriptor, dictionaries.descriptor(item.descriptor))
            row.bind(Parameter.identity, item.identity)
            row.bind(Parameter.version, item.version)
            row.bind(Parameter.kind, Int64(item.kind.rawValue))
            if isKeyed { row.bind(Parameter.sortKey, item.identity.sortKey) }
            if let start { row.bind(Parameter.start, start) }
            if item.end != PreparedItem.absentTime { row.bind(Parameter.duration, item.end - (start ?? 0)) }
            if item.creation != PreparedItem.absentTime {
                row.bind(Parameter.creationDelay, item.creation - (start ?? 0))
            }
            bindValue(of: item, page, to: row)
            if let metadataSet {
                row.bind(Parameter.metadata, metadataSet)
            } else {
                bind(item.metadata, of: page, Parameter.metadata, to: row)
            }
            bind(item.extras, of: page, Parameter.extras, to: row)
            bind(item.volatileFields, of: page, Parameter.volatileFields, to: row)
            bind(item.strictKey, of: page, Parameter.strictKey, to: row)
            if item.detail >= 0, let version = page.details[Int(item.detail)].versionWithoutTrack {
                row.bind(Parameter.versionWithoutTrack, version)
            }
        }
    }

    @inline(__always)
    private func bindValue(of item: PreparedItem, _ page: ItemPage, to row: UnsafeStatement.Row) {
        switch item.valueKind {
        case 1:
            // A whole number takes fewer bytes as an INTEGER and compares the same.
            if let whole = Int64(exactly: item.number), whole.magnitude < 1 << 53 {
                row.bind(Parameter.value, whole)
            } else {
                row.bind(Parameter.value, item.number)
            }
            bind(item.text, of: page, Parameter.lexicalForm, to: row)
        case 2: row.bind(Parameter.value, unowned: page.view(item.text))
        default: break
        }
    }

    @inline(__always)
    private func bind(_ slice: ByteSlice, of page: ItemPage, _ parameter: Int32, to row: UnsafeStatement.Row) {
        if !slice.isAbsent { row.bind(parameter, unowned: page.view(slice)) }
    }
}
