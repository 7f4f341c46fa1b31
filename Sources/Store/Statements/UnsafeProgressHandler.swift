package import GRDB
internal import GRDBSQLite

/// Asks, every so many steps of a connection's statements, whether they go on.
///
/// `@safe`: SQLite forgets this object before it goes. `@unchecked Sendable`: only the statements of its connection call it,
/// and these run one after the other.
@safe
package final class ProgressHandler: @unchecked Sendable {
    private let db: Database
    private let endsStatements: () -> Bool

    /// - Parameters:
    ///   - steps: how many steps there are between two questions.
    ///   - endsStatements: true ends the running statement with `SQLITE_INTERRUPT`.
    package init(_ db: Database, every steps: Int32 = 10_000, endsStatements: @escaping () -> Bool) {
        self.db = db
        self.endsStatements = endsStatements
        unsafe sqlite3_progress_handler(
            db.sqliteConnection, steps,
            { context in
                guard let context = unsafe context else { return 0 }
                return unsafe Unmanaged<ProgressHandler>.fromOpaque(context).takeUnretainedValue().endsStatements()
                    ? 1 : 0
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    deinit { remove() }

    /// Lets statements run to their end again.
    package func remove() {
        // A connection that was closed has no handler.
        guard let connection = unsafe db.sqliteConnection else { return }
        unsafe sqlite3_progress_handler(connection, 0, nil, nil)
    }
}
