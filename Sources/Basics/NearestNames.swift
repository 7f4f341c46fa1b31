/// Names as people type them, and the names that a misspelt one may have meant.
package enum NearestNames {
    /// A name without what a keyboard hides: no-break spaces are spaces, typographic quotes plain ones, letters lower case.
    ///
    /// Two folded names are compared with `==`, which is that of the Unicode normalisation forms.
    package static func folded(_ name: String) -> String {
        var scalars = String.UnicodeScalarView()
        for scalar in name.unicodeScalars {
            switch scalar.value {
            case 0x00A0, 0x202F: scalars.append(" ")
            case 0x2018...0x201B: scalars.append("'")
            case 0x201C...0x201F: scalars.append("\"")
            default: scalars.append(scalar)
            }
        }
        return String(scalars).lowercased()
    }

    /// The candidates that a name may have meant, the nearest first: those a few edits away, then those that contain it.
    ///
    /// - Complexity: O(n · m²) for n candidates and names of m letters, of which 64 are looked at.
    package static func of(
        _ name: String, among candidates: some Sequence<String>, most: Int = 3
    ) -> [String] {
        let wanted = folded(name)
        let letters = Array(wanted.prefix(longest))
        let fewEdits = max(2, letters.count / 3)
        var near: [(name: String, distance: Int)] = []
        for candidate in candidates {
            let text = folded(candidate)
            let edits = distance(letters, Array(text.prefix(longest)))
            if edits <= min(fewEdits, max(letters.count, text.count) - 1) {
                near.append((candidate, edits))
            } else if letters.count > 2, text.contains(wanted) {
                near.append((candidate, longest + text.count))
            }
        }
        return near.sorted { ($0.distance, $0.name) < ($1.distance, $1.name) }.prefix(most).map(\.name)
    }

    /// ` Did you mean A, B or C?` with a space before it; empty without a name.
    package static func question(_ names: [String]) -> String {
        guard let last = names.last else { return "" }
        let others = names.dropLast().joined(separator: ", ")
        return " Did you mean \(others.isEmpty ? last : "\(others) or \(last)")?"
    }

    private static let longest = 64

    /// How many letters have to be inserted, removed or replaced to make one text of the other (Levenshtein).
    private static func distance(_ first: [Character], _ second: [Character]) -> Int {
        var row = Array(0...second.count)
        for (index, letter) in first.enumerated() {
            var diagonal = row[0]
            row[0] = index + 1
            for (column, other) in second.enumerated() {
                let replaced = diagonal + (letter == other ? 0 : 1)
                diagonal = row[column + 1]
                row[column + 1] = min(replaced, row[column] + 1, diagonal + 1)
            }
        }
        return row[second.count]
    }
}
