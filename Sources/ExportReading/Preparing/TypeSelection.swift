/// Which sample types an import takes: all, or only some, less what is excluded.
package struct TypeSelection: Sendable {
    private let matchesOnly: (@Sendable (String) -> Bool)?
    private let matchesExcluded: (@Sendable (String) -> Bool)?

    package static let all = TypeSelection(only: nil, excluded: nil)

    package init(only: (@Sendable (String) -> Bool)?, excluded: (@Sendable (String) -> Bool)?) {
        matchesOnly = only
        matchesExcluded = excluded
    }

    /// Whether any type may be left out.
    package var selectsSome: Bool { matchesOnly != nil || matchesExcluded != nil }

    /// Whether the types that are taken are named, rather than all but some.
    package var namesTypes: Bool { matchesOnly != nil }

    /// Whether the type is taken; an unknown one (nil) always is.
    package func includes(_ type: String?) -> Bool {
        guard let type else { return true }
        if let matchesOnly, !matchesOnly(type) { return false }
        return matchesExcluded.map { !$0(type) } ?? true
    }
}
