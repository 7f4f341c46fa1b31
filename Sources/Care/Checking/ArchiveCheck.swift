package import GRDB
internal import HealthModel
package import Store
internal import Synchronization

/// Tests the numbered invariants of an archive; changes nothing.
///
/// Works on a read-only connection too: what it has to sort goes to SQLite's temporary files, which are in the private
/// folder that `ArchiveConnection` chose. Whatever SQLite says of a damaged file makes one invariant fail; the others
/// are still tested.
package enum ArchiveCheck {
    /// The invariants of record versions and their ranges, by number; they come behind those of the file.
    private static let rows =
        RowInvariants.all + UniquenessInvariants.all + IdentityIndexInvariants.all + RangeInvariants.all
        + EventInvariants.all + PairingInvariants.all

    /// The invariants of what follows from the rows, by number; half of the time of a check.
    private static let derived =
        SummaryInvariants.all + DigestInvariants.all + AggregateInvariants.all + SideFileInvariants.all
        + SourceInvariants.all + UnfinishedInvariants.all + SealInvariants.all + AnalysisInvariants.all

    /// The invariant about the remembered head, not about the archive itself.
    package static let rememberedHead = "S05-rememberedHead"

    /// The invariants of `check --sources`, about the kept sources beside the archive.
    package static let sources = ["E03-keptSources", "E04-sourceContent"]

    /// Runs the check on a connection; `ArchiveReader.check` is the usual way.
    ///
    /// - Parameters:
    ///   - place: the archive's path and the environment, to compare it with its remembered head.
    ///   - deep: recompute identity and version of every row as well.
    ///   - versions: the schema's; the archive should have the newest.
    ///   - other: another connection to the archive, for a check on two threads; nil for one.
    ///   - isCancelled: ends the check where it returns true.
    ///   - progress: called with the name of each invariant before it is tested.
    /// - Throws: only what makes the check itself impossible: an interruption, no memory, a failing disk for
    ///   temporary files.
    /// - Complexity: a few passes over the archive, O(n log n) where rows are sorted.
    package static func run(
        _ db: Database, place: (path: String, environment: [String: String])? = nil, deep: Bool,
        versions: [Schema] = Schema.versions, other: ArchiveReader? = nil,
        isCancelled: @escaping @Sendable () -> Bool = { false }, progress: (String) -> Void
    ) throws -> CheckResult {
        let stop = Stop(isCancelled)
        return try CheckScope.with(db, versions, place, Stop(isCancelled)) { scope in
            let state = try? lastRows(db)
            let second = other.map { other in
                ThreadResult<CheckResult?> {
                    try other.readDamaged { db in
                        guard let state, try lastRows(db) == state else { return nil }
                        return try CheckScope.with(db, versions, place, stop) { try test(derived, $0) { _ in } }
                    }
                }
            }
            let file = Result { try test(FileInvariants.all, scope, progress) }
            let more = deep ? HashInvariants.all : []
            // In a file that is damaged the invariants share what one of them may spend.
            guard let second, (try? file.get())?.healthy == true else {
                stop.set()
                _ = try? second?.get()
                return try test(rows + derived + more, scope, after: file.get(), progress)
            }
            let first = Result { try test(rows + more, scope, after: file.get(), progress) }
            // Without it, something was written between the beginnings of the two transactions.
            let behind = try second.get() ?? test(derived, scope, progress)
            var result = try first.get()
            result.invariants.insert(contentsOf: behind.invariants, at: FileInvariants.all.count + rows.count)
            return result
        }
    }

    /// Ends the statements of a thread.
    final class Stop: Sendable {
        private let flag = Atomic(false)
        private let isCancelled: @Sendable () -> Bool
        init(_ isCancelled: @escaping @Sendable () -> Bool) { self.isCancelled = isCancelled }
        var isSet: Bool { flag.load(ordering: .relaxed) || isCancelled() }
        func set() { flag.store(true, ordering: .relaxed) }
    }

    /// What every write to an archive changes.
    private static func lastRows(_ db: Database) throws -> [Int64?] {
        try ["imports", "record_versions", "run_log", "seals", "analysis_runs"].map {
            try Int64.fetchOne(db, sql: "SELECT max(rowid) FROM \($0)")
        }
    }

    /// Tests invariants one after the other.
    ///
    /// - Parameter before: what was found so far; the result begins with it.
    private static func test(
        _ invariants: [InvariantCheck], _ scope: CheckScope, after before: CheckResult = CheckResult(invariants: []),
        _ progress: (String) -> Void
    ) throws -> CheckResult {
        var result = before
        for invariant in invariants {
            progress(invariant.id)
            // In a damaged file pages may form a cycle, which SQLite would follow without end.
            let budget = StepBudget(scope.db, isLimited: !result.healthy, scope.stop)
            var detail: String?
            do {
                detail = try invariant.run(scope)
            } catch let error as DatabaseError {
                if isFatal(error.resultCode), !budget.isSpent { throw error }
                detail = budget.isSpent ? "SQLite: no end found" : "SQLite: \(error.extendedResultCode)"
            } catch let error as CheckScope.Unusable {
                detail = error.reason
            } catch let error as HealthProbeError where [.integrityFailure, .archiveDamaged].contains(error.code) {
                detail = error.message
            } catch is RowDecodingError {
                detail = HealthProbeError.unreadableValue.message
            }
            budget.remove()
            result.invariants.append(.init(id: invariant.id, holds: detail == nil, detail: detail))
        }
        return result
    }

    private static func isFatal(_ code: ResultCode) -> Bool {
        switch code {
        case .SQLITE_INTERRUPT, .SQLITE_NOMEM, .SQLITE_FULL, .SQLITE_BUSY, .SQLITE_LOCKED: true
        default: false
        }
    }
}

extension ArchiveReader {
    /// Tests the invariants on one state of the archive, whatever is imported meanwhile, on two threads.
    ///
    /// - Throws: only what makes the check itself impossible; damage is a result.
    /// - Parameter environment: where the archive's last seen head is remembered; nil to leave that out.
    package func check(
        deep: Bool, environment: [String: String]? = nil, progress: (String) -> Void
    ) throws -> CheckResult {
        let other = try? ArchiveReader(known: path, isCancelled)
        defer { other?.close() }
        return try readDamaged {
            let result = try ArchiveCheck.run(
                $0, place: environment.map { (path, $0) }, deep: deep, other: other, isCancelled: isCancelled,
                progress: progress)
            // A statement that was ended may look like damage.
            if isCancelled() { throw HealthProbeError.interrupted }
            return result
        }
    }
}
