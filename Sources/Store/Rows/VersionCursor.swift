package import Basics
package import GRDB
package import HealthModel

/// A cursor over rows of `record_versions`, with the columns that they share with other rows.
///
/// A column is decoded when it is asked for. Bytes are valid until the next step; `held` copies a row that has to outlive
/// it. Not for use beyond the database access that made it.
///
/// Every column throws `archiveDamaged` for a value of the wrong type, out of range or unknown, and names the row.
package final class VersionCursor {
    /// A record's value as it is stored.
    package enum Value {
        case absent
        case number(Double)
        case text(ByteView)
    }

    /// The metadata of a row: its own, or the id of a set that many rows share.
    package enum Metadata {
        case absent
        case shared(Int64)
        case own(ByteView)
    }

    private let row: StoredRow

    /// Prepares a query for the columns of `VersionColumns`, with others behind them.
    package init(_ db: Database, _ sql: String) throws { row = StoredRow(statement: try PreparedStatement(db, sql)) }

    /// Prepares the rows of a set in the order of their ids, which is nearly the order in which exports listed them.
    package convenience init(_ db: Database, _ set: RecordSet) throws {
        try self.init(db, "SELECT \(VersionColumns.ofView("c"))\n\(set.sql)\n\(set.order)")
    }

    /// Prepares looking up single rows with `find`.
    package convenience init(_ db: Database) throws {
        try self.init(
            db, "SELECT \(VersionColumns.ofView("c")) FROM full_record_versions c WHERE c.id = ?1")
    }

    /// Prepares looking up `RowBatch.rowsAtOnce` rows at once with `find`: of the archive, or of the running import.
    static func many(_ db: Database, isStaged: Bool) throws -> VersionCursor {
        let ids = Array(repeating: "(?)", count: Int(RowBatch.rowsAtOnce)).joined(separator: ", ")
        let (columns, row) =
            isStaged
            ? (VersionColumns.ofStaged("f"), "temp.staged_items f ON f.seq")
            : (VersionColumns.ofView("c"), "full_record_versions c ON c.id")
        return try .init(db, "SELECT \(columns) FROM (VALUES \(ids)) i CROSS JOIN \(row) = i.column1")
    }

    /// Prepares the rows `f` of the running import in their order, or those of a condition.
    package static func staged(_ db: Database, where condition: String = "1") throws -> VersionCursor {
        try .init(
            db,
            """
            SELECT \(VersionColumns.ofStaged("f")) FROM temp.staged_items f WHERE \(condition) ORDER BY f.seq
            """)
    }

    // MARK: - Position

    /// Binds a parameter of the query; nil for NULL.
    package func bind(_ index: Int32, _ value: Int64?) { row.statement.bind(index, optional: value) }

    package func bind(_ index: Int32, _ digest: Digest256) { row.statement.bind(index, digest) }

    /// Goes to one row; false where there is none of that id. Only for a cursor made for looking up, or for the versions of
    /// one sample in a set.
    package func find(_ id: Int64) throws -> Bool {
        reset()
        bind(1, id)
        return try next()
    }

    /// Goes before the rows of some ids, in the order of these.
    func find(_ ids: ArraySlice<Int64>) {
        reset()
        for place in 0..<Int(RowBatch.rowsAtOnce) {
            bind(Int32(place + 1), place < ids.count ? ids[ids.startIndex + place] : nil)
        }
    }

    /// Goes to the row that something else refers to.
    ///
    /// - Throws: `archiveDamaged` where there is none of that id.
    package func seek(_ id: Int64) throws {
        guard try find(id) else { throw HealthProbeError.damagedRow("record_versions", id) }
    }

    /// Goes to the next row; false behind the last.
    @inline(__always)
    package func next() throws -> Bool { try row.statement.step() }

    /// Makes the query ready to run again.
    package func reset() { row.statement.reset() }

    // MARK: - Columns

    package var rowID: Int64 { row.statement.int(VersionColumns.rowID.rawValue) }
    /// The row that has the strict key.
    package var sampleID: Int64 { get throws { try row.integer(VersionColumns.sampleID.rawValue) } }
    package var typeID: Int64 { get throws { try row.integer(VersionColumns.typeID.rawValue) } }
    package var kind: ItemKind {
        get throws {
            let stored = try row.integer(VersionColumns.kind.rawValue)
            guard let kind = UInt8(exactly: stored).flatMap(ItemKind.init) else { throw row.damage }
            return kind
        }
    }
    package var descriptorID: Int64 { get throws { try row.integer(VersionColumns.descriptorID.rawValue) } }
    /// Unix seconds; nil where the kind has no such date.
    package var start: Int64? { get throws { try row.instant(VersionColumns.start.rawValue) } }
    /// The end is stored as the seconds behind the start, or as it is where there is no start; so is the creation date.
    package var end: Int64? { get throws { try instant(behindStart: .duration) } }
    package var creation: Int64? { get throws { try instant(behindStart: .creationDelay) } }
    package var identity: Digest256 { get throws { try row.digest(VersionColumns.identity.rawValue) } }
    package var version: Digest256 { get throws { try row.digest(VersionColumns.version.rawValue) } }
    var ordinal: Int64 { get throws { try row.integer(VersionColumns.ordinal.rawValue) } }

    @inline(__always)
    private func instant(behindStart column: VersionColumns) throws -> Int64? {
        guard let seconds = try row.instant(column.rawValue) else { return nil }
        return try (start ?? 0) + seconds
    }

    /// The value where it is a number.
    package var number: Double? { get throws { try row.number(VersionColumns.value.rawValue) } }

    package var value: Value {
        get throws {
            let column = VersionColumns.value.rawValue
            if let number = try number { return .number(number) }
            return try row.text(column).map { .text($0) } ?? .absent
        }
    }

    /// The number as the export prints it, where that is not the shortest decimal.
    package var lexicalForm: ByteView? { get throws { try row.text(VersionColumns.lexicalForm.rawValue) } }

    package var metadata: Metadata {
        get throws {
            let column = VersionColumns.metadata.rawValue
            if row.statement.isInteger(column) { return .shared(row.statement.int(column)) }
            return try row.text(column).map { .own($0) } ?? .absent
        }
    }

    /// Canonical JSON array of the strict key; nil for plain records.
    var strictKey: ByteView? { get throws { try row.text(VersionColumns.strictKey.rawValue) } }
    /// Canonical JSON object of the payload's further members.
    package var extras: ByteView? { get throws { try row.text(VersionColumns.extras.rawValue) } }
    /// Canonical JSON object of what is printed but no part of the payload.
    package var volatileFields: ByteView? { get throws { try row.text(VersionColumns.volatileFields.rawValue) } }
    /// The observation that opened the last range; nil for the chain's first.
    var opened: Int64? { get throws { try row.optionalInteger(VersionColumns.opened.rawValue) } }
    /// The observation that closed it; `ArchiveFormat.open` while it is open.
    var closed: Int64 { get throws { try row.integer(VersionColumns.closed.rawValue) } }

    /// An integer that the query returns behind the columns, counted from 0; nil for NULL.
    package func further(_ place: Int32) throws -> Int64? { try row.optionalInteger(VersionColumns.count + place) }

    /// What the item has beside the columns; nil for a plain record.
    package var item: StoredItem? {
        get throws {
            let (strictKey, extras) = try (strictKey, extras)
            let kind = try kind
            if strictKey == nil, extras == nil, kind == .record { return nil }
            guard let item = StoredItem(kind: kind, strictKey: strictKey, extras: extras) else { throw row.damage }
            return item
        }
    }

    // MARK: - Rows that outlive the step

    /// The row as a value; its texts are copied to `arena`.
    package func held(in arena: ByteBuffer) throws -> HeldVersion {
        func slice(_ view: ByteView?) -> ByteSlice {
            guard let view else { return .absent }
            arena.append(view)
            return ByteSlice(offset: arena.count - view.count, count: view.count)
        }
        let start = try start
        func instant(_ column: VersionColumns) throws -> Int64? {
            try row.instant(column.rawValue).map { (start ?? 0) + $0 }
        }
        var held = try HeldVersion(
            rowID: rowID, sampleID: sampleID, typeID: typeID, kind: kind, start: start, end: instant(.duration),
            creation: instant(.creationDelay), descriptorID: descriptorID, extras: slice(extras),
            volatileFields: slice(volatileFields), strictKey: slice(strictKey), identity: identity, version: version,
            ordinal: ordinal, opened: opened, closed: closed)
        switch try value {
        case .absent: break
        case .text(let text):
            held.value = .text
            held.valueText = slice(text)
        case .number(let number):
            held.value = .number(number)
            held.lexicalForm = try slice(lexicalForm)
        }
        switch try metadata {
        case .absent: break
        case .shared(let id): held.metadataID = id
        case .own(let json): held.metadata = slice(json)
        }
        return held
    }
}
