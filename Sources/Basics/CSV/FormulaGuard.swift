/// Which cells a spreadsheet would run as a formula; they get an apostrophe.
///
/// A spreadsheet treats a cell that begins with `=`, `+`, `-` or `@`, or with a control character before one of them, as
/// a formula, and a formula can send the neighbouring cells anywhere. Numbers such as `-4.2` and UTC offsets such as
/// `+02:00` are exempt. A cell that begins with apostrophes before a formula gets one more, so that removing one
/// restores every cell.
package enum FormulaGuard {
    /// Whether a cell gets an apostrophe: a formula that is no number and no offset, or apostrophes before a formula.
    package static func needsApostrophe(_ cell: ByteView) -> Bool {
        let apostrophes = leadingApostrophes(cell)
        guard startsFormula(cell, at: apostrophes) else { return false }
        return apostrophes > 0 || (CanonicalNumber(cell) == nil && !isOffset(cell))
    }

    /// Whether a cell is a sign, two digits, a colon and two digits.
    private static func isOffset(_ cell: ByteView) -> Bool {
        guard cell.count == 6, cell[0] == .plus || cell[0] == .minus, cell[3] == UInt8(ascii: ":") else { return false }
        return [1, 2, 4, 5].allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(cell[$0]) }
    }

    private static func leadingApostrophes(_ cell: ByteView) -> Int {
        var count = 0
        while count < cell.count, cell[count] == .apostrophe { count += 1 }
        return count
    }

    private static func startsFormula(_ cell: ByteView, at place: Int) -> Bool {
        guard place < cell.count else { return false }
        switch cell[place] {
        case UInt8(ascii: "="), .plus, .minus, UInt8(ascii: "@"), 0x09, .carriageReturn, .lineFeed, 0: return true
        case 0xEF: return fullWidth.contains { cell.has($0, at: place) }
        default: return false
        }
    }

    /// The full-width forms of = + - @.
    private static let fullWidth: [StaticString] = ["\u{FF1D}", "\u{FF0B}", "\u{FF0D}", "\u{FF20}"]
}
