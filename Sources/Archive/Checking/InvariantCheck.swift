/// An invariant with the code that tests it.
struct InvariantCheck: Sendable {
    let id: String
    /// Returns what is wrong; nil where the invariant holds.
    let run: @Sendable (CheckScope) throws -> String?

    init(_ id: String, _ run: @escaping @Sendable (CheckScope) throws -> String?) {
        self.id = id
        self.run = run
    }
}
