internal import Cshims
package import GRDB
internal import GRDBSQLite

/// The few things for which the archive speaks to SQLite's C functions directly.
package enum UnsafeDatabase {
    private static let configuration = sqlite_set_memory_statistics(0)

    /// Sets what must be set before SQLite's first use: no memory statistics, whose global lock every allocation takes.
    static func configure() { _ = configuration }

    /// Lets SQLite read a file that is shorter than its header says, as far as it goes, or refuses that again.
    ///
    /// Only `writable_schema` does that, which the defensive mode forbids.
    package static func allowShortFiles(_ db: Database, _ isAllowed: Bool) throws {
        if isAllowed { set(SQLITE_DBCONFIG_DEFENSIVE, false, db) }
        try db.execute(sql: "PRAGMA writable_schema = \(isAllowed ? "ON" : "OFF")")
        if !isAllowed { set(SQLITE_DBCONFIG_DEFENSIVE, true, db) }
    }

    private static func set(_ flag: Int32, _ isOn: Bool, _ db: Database) {
        if let connection = unsafe db.sqliteConnection {
            _ = unsafe sqlite_set_flag(UnsafeMutableRawPointer(connection), flag, isOn ? 1 : 0)
        }
    }

    /// Lets triggers run, or keeps them from it (`SQLITE_DBCONFIG_ENABLE_TRIGGER`).
    package static func allowTriggers(_ db: Database, _ isAllowed: Bool) {
        set(SQLITE_DBCONFIG_ENABLE_TRIGGER, isAllowed, db)
    }

    /// Forbids statements that could damage the file on purpose (`SQLITE_DBCONFIG_DEFENSIVE`).
    static func makeDefensive(_ db: Database) {
        set(SQLITE_DBCONFIG_DEFENSIVE, true, db)
        unsafe sqlite3_limit(db.sqliteConnection, SQLITE_LIMIT_ATTACHED, 1)
        unsafe sqlite3_enable_load_extension(db.sqliteConnection, 0)
    }
}
