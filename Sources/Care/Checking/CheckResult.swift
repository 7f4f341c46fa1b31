/// What `check` found, invariant by invariant.
package struct CheckResult: Sendable {
    /// One numbered invariant of `docs/archive-format.md`.
    package struct Invariant: Sendable {
        /// The stable name, such as `A01-sqliteIntegrity`.
        package var id: String
        package var holds: Bool
        /// The violation, by row ids, never with a value of a row; nil where the invariant holds.
        package var detail: String?

        package init(id: String, holds: Bool, detail: String?) {
            self.id = id
            self.holds = holds
            self.detail = detail
        }
    }

    /// In the order of their numbers.
    package var invariants: [Invariant]

    package var healthy: Bool { invariants.allSatisfy(\.holds) }

    package var failed: [Invariant] { invariants.filter { !$0.holds } }

    /// Those of them for which imports are refused: damage of the archive itself.
    ///
    /// An older copy that was put back is whole in itself, and so is an archive whose kept sources are damaged.
    package var damage: [Invariant] {
        failed.filter { $0.id != ArchiveCheck.rememberedHead && !ArchiveCheck.sources.contains($0.id) }
    }
}
