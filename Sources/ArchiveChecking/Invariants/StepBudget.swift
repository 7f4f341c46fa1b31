internal import ArchiveFile
internal import GRDB

/// Ends statements of a connection that take far more steps than any file of its size can need.
final class StepBudget {
    private var left: Int64
    private var handler: ProgressHandler?
    private static let stepsACall: Int32 = 100_000

    /// Whether a statement was ended.
    var isSpent: Bool { left < 0 }

    init(_ db: Database) {
        let pages = (try? Int64.fetchOne(db, sql: "PRAGMA page_count")) ?? 0
        left = 10_000 + min(max(pages, 0), 1 << 32)
        handler = ProgressHandler(db, every: Self.stepsACall) { [weak self] in self?.spend() ?? false }
    }

    private func spend() -> Bool {
        left -= 1
        return isSpent
    }

    /// Lets statements run without a limit again.
    func remove() { handler = nil }
}
