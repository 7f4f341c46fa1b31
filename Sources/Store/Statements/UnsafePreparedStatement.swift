package import Basics
package import GRDB
internal import GRDBSQLite
package import HealthModel

/// A value of the row that a statement is on, valid until the next step. Asking for its storage and then for itself looks
/// its column up once.
///
/// `@safe`: one thread uses the connection, and SQLite never returns no value.
@safe
struct UnsafeValue {
    fileprivate let handle: OpaquePointer?

    @inline(__always)
    var storage: PreparedStatement.Storage {
        unsafe PreparedStatement.Storage(rawValue: sqlite3_value_type(handle)) ?? .null
    }

    @inline(__always)
    var int: Int64 { unsafe sqlite3_value_int64(handle) }

    @inline(__always)
    var double: Double { unsafe sqlite3_value_double(handle) }

    /// A text or BLOB as it is stored; nil for NULL and where it is empty.
    @inline(__always)
    var bytes: ByteView? {
        guard let pointer = unsafe sqlite3_value_blob(handle) else { return nil }
        return unsafe ByteView(pointer.assumingMemoryBound(to: UInt8.self), Int(sqlite3_value_bytes(handle)))
    }
}

/// A prepared statement bound and stepped through SQLite's C functions: the bulk path, measured to pay per record.
///
/// Parameters are counted from 1, columns from 0. What is bound is copied. The code of every bind is checked: the next step
/// throws the first that failed.
///
/// `@safe`: the handle lives as long as the statement, and what SQLite hands out is a view with bounds.
@safe
package final class PreparedStatement {
    private let statement: Statement
    private let handle: OpaquePointer
    private let db: Database
    /// The bound digests, one place a parameter; made with the first.
    private var digests: UnsafeMutablePointer<Digest256>?
    /// The code of the first bind that failed since the last step.
    private var bindCode = SQLITE_OK

    package init(_ db: Database, _ sql: String) throws {
        statement = try db.makeStatement(sql: sql)
        unsafe handle = unsafe statement.sqliteStatement
        self.db = db
    }

    deinit {
        guard let digests = unsafe digests else { return }
        unsafe sqlite3_reset(handle)
        unsafe sqlite3_clear_bindings(handle)
        unsafe digests.deallocate()
    }

    // MARK: - Binding

    @inline(__always)
    package func bind(_ index: Int32, _ value: Int64) { unsafe check(sqlite3_bind_int64(handle, index, value)) }

    @inline(__always)
    package func bind(_ index: Int32, _ value: Double) { unsafe check(sqlite3_bind_double(handle, index, value)) }

    @inline(__always)
    package func bindNull(_ index: Int32) { unsafe check(sqlite3_bind_null(handle, index)) }

    @inline(__always)
    package func bind(_ index: Int32, optional value: Int64?) {
        if let value { bind(index, value) } else { bindNull(index) }
    }

    package func bind(_ index: Int32, text: String) {
        text.withByteView { bind(index, text: $0) }
    }

    /// Binds a copy of a text's UTF-8 bytes.
    package func bind(_ index: Int32, text: ByteView) { unsafe bind(index, text: text, Self.transient) }

    @inline(__always)
    private func bind(_ index: Int32, text: ByteView, _ owner: sqlite3_destructor_type?) {
        unsafe text.start.withMemoryRebound(to: CChar.self, capacity: text.count) {
            check(unsafe sqlite3_bind_text64(handle, index, $0, UInt64(text.count), owner, UInt8(SQLITE_UTF8)))
        }
    }

    /// Binds a copy of bytes as a BLOB.
    package func bind(_ index: Int32, blob: ByteView) {
        check(unsafe sqlite3_bind_blob64(handle, index, blob.start, UInt64(blob.count), Self.transient))
    }

    /// Binds a copy of a digest's bytes, kept by the statement itself: no memory is taken per bind.
    @inline(__always)
    package func bind(_ index: Int32, _ digest: Digest256) {
        let places = unsafe digests ?? makeDigests()
        guard index >= 1, unsafe index <= sqlite3_bind_parameter_count(handle) else { return check(SQLITE_RANGE) }
        unsafe places[Int(index)] = digest
        unsafe check(sqlite3_bind_blob(handle, index, places + Int(index), 32, nil))
    }

    private func makeDigests() -> UnsafeMutablePointer<Digest256> {
        let count = unsafe Int(sqlite3_bind_parameter_count(handle)) + 1
        let places = UnsafeMutablePointer<Digest256>.allocate(capacity: count)
        unsafe places.initialize(repeating: Digest256(), count: count)
        unsafe digests = unsafe places
        return unsafe places
    }

    @inline(__always)
    private func check(_ code: Int32) {
        if code != SQLITE_OK, bindCode == SQLITE_OK { bindCode = code }
    }

    private static var transient: sqlite3_destructor_type { unsafe unsafeBitCast(-1, to: sqlite3_destructor_type.self) }

    /// The parameters of one run, all NULL at first, among them bytes that are bound without a copy.
    package struct Row {
        fileprivate let statement: PreparedStatement

        @inline(__always)
        package func bind(_ index: Int32, _ value: Int64) { statement.bind(index, value) }

        @inline(__always)
        package func bind(_ index: Int32, _ value: Double) { statement.bind(index, value) }

        @inline(__always)
        package func bind(_ index: Int32, _ digest: Digest256) { statement.bind(index, digest) }

        /// Binds a text that must live until the run has ended.
        @inline(__always)
        package func bind(_ index: Int32, unowned text: ByteView) {
            unsafe statement.bind(index, text: text, nil)
        }
    }

    /// Runs a statement that returns no row with what `bind` binds, and unbinds that.
    @inline(__always)
    package func run(_ bind: (Row) throws -> Void) throws {
        defer { unsafe sqlite3_clear_bindings(handle) }
        try bind(Row(statement: self))
        try run()
    }

    // MARK: - Stepping

    /// Runs a statement that returns no row and makes it ready for the next.
    @inline(__always)
    package func run() throws {
        if bindCode != SQLITE_OK { throw bindFailure() }
        let code = unsafe sqlite3_step(handle)
        let reset = unsafe sqlite3_reset(handle)
        guard code == SQLITE_DONE, reset == SQLITE_OK else { throw failure }
    }

    /// Runs a statement that returns no row with values for its parameters in their order, nil for NULL.
    package func run(binding values: [Int64?]) throws {
        for (index, value) in values.enumerated() { bind(Int32(index + 1), optional: value) }
        try run()
    }

    /// Steps to the next row; false behind the last.
    @inline(__always)
    package func step() throws -> Bool {
        if bindCode != SQLITE_OK { throw bindFailure() }
        let code = unsafe sqlite3_step(handle)
        if code == SQLITE_ROW { return true }
        if code == SQLITE_DONE { return false }
        throw failure
    }

    @inline(__always)
    package func reset() {
        unsafe sqlite3_reset(handle)
    }

    @inline(__always)
    package func int(_ column: Int32) -> Int64 { unsafe sqlite3_column_int64(handle, column) }

    package func double(_ column: Int32) -> Double { unsafe sqlite3_column_double(handle, column) }

    package func isNull(_ column: Int32) -> Bool { unsafe sqlite3_column_type(handle, column) == SQLITE_NULL }

    package func optionalInt(_ column: Int32) -> Int64? { isNull(column) ? nil : int(column) }

    /// Seconds since 1970, or between two instants; nil for NULL.
    ///
    /// - Throws: `archiveDamaged` beyond `ArchiveFormat.highestInstant`: sums of such numbers would overflow.
    @inline(__always)
    package func instant(_ column: Int32) throws -> Int64? {
        guard let seconds = optionalInt(column) else { return nil }
        guard seconds.magnitude < ArchiveFormat.highestInstant else { throw HealthProbeError.unreadableValue }
        return seconds
    }

    /// A 32-byte BLOB; nil for anything else.
    @inline(__always)
    package func digest(_ column: Int32) -> Digest256? { bytes(column).flatMap { Digest256(bytes: $0) } }

    /// A text or BLOB as it is stored; nil for NULL. Valid until the next step.
    package func bytes(_ column: Int32) -> ByteView? { value(column).bytes }

    package func text(_ column: Int32) -> String? {
        switch unsafe sqlite3_column_type(handle, column) {
        case SQLITE_NULL: nil
        default: bytes(column)?.string ?? ""
        }
    }

    package func isInteger(_ column: Int32) -> Bool { unsafe sqlite3_column_type(handle, column) == SQLITE_INTEGER }

    /// The storage class of a value, with SQLite's numbers.
    enum Storage: Int32 {
        case integer = 1
        case real, text, blob, null
    }

    /// A value of the present row.
    @inline(__always)
    func value(_ column: Int32) -> UnsafeValue { unsafe UnsafeValue(handle: sqlite3_column_value(handle, column)) }

    package func isText(_ column: Int32) -> Bool { unsafe sqlite3_column_type(handle, column) == SQLITE_TEXT }

    /// Appends the value of a column with its storage class, so that no two rows of values have the same bytes.
    package func appendBytes(_ column: Int32, to out: ByteBuffer) {
        let value = value(column)
        out.append(UInt8(truncatingIfNeeded: value.storage.rawValue))
        switch value.storage {
        case .null: break
        case .integer: out.append(long: value.int)
        case .real: out.append(long: Int64(bitPattern: value.double.bitPattern))
        case .text, .blob:
            guard let bytes = value.bytes else { return }
            out.append(long: Int64(bytes.count))
            out.append(bytes)
        }
    }

    private func bindFailure() -> DatabaseError {
        defer { bindCode = SQLITE_OK }
        return DatabaseError(
            resultCode: ResultCode(rawValue: bindCode), message: "A value cannot be bound.", sql: statement.sql)
    }

    private var failure: DatabaseError {
        unsafe DatabaseError(
            resultCode: ResultCode(rawValue: sqlite3_extended_errcode(db.sqliteConnection)),
            message: String(cString: sqlite3_errmsg(db.sqliteConnection)), sql: statement.sql)
    }
}
