package import GRDB
package import HealthModel

/// A diff whose results stay in temporary tables, for further questions in SQL.
///
/// The tables: `temp.diff_before` and `temp.diff_after` (`ref`, `sample_type_id`, …) hold the copies that are in only one
/// of the two states, `temp.diff_pairs` (`after_ref`, `before_ref`, `match_rule`) those that the comparison linked; what is
/// in no pair disappeared or appeared. `temp.touched` (`id`) holds every copy that was opened or closed in between. They
/// belong to the connection: one such object at a time.
package final class DiffTables {
    private let run: DiffRun
    /// The counts, by type.
    package let summary: DiffSummary

    /// Compares two observations of a chain; the parameters are those of `Diff.run`.
    ///
    /// - Throws: `usage` where `from` is later than `to`.
    /// - Complexity: grows with what changed between the two, not with the archive.
    package init(
        _ db: Database, chain: Chain, from: Observation, to: Observation, through: Bool, types: TypeFilter?,
        source: String?
    ) throws {
        guard let first = from.position, let last = to.position, first <= last, from.chainID == to.chainID else {
            throw ArchiveError(
                .usage, "The first observation of a diff must not be later than the second.",
                hint: "Exchange --from and --to; healthprobe timeline shows the order.")
        }
        let span = DiffSpan(chain: chain, from: from, to: to, through: through)
        run = try DiffRun(db, span: span, types: types, source: source)
        do {
            try run.findCandidates()
            try run.compare()
            summary = try run.summary()
        } catch {
            try? run.drop()
            throw error
        }
    }

    /// Reports every difference, ordered by type, start, end, identity, version and ordinal.
    package func stream(_ forEach: (DiffChange) throws -> Void) throws { try run.stream(forEach) }

    /// Removes the tables.
    package func drop() { try? run.drop() }
}
