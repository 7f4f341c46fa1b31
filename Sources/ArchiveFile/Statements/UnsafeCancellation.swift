package import GRDB
internal import GRDBSQLite

/// Ends the statements of a connection once somebody wants an import to end.
package final class UnsafeCancellation {
    private let db: Database
    private let isCancelled: @Sendable () -> Bool
    private static let stepsACall: Int32 = 10_000

    package init(_ db: Database, _ isCancelled: @escaping @Sendable () -> Bool) {
        self.db = db
        self.isCancelled = isCancelled
        sqlite3_progress_handler(
            db.sqliteConnection, Self.stepsACall,
            { context in
                guard let context else { return 0 }
                return Unmanaged<UnsafeCancellation>.fromOpaque(context).takeUnretainedValue().isCancelled() ? 1 : 0
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    /// Lets statements run to their end again.
    package func remove() { sqlite3_progress_handler(db.sqliteConnection, 0, nil, nil) }
}
