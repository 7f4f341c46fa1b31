extension CSVWriter {
    /// Appends the members of an object as a row of cells.
    ///
    /// - Parameters:
    ///   - columns: the names of the members; one that the object lacks is an empty cell.
    ///   - forTerminal: show what a terminal could obey instead of handing it on.
    package mutating func append(_ row: JSON, _ columns: [String], forTerminal: Bool) {
        let cells = columns.map { row[$0]?.cell ?? "" }
        appendRow(forTerminal ? cells.map(TerminalText.safe) : cells)
    }
}

extension JSON {
    /// The value as a cell: a text as it is, texts with commas between, other lists and objects as JSON.
    fileprivate var cell: String {
        switch self {
        case .null: ""
        case .string(let text), .canonical(let text): text
        case .double(let number): number.isFinite ? line : ""
        case .array(let elements):
            elements.allSatisfy { if case .string = $0 { true } else { false } }
                ? elements.map(\.cell).joined(separator: ", ") : line
        default: line
        }
    }
}
