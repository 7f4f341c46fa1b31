package import GRDB
internal import GRDBSQLite

/// Ends statements of a connection that take far more steps than any file of its size can need.
package final class UnsafeStepBudget {
    private let db: Database
    private var left: Int64
    package private(set) var isSpent = false
    private static let stepsACall: Int32 = 100_000

    package init(_ db: Database) {
        self.db = db
        let pages = (try? Int64.fetchOne(db, sql: "PRAGMA page_count")) ?? 0
        left = 10_000 + min(max(pages, 0), 1 << 32)
        sqlite3_progress_handler(
            db.sqliteConnection, Self.stepsACall,
            { context in
                guard let context else { return 0 }
                return Unmanaged<UnsafeStepBudget>.fromOpaque(context).takeUnretainedValue().spend() ? 0 : 1
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    private func spend() -> Bool {
        left -= 1
        if left < 0 { isSpent = true }
        return !isSpent
    }

    /// Lets statements run without a limit again.
    package func remove() { sqlite3_progress_handler(db.sqliteConnection, 0, nil, nil) }
}
