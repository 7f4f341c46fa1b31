/// Appends rows of RFC 4180 CSV to a buffer, with `FormulaGuard` against cells that a spreadsheet would run.
package struct CSVWriter {
    /// Where the rows go.
    package var out: ByteBuffer
    /// How many cells got an apostrophe, also of rows that were removed since.
    package private(set) var guardedCellCount: Int64 = 0
    /// Whether cells that look like formulas are guarded.
    package let guardsFormulas: Bool
    private var isAtRowStart = true

    package init(guardsFormulas: Bool, to out: ByteBuffer = ByteBuffer()) {
        self.guardsFormulas = guardsFormulas
        self.out = out
    }

    /// The UTF-8 written so far.
    package var bytes: [UInt8] { out.view.array }

    /// Empties the buffer and keeps its memory and the count of guarded cells.
    package mutating func removeAll() { out.removeAll() }

    package mutating func appendRow(_ cells: [String]) {
        for cell in cells { cell.withByteView { appendCell($0, isAlone: cells.count == 1) } }
        endRow()
    }

    /// Ends a row with CR LF.
    package mutating func endRow() {
        out.append("\r\n" as StaticString)
        isAtRowStart = true
    }

    /// Appends the next cell of a row.
    ///
    /// - Parameter isAlone: whether it is the only one; empty, that would be an empty line, which many readers skip.
    package mutating func appendCell(_ cell: ByteView, isAlone: Bool = false) {
        if !isAtRowStart { out.append(.comma) }
        isAtRowStart = false
        let isGuarded = guardsFormulas && FormulaGuard.needsApostrophe(cell)
        if isGuarded { guardedCellCount += 1 }
        let isQuoted = Self.needsQuotes(cell) || (isAlone && cell.count == 0)
        if isQuoted { out.append(.quotationMark) }
        if isGuarded { out.append(.apostrophe) }
        if isQuoted {
            for index in 0..<cell.count {
                if cell[index] == .quotationMark { out.append(.quotationMark) }
                out.append(cell[index])
            }
            out.append(.quotationMark)
        } else {
            out.append(cell)
        }
    }

    private static func needsQuotes(_ cell: ByteView) -> Bool {
        for index in 0..<cell.count {
            switch cell[index] {
            case .quotationMark, .comma, .carriageReturn, .lineFeed: return true
            default: continue
            }
        }
        return false
    }
}
