struct InvariantCheck: Sendable {
    let id: String
    /// Returns the violation; nil where the invariant holds.
    let run: @Sendable (CheckScope) throws -> String?

    init(_ id: String, _ run: @escaping @Sendable (CheckScope) throws -> String?) {
        self.id = id
        self.run = run
    }
}

/// Rows that break an invariant: how many, and the ids of the first few.
struct Violations {
    private(set) var count = 0
    private var first: [Int64] = []

    mutating func add(_ id: Int64) {
        count += 1
        if first.count < 5 { first.append(id) }
    }

    /// `3 descriptors whose unit does not exist: 4, 9, 12`; nil where there are none.
    func detail(_ what: String) -> String? {
        guard count > 0 else { return nil }
        let ids = first.map(String.init).joined(separator: ", ")
        return "\(count) \(what): \(ids)\(count > first.count ? ", …" : "")"
    }
}
