/// Defects of the file that were made well-formed, counted by kind with the line of the first one.
package struct Repairs: Sendable {
    package enum Kind: String, Sendable, CaseIterable {
        case declarationBlanked
        case doctypeBlanked
        case controlCharacterReplaced
        case ampersandReplaced
        case invalidUTF8Replaced
        case secondStartDateReadAsEndDate
        case attributesBlanked
    }

    package private(set) var entries: [(kind: Kind, count: Int, firstLine: Int)] = []

    package init() {}

    /// Counts one repair; the line is asked for only at the first of its kind, since finding it costs a pass.
    mutating func add(_ kind: Kind, line: @autoclosure () -> Int) {
        if let index = entries.firstIndex(where: { $0.kind == kind }) {
            entries[index].count += 1
        } else {
            // In the order of the kinds, not of their discovery, which depends on the size of the chunks.
            let order = Kind.allCases
            let place = entries.firstIndex { order.firstIndex(of: $0.kind) ?? 0 > order.firstIndex(of: kind) ?? 0 }
            entries.insert((kind, 1, line()), at: place ?? entries.endIndex)
        }
    }
}

/// What is before the root element: kept as evidence, blanked for the parser.
package struct Prolog: Sendable {
    /// The DOCTYPE as it is in the file; nil without one.
    package var doctype: String?
    /// The number of the comment `HealthKit Export Version: N`.
    package var exportVersion: String?
}
