internal import HealthModel

/// Which cells a spreadsheet would run as a formula, and how the apostrophe against it is taken away again.
enum CSVGuard {
    /// Whether a cell is to get an apostrophe: a formula, but no plain number; or apostrophes before a formula.
    static func needsApostrophe(_ cell: ByteView) -> Bool {
        let apostrophes = leadingApostrophes(cell)
        guard startsFormula(cell, at: apostrophes) else { return false }
        return apostrophes > 0 || CanonicalNumber(cell) == nil
    }

    /// The cell without the apostrophe that the guard put before it.
    static func unguarded(_ cell: ByteView) -> ByteView {
        let apostrophes = leadingApostrophes(cell)
        guard apostrophes > 0, startsFormula(cell, at: apostrophes) else { return cell }
        return ByteView(cell.start + 1, cell.count - 1)
    }

    private static func leadingApostrophes(_ cell: ByteView) -> Int {
        var count = 0
        while count < cell.count, cell.start[count] == 0x27 { count += 1 }
        return count
    }

    private static func startsFormula(_ cell: ByteView, at place: Int) -> Bool {
        guard place < cell.count else { return false }
        switch cell.start[place] {
        case 0x3D, 0x2B, 0x2D, 0x40, 0x09, 0x0D, 0x0A, 0x00: return true
        case 0xEF:
            // The full-width forms of = + - @.
            return place + 2 < cell.count && cell.start[place + 1] == 0xBC
                && [0x9D, 0x8B, 0x8D, 0xA0].contains(cell.start[place + 2])
        default: return false
        }
    }
}
