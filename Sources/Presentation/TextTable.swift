internal import TextFormats

/// A table of text in columns, as wide as its cells are, or as narrow as the terminal asks for.
///
/// Every cell and title goes through `TerminalText.safe` when it is added, so a table cannot carry control
/// sequences from an export; style is applied afterwards, and none unless the caller hands one over.
package struct TextTable: Sendable {
    /// What the cells of a column are: it says at which edge they stand, and what may be cut from them.
    package enum Kind: Sendable {
        /// At the left; cut at the end.
        case text
        /// At the left; cut in the middle, since names of a kind begin alike.
        case name
        /// At the left; never cut: a cut date or hash reads like another one.
        case exact
        /// At the right; never cut, unless the column has a limit of its own.
        case number
    }

    /// One column: its title, what its cells are, how wide it may become, and whether it may be left out.
    package struct Column: Sendable {
        /// The title, already safe for a terminal.
        package let title: String
        package let kind: Kind
        /// How many terminal columns the column may take at most.
        package let maxWidth: Int
        /// Columns are left out where there is no room, the lowest number first; nil for never.
        package let leftOut: Int?

        /// A column; the title may come from an export.
        package init(_ title: String, _ kind: Kind = .text, maxWidth: Int? = nil, leftOut: Int? = nil) {
            self.title = TerminalText.safe(title)
            self.kind = kind
            self.maxWidth = max(1, maxWidth ?? (kind == .exact ? TextTable.widestExact : TextTable.widest))
            self.leftOut = leftOut
        }

        /// A column for text.
        package static func left(_ title: String, maxWidth: Int? = nil, leftOut: Int? = nil) -> Column {
            Column(title, .text, maxWidth: maxWidth, leftOut: leftOut)
        }

        /// A column for names.
        package static func name(_ title: String) -> Column { Column(title, .name) }

        /// A column for dates, hashes and the like.
        package static func exact(_ title: String, leftOut: Int? = nil) -> Column {
            Column(title, .exact, leftOut: leftOut)
        }

        /// A column for numbers.
        package static func right(_ title: String, maxWidth: Int? = nil, leftOut: Int? = nil) -> Column {
            Column(title, .number, maxWidth: maxWidth, leftOut: leftOut)
        }

        /// A cell's text in so many terminal columns.
        func cut(_ text: String, to width: Int) -> String {
            kind == .name ? DisplayWidth.shortened(text, to: width) : DisplayWidth.truncated(text, to: width)
        }
    }

    private let columns: [Column]
    private let indent: Int
    private var rows: [(cells: [String], isDim: Bool)] = []

    /// What a cell takes at most, wherever it is printed: an export may name a source with a megabyte, and every cell of
    /// its column is padded to the widest. JSON and CSV have all of it.
    private static let widest = 200
    /// Paths and hashes are whole or of no use.
    private static let widestExact = 4_096

    /// A table without rows; `indent` spaces stand before each line.
    package init(_ columns: [Column], indent: Int = 0) {
        self.columns = columns
        self.indent = max(0, indent)
    }

    /// Whether nothing but the header would be printed.
    package var isEmpty: Bool { rows.isEmpty }

    /// Adds a row; missing cells are empty and surplus ones are dropped.
    package mutating func addRow(_ cells: [String], dim: Bool = false) {
        var cells = zip(columns, cells).map { $0.cut(TerminalText.safe($1), to: $0.maxWidth) }
        while cells.count < columns.count { cells.append("") }
        rows.append((cells, dim))
    }

    /// The table as lines that each end in a line feed; at most `maxWidth` columns wide, as far as that is possible
    /// without cutting numbers and dates. Columns that were left out for it are named at the end.
    package func render(maxWidth: Int? = nil, header: Bool = true, style: Style = .plain) -> String {
        let widths = ColumnWidths(columns, contents: contentWidths(), header: header)
            .fitting(maxWidth.map { $0 - indent })
        var text = ""
        if header { text += heading(widths, style) }
        for row in rows { text += line(row.cells, widths, style: row.isDim ? style.dim : { $0 }) }
        let missing = columns.indices.filter { widths[$0] == nil }.map { columns[$0].title }.filter { !$0.isEmpty }
        if !missing.isEmpty { text += margin + style.dim("No room for: \(missing.joined(separator: ", ")).") + "\n" }
        return text
    }

    private var margin: String { String(repeating: " ", count: indent) }

    /// The titles, in as many lines as the longest needs; each ends in the last of them.
    private func heading(_ widths: [Int?], _ style: Style) -> String {
        let titles = columns.indices.map { index in
            widths[index].map { ColumnWidths.wrapped(columns[index].title, to: $0) } ?? []
        }
        let height = titles.map(\.count).max() ?? 0
        return (0..<height).map { row in
            let words = titles.map { lines in
                let index = row - (height - lines.count)
                return lines.indices.contains(index) ? lines[index] : ""
            }
            return line(words, widths, style: style.bold)
        }.joined()
    }

    private func line(_ cells: [String], _ widths: [Int?], style: (String) -> String) -> String {
        var text = ""
        var isFirst = true
        for (index, cell) in cells.enumerated() {
            guard let width = widths[index] else { continue }
            if !isFirst { text += String(repeating: " ", count: ColumnWidths.gutter) }
            isFirst = false
            let shown = columns[index].cut(cell, to: width)
            let padding = String(repeating: " ", count: max(0, width - DisplayWidth.of(shown)))
            text += columns[index].kind == .number ? padding + shown : shown + padding
        }
        while text.last == " " { text.removeLast() }
        return text.isEmpty ? "\n" : margin + style(text) + "\n"
    }

    private func contentWidths() -> [Int] {
        var widths = columns.map { _ in 0 }
        for (cells, _) in rows {
            for (index, cell) in cells.enumerated() { widths[index] = max(widths[index], DisplayWidth.of(cell)) }
        }
        return zip(widths, columns).map { min($0, $1.maxWidth) }
    }
}
