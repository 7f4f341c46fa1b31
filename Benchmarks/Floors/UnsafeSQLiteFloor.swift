internal import Foundation
internal import GRDBSQLite

/// Bare SQLite: inserts of one wide row of about 100 bytes for each record (one statement, one transaction, WAL), and queries.
enum UnsafeSQLiteFloor {
    /// Runs a query on a file that it does not change, and reads all its rows.
    ///
    /// - Throws: `BenchmarkError` with SQLite's code.
    static func query(_ sql: String, in path: String) throws {
        var handle: OpaquePointer?
        try require(sqlite3_open_v2(path, &handle, SQLITE_OPEN_READONLY, nil))
        defer { sqlite3_close(handle) }
        var statement: OpaquePointer?
        try require(sqlite3_prepare_v2(handle, sql, -1, &statement, nil))
        defer { sqlite3_finalize(statement) }
        var code = SQLITE_ROW
        while code == SQLITE_ROW { code = sqlite3_step(statement) }
        try require(code, SQLITE_DONE)
    }

    /// Inserts the rows into a new file and closes it.
    ///
    /// - Throws: `BenchmarkError` with SQLite's code.
    static func insert(rows: Int, into path: String) throws {
        var handle: OpaquePointer?
        try require(sqlite3_open(path, &handle))
        defer { sqlite3_close(handle) }
        for sql in [
            "PRAGMA journal_mode = WAL", "PRAGMA synchronous = FULL",
            """
            CREATE TABLE wide (
              id INTEGER PRIMARY KEY, type INTEGER NOT NULL, start INTEGER NOT NULL, "end" INTEGER NOT NULL,
              value REAL NOT NULL, source INTEGER NOT NULL, identity BLOB NOT NULL, version BLOB NOT NULL) STRICT
            """,
            "BEGIN",
        ] { try require(sqlite3_exec(handle, sql, nil, nil, nil)) }
        try insertRows(rows, handle)
        try require(sqlite3_exec(handle, "COMMIT", nil, nil, nil))
    }

    private static func insertRows(_ rows: Int, _ handle: OpaquePointer?) throws {
        var statement: OpaquePointer?
        let sql = "INSERT INTO wide VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
        try require(sqlite3_prepare_v2(handle, sql, -1, &statement, nil))
        defer { sqlite3_finalize(statement) }
        // 32 bytes that change from row to row, as hashes do; bound without a copy.
        var hash: [UInt64] = [1, 2, 3, 4]
        try hash.withUnsafeMutableBytes { bytes in
            for row in 0..<rows {
                bytes.storeBytes(of: UInt64(row) &* 0x9E37_79B9_7F4A_7C15, as: UInt64.self)
                sqlite3_bind_int64(statement, 1, Int64(row + 1))
                sqlite3_bind_int64(statement, 2, Int64(row & 63))
                sqlite3_bind_int64(statement, 3, 1_700_000_000 + Int64(row))
                sqlite3_bind_int64(statement, 4, 1_700_000_060 + Int64(row))
                sqlite3_bind_double(statement, 5, Double(row) / 7)
                sqlite3_bind_int64(statement, 6, Int64(row & 7))
                sqlite3_bind_blob(statement, 7, bytes.baseAddress, 32, nil)
                sqlite3_bind_blob(statement, 8, bytes.baseAddress, 32, nil)
                try require(sqlite3_step(statement), SQLITE_DONE)
                sqlite3_reset(statement)
            }
        }
    }

    private static func require(_ code: Int32, _ expected: Int32 = SQLITE_OK) throws {
        guard code == expected else { throw BenchmarkError("SQLite says \(code)") }
    }
}
