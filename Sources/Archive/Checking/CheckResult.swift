/// What `check` found, invariant by invariant.
package struct CheckResult: Sendable {
    /// One numbered invariant of `docs/archive-format.md`.
    package struct Invariant: Sendable {
        /// The stable name, such as `A01-sqliteIntegrity`.
        package var id: String
        package var holds: Bool
        /// What was found and where, by row ids; never a value of any row. Nil where the invariant holds.
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
}
