package import ArchiveFile
package import GRDB
internal import HealthModel

/// Tests the numbered invariants of an archive; changes nothing.
///
/// Works on a read-only connection too: what it has to sort goes to SQLite's temporary files, which are in the private
/// folder that `ArchiveConnection` chose. Whatever SQLite says of a damaged file makes one invariant fail; the others
/// are still tested.
package enum ArchiveCheck {
    /// Every invariant that is always tested, by number.
    static let always: [InvariantCheck] =
        FileInvariants.all + RowInvariants.all + UniquenessInvariants.all + IdentityIndexInvariants.all
        + RangeInvariants.all + EventInvariants.all + PairingInvariants.all + SummaryInvariants.all
        + DigestInvariants.all + AggregateInvariants.all + SideFileInvariants.all + SourceInvariants.all
        + UnfinishedInvariants.all + SealInvariants.all + AnalysisInvariants.all

    /// The invariant about the remembered head, not about the archive itself.
    package static let rememberedHead = "S05-rememberedHead"

    /// The invariants of `check --sources`, about the kept sources beside the archive.
    package static let sources = ["E03-keptSources", "E04-sourceContent"]

    /// The names of all invariants, those of a deep check included.
    static var identifiers: [String] { (always + HashInvariants.all).map(\.id) }

    /// Runs the check on a connection; `ArchiveReader.check` is the usual way.
    ///
    /// - Parameters:
    ///   - place: the archive's path and the environment, to compare it with its remembered head.
    ///   - deep: recompute identity and version of every row as well.
    ///   - progress: called with the name of each invariant before it is tested.
    /// - Throws: only what makes the check itself impossible: an interruption, no memory, a failing disk for
    ///   temporary files.
    /// - Complexity: a few passes over the archive, O(n log n) where rows are sorted.
    package static func run(
        _ db: Database, place: (path: String, environment: [String: String])? = nil, deep: Bool,
        progress: (String) -> Void
    ) throws -> CheckResult {
        try run(db, place: place, deep: deep, versions: Schema.versions, progress: progress)
    }

    /// Runs the check on an archive of the newest of some versions.
    static func run(
        _ db: Database, place: (path: String, environment: [String: String])? = nil, deep: Bool, versions: [Schema],
        progress: (String) -> Void
    ) throws -> CheckResult {
        let queryOnly = (try? Int.fetchOne(db, sql: "PRAGMA query_only")) ?? 0
        if queryOnly != 0 { try db.execute(sql: "PRAGMA query_only = 0") }
        defer { if queryOnly != 0 { try? db.execute(sql: "PRAGMA query_only = 1") } }
        let scope = CheckScope(db, versions: versions, place: place)
        defer { scope.drop() }
        var result = CheckResult(invariants: [])
        for invariant in always + (deep ? HashInvariants.all : []) {
            progress(invariant.id)
            // In a damaged file pages may form a cycle, which SQLite would follow without end.
            let budget = result.healthy ? nil : StepBudget(db)
            var detail: String?
            do {
                detail = try invariant.run(scope)
            } catch let error as DatabaseError {
                if isFatal(error.resultCode), budget?.isSpent != true { throw error }
                detail = budget?.isSpent == true ? "SQLite: no end found" : "SQLite: \(error.extendedResultCode)"
            } catch let error as CheckScope.Unusable {
                detail = error.reason
            } catch let error as HealthProbeError where [.integrityFailure, .archiveDamaged].contains(error.code) {
                detail = error.message
            } catch is RowDecodingError {
                detail = HealthProbeError.unreadableValue.message
            }
            budget?.remove()
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
    /// Tests the invariants on one state of the archive, whatever is imported meanwhile.
    ///
    /// - Throws: only what makes the check itself impossible; damage is a result.
    /// - Parameter environment: where the archive's last seen head is remembered; nil to leave that out.
    package func check(
        deep: Bool, environment: [String: String]? = nil, progress: (String) -> Void
    ) throws -> CheckResult {
        try readDamaged {
            try ArchiveCheck.run($0, place: environment.map { (path, $0) }, deep: deep, progress: progress)
        }
    }
}
