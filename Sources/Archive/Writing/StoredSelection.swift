internal import HealthModel

/// A type selection as it is stored with an observation: `only A, B; without C`, several of them joined by ` | ` where
/// supplements widened it.
package struct StoredSelection {
    private let parts: [Part]

    /// One of the joined selections.
    private struct Part {
        let text: String
        /// Nil: all types.
        private var only: Set<String>?
        private var without: Set<String> = []
        private let filters: (only: TypeFilter, without: TypeFilter)

        init(_ text: String) {
            self.text = text
            func names(_ clause: String, after word: String) -> [String]? {
                clause.hasPrefix(word) ? StoredSelection.split(String(clause.dropFirst(word.count)), ", ") : nil
            }
            for clause in StoredSelection.split(text, "; ") {
                if let names = names(clause, after: "only ") { only = Set(names) }
                if let names = names(clause, after: "without ") { without = Set(names) }
            }
            filters = (TypeFilter(Array(only ?? [])), TypeFilter(Array(without), matchesWhenEmpty: false))
        }

        func includes(_ identifier: String) -> Bool {
            filters.only.matches(identifier) && !filters.without.matches(identifier)
        }

        /// Whether the names alone say that this one takes whatever another takes.
        func includes(_ other: Part) -> Bool {
            guard without.isSubset(of: other.without) else { return false }
            return only.map { own in other.only?.isSubset(of: own) ?? false } ?? true
        }
    }

    /// - Parameter text: as stored; nil for all types.
    package init(_ text: String?) { parts = (text.map { Self.split($0, Self.separator) } ?? []).map(Part.init) }

    /// Whether any of the joined selections takes a type; nil stands for all types.
    package func includes(_ identifier: String) -> Bool { parts.isEmpty || parts.contains { $0.includes(identifier) } }

    /// What is stored where a further selection is taken too; selections that another one includes are left out.
    package func joined(with text: String?) -> String? {
        guard let text, !parts.isEmpty else { return nil }
        let new = Part(text)
        if parts.contains(where: { $0.includes(new) }) { return parts.map(\.text).joined(separator: Self.separator) }
        return (parts.filter { !new.includes($0) } + [new]).map(\.text).joined(separator: Self.separator)
    }

    private static let separator = " | "

    private static func split(_ text: String, _ separator: String) -> [String] {
        var parts: [String] = []
        var rest = text[...]
        while let range = rest.firstRange(of: separator) {
            parts.append(String(rest[..<range.lowerBound]))
            rest = rest[range.upperBound...]
        }
        return parts + [String(rest)]
    }
}
