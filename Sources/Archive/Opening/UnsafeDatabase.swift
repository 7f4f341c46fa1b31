internal import Cshims
package import GRDB
internal import GRDBSQLite
package import HealthModel
package import TextFormats

/// The few things for which the archive speaks to SQLite's C functions directly.
enum UnsafeDatabase {
    private static let configuration = sqlite_set_memory_statistics(0)

    /// Sets what must be set before SQLite's first use: no memory statistics, whose global lock every allocation takes.
    static func configure() { _ = configuration }

    /// Lets SQLite read a file that is shorter than its header says, as far as it goes, or refuses that again.
    ///
    /// Only `writable_schema` does that, which the defensive mode forbids.
    static func allowShortFiles(_ db: Database, _ isAllowed: Bool) throws {
        if isAllowed { setDefensive(db, false) }
        try db.execute(sql: "PRAGMA writable_schema = \(isAllowed ? "ON" : "OFF")")
        if !isAllowed { setDefensive(db, true) }
    }

    private static func setDefensive(_ db: Database, _ isOn: Bool) {
        if let connection = db.sqliteConnection {
            _ = sqlite_set_flag(UnsafeMutableRawPointer(connection), SQLITE_DBCONFIG_DEFENSIVE, isOn ? 1 : 0)
        }
    }

    /// Forbids statements that could damage the file on purpose (`SQLITE_DBCONFIG_DEFENSIVE`).
    static func makeDefensive(_ db: Database) {
        setDefensive(db, true)
        sqlite3_limit(db.sqliteConnection, SQLITE_LIMIT_ATTACHED, 1)
        sqlite3_enable_load_extension(db.sqliteConnection, 0)
    }
}

/// A prepared statement bound and stepped through SQLite's C functions: the bulk path, measured to pay per record.
///
/// Bound bytes must live until the next `reset`; nothing is copied.
package final class UnsafeStatement {
    private let statement: Statement
    private let handle: OpaquePointer
    private let db: Database

    package init(_ db: Database, _ sql: String) throws {
        statement = try db.makeStatement(sql: sql)
        handle = statement.sqliteStatement
        self.db = db
    }

    @inline(__always)
    package func bind(_ index: Int32, _ value: Int64) { sqlite3_bind_int64(handle, index, value) }

    @inline(__always)
    package func bind(_ index: Int32, _ value: Double) { sqlite3_bind_double(handle, index, value) }

    @inline(__always)
    package func bindNull(_ index: Int32) { sqlite3_bind_null(handle, index) }

    @inline(__always)
    package func bind(_ index: Int32, optional value: Int64?) {
        if let value { bind(index, value) } else { bindNull(index) }
    }

    @inline(__always)
    package func bind(_ index: Int32, text view: ByteView) {
        view.start.withMemoryRebound(to: CChar.self, capacity: view.count) {
            _ = sqlite3_bind_text(handle, index, $0, Int32(truncatingIfNeeded: view.count), nil)
        }
    }

    @inline(__always)
    package func bind(_ index: Int32, blob pointer: UnsafeRawPointer, _ count: Int) {
        sqlite3_bind_blob(handle, index, pointer, Int32(truncatingIfNeeded: count), nil)
    }

    /// Binds a copy of a digest's bytes.
    func bind(_ index: Int32, _ digest: Digest256) {
        withUnsafeBytes(of: digest) {
            _ = sqlite3_bind_blob(
                handle, index, $0.baseAddress, 32, unsafeBitCast(-1, to: sqlite3_destructor_type.self))
        }
    }

    /// Runs a statement that returns no row and makes it ready for the next.
    @inline(__always)
    package func run() throws {
        let code = sqlite3_step(handle)
        let reset = sqlite3_reset(handle)
        guard code == SQLITE_DONE, reset == SQLITE_OK else { throw failure }
    }

    /// Steps to the next row; false behind the last.
    @inline(__always)
    package func step() throws -> Bool {
        let code = sqlite3_step(handle)
        if code == SQLITE_ROW { return true }
        if code == SQLITE_DONE { return false }
        throw failure
    }

    @inline(__always)
    package func reset() {
        sqlite3_reset(handle)
    }

    @inline(__always)
    package func int(_ column: Int32) -> Int64 { sqlite3_column_int64(handle, column) }

    package func double(_ column: Int32) -> Double { sqlite3_column_double(handle, column) }

    package func isNull(_ column: Int32) -> Bool { sqlite3_column_type(handle, column) == SQLITE_NULL }

    package func optionalInt(_ column: Int32) -> Int64? { isNull(column) ? nil : int(column) }

    /// Seconds since 1970, or between two instants; nil for NULL.
    ///
    /// - Throws: `archiveDamaged` beyond `ArchiveFormat.highestInstant`: sums of such numbers would overflow.
    @inline(__always)
    package func instant(_ column: Int32) throws -> Int64? {
        guard let seconds = optionalInt(column) else { return nil }
        guard seconds.magnitude < ArchiveFormat.highestInstant else { throw ArchiveError.unreadableValue }
        return seconds
    }

    /// A 32-byte BLOB; nil for anything else.
    @inline(__always)
    package func digest(_ column: Int32) -> Digest256? {
        guard let pointer = sqlite3_column_blob(handle, column) else { return nil }
        return Digest256(
            bytes: UnsafeRawBufferPointer(start: pointer, count: Int(sqlite3_column_bytes(handle, column))))
    }

    /// A text or BLOB as it is stored; nil for NULL. Valid until the next step.
    package func bytes(_ column: Int32) -> ByteView? {
        guard let pointer = sqlite3_column_blob(handle, column) else { return nil }
        return ByteView(
            pointer.assumingMemoryBound(to: UInt8.self), Int(sqlite3_column_bytes(handle, column)))
    }

    package func text(_ column: Int32) -> String? {
        switch sqlite3_column_type(handle, column) {
        case SQLITE_NULL: nil
        default: bytes(column)?.string ?? ""
        }
    }

    package var isInteger: (Int32) -> Bool { { sqlite3_column_type(self.handle, $0) == SQLITE_INTEGER } }

    package var isText: (Int32) -> Bool { { sqlite3_column_type(self.handle, $0) == SQLITE_TEXT } }

    private var failure: DatabaseError {
        DatabaseError(
            resultCode: ResultCode(rawValue: sqlite3_extended_errcode(db.sqliteConnection)),
            message: String(cString: sqlite3_errmsg(db.sqliteConnection)), sql: statement.sql)
    }
}
