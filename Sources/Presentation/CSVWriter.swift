/// Appends rows of RFC 4180 CSV to a growing buffer, with a guard against cells that a spreadsheet would run.
///
/// A spreadsheet treats a cell that begins with `=`, `+`, `-` or `@`, or with a control character before one of them, as
/// a formula, and a formula can send the neighbouring cells anywhere. The guard puts an apostrophe before such cells;
/// plain numbers such as `-4.2` are exempt, or no negative number would survive.
package struct CSVWriter: Sendable {
    /// The UTF-8 written so far.
    package private(set) var bytes: [UInt8] = []
    /// How many cells got an apostrophe, also of rows that were taken away since.
    package private(set) var guardedCellCount = 0
    /// Whether cells that look like formulas are guarded.
    package let guardsFormulas: Bool

    /// An empty buffer.
    package init(guardsFormulas: Bool) {
        self.guardsFormulas = guardsFormulas
    }

    /// What was written so far, as a string.
    package var text: String { String(decoding: bytes, as: UTF8.self) }

    /// Empties the buffer and keeps its memory and the count of guarded cells.
    package mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }

    /// Appends one row, ended by CR LF.
    package mutating func appendRow(_ cells: [String]) {
        for (index, cell) in cells.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            append(cell, isAlone: cells.count == 1)
        }
        bytes.append(contentsOf: [0x0D, 0x0A])
    }

    /// Whether a spreadsheet could take the cell for a formula.
    package static func looksLikeFormula(_ cell: String) -> Bool {
        switch cell.unicodeScalars.first {
        case "=", "+", "-", "@", "\t", "\r", "\n", "\0": !isNumber(cell)
        case "\u{FF1D}", "\u{FF0B}", "\u{FF0D}", "\u{FF20}": true  // full-width = + - @
        default: false
        }
    }

    private mutating func append(_ cell: String, isAlone: Bool) {
        var prefix = ""
        if guardsFormulas, Self.looksLikeFormula(cell) {
            guardedCellCount += 1
            prefix = "'"
        }
        // A row of one empty cell would be an empty line, which many readers skip.
        guard cell.utf8.contains(where: Self.needsQuotes) || (isAlone && cell.isEmpty) else {
            bytes.append(contentsOf: prefix.utf8)
            bytes.append(contentsOf: cell.utf8)
            return
        }
        let quote = UInt8(ascii: "\"")
        bytes.append(quote)
        bytes.append(contentsOf: prefix.utf8)
        for byte in cell.utf8 {
            if byte == quote { bytes.append(quote) }
            bytes.append(byte)
        }
        bytes.append(quote)
    }

    private static func needsQuotes(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: ",") || byte == UInt8(ascii: "\"") || byte == 0x0D || byte == 0x0A
    }

    /// An optional sign, digits, an optional fraction and an optional exponent, and nothing else.
    private static func isNumber(_ cell: String) -> Bool {
        var rest = Substring(cell).utf8
        func skipSign() { if rest.first == UInt8(ascii: "-") || rest.first == UInt8(ascii: "+") { rest.removeFirst() } }
        func skipDigits() -> Bool {
            let before = rest.count
            rest = rest.drop { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
            return rest.count < before
        }
        skipSign()
        guard skipDigits() else { return false }
        if rest.first == UInt8(ascii: ".") {
            rest.removeFirst()
            guard skipDigits() else { return false }
        }
        if rest.first == UInt8(ascii: "e") || rest.first == UInt8(ascii: "E") {
            rest.removeFirst()
            skipSign()
            guard skipDigits() else { return false }
        }
        return rest.isEmpty
    }
}
