/// Which cells a spreadsheet would run as a formula, and how the apostrophe before one of them is removed again.
///
/// A spreadsheet treats a cell that begins with `=`, `+`, `-` or `@`, or with a control character before one of them, as
/// a formula, and a formula can send the neighbouring cells anywhere. Numbers such as `-4.2` are exempt, or no negative
/// number would survive. A cell that begins with apostrophes before a formula gets one more, so that removing one
/// restores every cell.
package enum FormulaGuard {
    /// Whether a cell gets an apostrophe: a formula that is no number, or apostrophes before a formula.
    package static func needsApostrophe(_ cell: ByteView) -> Bool {
        let apostrophes = leadingApostrophes(cell)
        guard startsFormula(cell, at: apostrophes) else { return false }
        return apostrophes > 0 || CanonicalNumber(cell) == nil
    }

    /// The cell without the apostrophe that the guard put before it.
    package static func unguarded(_ cell: ByteView) -> ByteView {
        let apostrophes = leadingApostrophes(cell)
        guard apostrophes > 0, startsFormula(cell, at: apostrophes) else { return cell }
        return cell[1...]
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
