internal import Foundation
internal import GRDB
internal import GRDBSQLite

/// Hears which statements a connection begins whose text starts with given characters.
///
/// The others, single look-ups by the hundred thousand, cost a look at their first characters and make no string.
/// `@safe`: SQLite forgets this object before it goes.
@safe
final class StatementTrace {
    private let db: Database
    private let start: StaticString
    private let began: (String) -> Void

    /// - Parameter began: called with a statement's text, its arguments as literals, without spaces and semicolons around it.
    init(_ db: Database, startingWith start: StaticString, _ began: @escaping (String) -> Void) {
        self.db = db
        self.start = start
        self.began = began
        unsafe _ = sqlite3_trace_v2(
            db.sqliteConnection, UInt32(SQLITE_TRACE_STMT),
            { _, context, statement, text in
                guard let context = unsafe context, let statement = unsafe statement, let text = unsafe text else {
                    return 0
                }
                let trace = unsafe Unmanaged<StatementTrace>.fromOpaque(context).takeUnretainedValue()
                unsafe trace.hear(OpaquePointer(statement), text.assumingMemoryBound(to: CChar.self))
                return 0
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    private func hear(_ statement: OpaquePointer, _ text: UnsafePointer<CChar>) {
        // Of several statements in one text, the later ones begin with a line break.
        var text = unsafe text
        while unsafe isspace(Int32(text.pointee)) != 0 { unsafe text += 1 }
        guard unsafe strncmp(text, start.utf8Start, start.utf8CodeUnitCount) == 0,
            let expanded = unsafe sqlite3_expanded_sql(statement)
        else { return }
        defer { unsafe sqlite3_free(expanded) }
        // By bytes: an analysis begins long statements by the hundred thousand.
        func isAround(_ byte: UInt8) -> Bool { byte == 0x3B || isspace(Int32(byte)) != 0 }
        var bytes = unsafe UnsafeRawBufferPointer(start: expanded, count: strlen(expanded))[...]
        while let first = unsafe bytes.first, isAround(first) { unsafe bytes.removeFirst() }
        while let last = unsafe bytes.last, isAround(last) { unsafe bytes.removeLast() }
        began(unsafe String(decoding: bytes, as: UTF8.self))
    }

    deinit {
        guard let connection = unsafe db.sqliteConnection else { return }
        unsafe _ = sqlite3_trace_v2(connection, 0, nil, nil)
    }
}
