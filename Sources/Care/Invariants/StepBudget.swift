internal import GRDB
internal import Store

/// Ends statements of a connection that are no longer wanted, or take far more steps than any file of its size can need.
final class StepBudget {
    private var left: Int64
    private var handler: ProgressHandler?
    private static let stepsACall: Int32 = 100_000

    /// Whether a statement was ended.
    var isSpent: Bool { left < 0 }

    /// - Parameters:
    ///   - isLimited: whether the steps are counted at all.
    ///   - stop: ends the statements whatever is left.
    init(_ db: Database, isLimited: Bool, _ stop: ArchiveCheck.Stop?) {
        let pages = (try? Int64.fetchOne(db, sql: "PRAGMA page_count")) ?? 0
        left = isLimited ? 10_000 + min(max(pages, 0), 1 << 32) : .max
        handler = ProgressHandler(db, every: Self.stepsACall) { [weak self] in
            stop?.isSet == true || self?.spend() ?? false
        }
    }

    private func spend() -> Bool {
        left -= 1
        return isSpent
    }

    /// Lets statements run without a limit again.
    func remove() { handler = nil }
}
