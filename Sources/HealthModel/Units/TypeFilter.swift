/// The sample types that repeated `--type` arguments ask for: full identifiers, their short forms in any case, and
/// either with a `*` at the end (`ClinicalRecord/*`, `Dietary*`).
package struct TypeFilter: Sendable, Hashable {
    private struct Pattern: Sendable, Hashable {
        let argument: String
        let text: String
        let isPrefix: Bool

        init(_ argument: String) {
            self.argument = argument
            isPrefix = argument.hasSuffix("*")
            text = (isPrefix ? String(argument.dropLast()) : argument).lowercased()
        }

        func matches(_ identifier: String, _ short: String) -> Bool {
            isPrefix ? identifier.hasPrefix(text) || short.hasPrefix(text) : identifier == text || short == text
        }

        private var short: String { shortIdentifier(argument).lowercased() }

        /// Whether the names alone show that this pattern matches whatever another matches.
        func covers(_ other: Pattern) -> Bool {
            if isPrefix { return other.text.hasPrefix(text) || !other.isPrefix && other.short.hasPrefix(text) }
            return !other.isPrefix && (other.text == text || other.short == text)
        }

        /// Whether some type may match both.
        func mayMeet(_ other: Pattern) -> Bool {
            if covers(other) || other.covers(self) { return true }
            // A beginning of short names may be that of full ones as well.
            return (isPrefix || other.isPrefix) && [text, other.text].contains { $0.hasPrefix("hk") || $0.count < 2 }
        }
    }

    private let patterns: [Pattern]
    private let matchesWhenEmpty: Bool

    /// - Parameters:
    ///   - arguments: As given on the command line; empty ones are ignored.
    ///   - matchesWhenEmpty: What to say when there are none: `--type` then means all types, `--exclude-type` none.
    package init(_ arguments: [String], matchesWhenEmpty: Bool = true) {
        patterns = arguments.filter { !$0.isEmpty }.map(Pattern.init)
        self.matchesWhenEmpty = matchesWhenEmpty
    }

    /// The arguments that are not empty, as they were given.
    package var arguments: [String] { patterns.map(\.argument) }

    /// Whether there are no arguments.
    package var isEmpty: Bool { patterns.isEmpty }

    /// Whether the names alone show that this filter asks for whatever another one, of at least one argument, asks for.
    func covers(_ other: TypeFilter) -> Bool {
        isEmpty ? matchesWhenEmpty : other.patterns.allSatisfy { asked in patterns.contains { $0.covers(asked) } }
    }

    /// Whether some type may be asked for by arguments of both.
    func mayMeet(_ other: TypeFilter) -> Bool {
        patterns.contains { own in other.patterns.contains { own.mayMeet($0) } }
    }

    /// Each argument as a filter of its own.
    var single: [TypeFilter] { patterns.map { TypeFilter([$0.argument]) } }

    /// Whether a sample type of that full identifier is asked for.
    package func matches(_ identifier: String) -> Bool {
        guard !patterns.isEmpty else { return matchesWhenEmpty }
        let short = shortIdentifier(identifier).lowercased()
        let full = identifier.lowercased()
        return patterns.contains { $0.matches(full, short) }
    }

    /// The arguments that none of the identifiers answers to: probably misspelt, and worth a word.
    package func unmatchedArguments(among identifiers: some Sequence<String>) -> [String] {
        var left = patterns
        for identifier in identifiers where !left.isEmpty {
            let short = shortIdentifier(identifier).lowercased()
            let full = identifier.lowercased()
            left.removeAll { $0.matches(full, short) }
        }
        return left.map(\.argument)
    }
}
