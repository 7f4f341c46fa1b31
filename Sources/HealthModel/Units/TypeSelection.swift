internal import Basics

/// Which sample types an import takes: all, or those that any of its clauses takes.
///
/// An import asks with one clause; a supplement joins its own to the observation's. Both are stored as data.
package struct TypeSelection: Sendable, Equatable {
    /// Some types (all where none are named) without others; names as `TypeFilter` reads them.
    private struct Clause: Sendable, Equatable {
        let only: [String]
        let without: [String]
        private let filters: [TypeFilter]

        init(only: [String], without: [String]) {
            self.only = only
            self.without = without
            filters = [TypeFilter(only), TypeFilter(without, matchesWhenEmpty: false)]
        }

        func includes(_ type: String) -> Bool { filters[0].matches(type) && !filters[1].matches(type) }

        /// Whether the names alone show that this clause takes whatever another takes.
        func includes(_ other: Clause) -> Bool {
            guard Set(without).isSubset(of: other.without) else { return false }
            return only.isEmpty || !other.only.isEmpty && Set(other.only).isSubset(of: only)
        }

        /// Whether it takes every type that another takes, known or not, as far as names show that.
        func covers(_ other: Clause) -> Bool {
            let (asked, leftOut) = (other.filters[0], other.filters[1])
            guard filters[0].isEmpty || !asked.isEmpty && filters[0].covers(asked) else { return false }
            return filters[1].single.allSatisfy { leftOut.covers($0) || !asked.isEmpty && !asked.mayMeet($0) }
        }

        /// `only A, B; without C`.
        var text: String {
            [("only", only), ("without", without)].filter { !$0.1.isEmpty }
                .map { "\($0.0) \($0.1.joined(separator: ", "))" }.joined(separator: "; ")
        }

        var json: JSON {
            .object([("only", .array(only.map { .string($0) })), ("without", .array(without.map { .string($0) }))])
        }
    }

    /// Empty: all types.
    private var clauses: [Clause]

    package static let all = TypeSelection()

    /// - Parameters:
    ///   - only: the types to take; all where there are none.
    ///   - without: the types to leave out of these.
    package init(only: [String] = [], without: [String] = []) {
        let (only, without) = (only.filter { !$0.isEmpty }, without.filter { !$0.isEmpty })
        clauses = only.isEmpty && without.isEmpty ? [] : [Clause(only: only, without: without)]
    }

    /// The selection that ``json`` wrote; nil for any other text.
    package init?(json: String) {
        func names(_ value: JSON?) -> [String] { value?.elements.compactMap(\.string) ?? [] }
        clauses = (JSON.parse(json)?.elements ?? [])
            .map { Clause(only: names($0["only"]), without: names($0["without"])) }
        // Whatever was passed over above is missing here.
        guard self.json == json else { return nil }
    }

    /// As an archive stores it: the RFC 8785 array of the clauses, `[{"only":["A"],"without":[]}]`; `[]` for all types.
    package var json: String { JSON.array(clauses.map(\.json)).canonicalText }

    /// SHA-256 of `hp:v2:type-selection:` and ``json``.
    package var sha256: Digest256 { ItemHash.hash("hp:v2:type-selection:", json) }

    /// In words, `only A, B; without C | only D`; nil for all types.
    package var text: String? { clauses.isEmpty ? nil : clauses.map(\.text).joined(separator: " | ") }

    /// The names of all clauses, as they were given.
    package var names: [String] { clauses.flatMap { $0.only + $0.without } }

    /// Whether any type may be left out.
    package var selectsSome: Bool { !clauses.isEmpty }

    /// Whether every type that another selection takes is taken, known or not, as far as names show that.
    package func covers(_ other: TypeSelection) -> Bool {
        if clauses.isEmpty || other.clauses.isEmpty { return clauses.isEmpty }
        return other.clauses.allSatisfy { asked in clauses.contains { $0.covers(asked) } }
    }

    /// Whether the type is taken; an unknown one (nil) always is.
    package func includes(_ type: String?) -> Bool {
        guard let type, !clauses.isEmpty else { return true }
        return clauses.contains { $0.includes(type) }
    }

    /// The selection that takes what either takes; clauses that another includes are left out.
    package func union(_ other: TypeSelection) -> TypeSelection {
        if clauses.isEmpty || other.clauses.isEmpty { return .all }
        var joined = self
        for new in other.clauses where !joined.clauses.contains(where: { $0.includes(new) }) {
            joined.clauses = joined.clauses.filter { !new.includes($0) } + [new]
        }
        return joined
    }
}
