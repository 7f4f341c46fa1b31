/// A table of text in columns, as wide as its cells are, or as narrow as the terminal asks for.
///
/// Every cell and title goes through `TerminalText.safe` when it is added, so a table cannot carry control
/// sequences from an export; style is applied afterwards, and none unless the caller hands one over.
package struct TextTable: Sendable {
    /// Which edge of its column a cell stands at.
    package enum Alignment: Sendable {
        /// At the left, as text.
        case left
        /// At the right, as numbers.
        case right
    }

    /// One column: its title, the edge its cells stand at, and how wide it may become.
    package struct Column: Sendable {
        /// The title, already safe for a terminal.
        package let title: String
        /// Which edge the title and the cells stand at.
        package let alignment: Alignment
        /// How many terminal columns the column may take at most.
        package let maxWidth: Int?

        /// A column; the title may come from an export.
        package init(_ title: String, _ alignment: Alignment = .left, maxWidth: Int? = nil) {
            self.title = TerminalText.safe(title)
            self.alignment = alignment
            self.maxWidth = maxWidth
        }

        /// A column for text.
        package static func left(_ title: String, maxWidth: Int? = nil) -> Column {
            Column(title, .left, maxWidth: maxWidth)
        }

        /// A column for numbers.
        package static func right(_ title: String, maxWidth: Int? = nil) -> Column {
            Column(title, .right, maxWidth: maxWidth)
        }
    }

    private let columns: [Column]
    private let indent: Int
    private var rows: [(cells: [String], isDim: Bool)] = []

    /// Two columns of space between neighbours: one is too little beside right-aligned numbers.
    private static let gutter = 2
    /// Shrinking stops here: three columns still say more than an ellipsis alone.
    private static let narrowest = 4

    /// A table without rows; `indent` spaces stand before each line.
    package init(_ columns: [Column], indent: Int = 0) {
        self.columns = columns
        self.indent = max(0, indent)
    }

    /// Whether nothing but the header would be printed.
    package var isEmpty: Bool { rows.isEmpty }

    /// Adds a row; missing cells are empty and surplus ones are dropped.
    package mutating func addRow(_ cells: [String], dim: Bool = false) {
        var cells = cells.prefix(columns.count).map(TerminalText.safe)
        while cells.count < columns.count { cells.append("") }
        rows.append((cells, dim))
    }

    /// The table as lines that each end in a line feed; at most `maxWidth` columns wide, as far as that is possible.
    package func render(maxWidth: Int? = nil, header: Bool = true, style: Style = .plain) -> String {
        let widths = fittingWidths(maxWidth: maxWidth, header: header)
        var text = ""
        if header { text += line(columns.map(\.title), widths, style: style.bold) }
        for row in rows { text += line(row.cells, widths, style: row.isDim ? style.dim : { $0 }) }
        return text
    }

    private func line(_ cells: [String], _ widths: [Int], style: (String) -> String) -> String {
        var text = ""
        for (index, cell) in cells.enumerated() {
            if index > 0 { text += String(repeating: " ", count: Self.gutter) }
            let shown = DisplayWidth.truncated(cell, to: widths[index])
            let padding = String(repeating: " ", count: max(0, widths[index] - DisplayWidth.of(shown)))
            text += columns[index].alignment == .right ? padding + shown : shown + padding
        }
        while text.last == " " { text.removeLast() }
        return text.isEmpty ? "\n" : String(repeating: " ", count: indent) + style(text) + "\n"
    }

    private func fittingWidths(maxWidth: Int?, header: Bool) -> [Int] {
        var widths = columns.map { header ? DisplayWidth.of($0.title) : 0 }
        for (cells, _) in rows {
            for (index, cell) in cells.enumerated() { widths[index] = max(widths[index], DisplayWidth.of(cell)) }
        }
        for (index, column) in columns.enumerated() {
            if let limit = column.maxWidth { widths[index] = min(widths[index], max(1, limit)) }
        }
        if let maxWidth { shrink(&widths, to: maxWidth - indent - Self.gutter * max(0, columns.count - 1)) }
        return widths
    }

    /// Takes columns away from the widest text column, one at a time; numbers are shortened only when all else is done.
    private func shrink(_ widths: inout [Int], to room: Int) {
        for alignment in [Alignment.left, .right] {
            while widths.reduce(0, +) > room {
                let candidates = columns.indices.filter {
                    columns[$0].alignment == alignment && widths[$0] > Self.narrowest
                }
                guard let widest = candidates.max(by: { widths[$0] < widths[$1] }) else { break }
                widths[widest] -= 1
            }
        }
    }
}
