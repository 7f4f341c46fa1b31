internal import Basics

extension Table {
    /// The table as lines that each end in a line feed; at most `maxWidth` columns wide, as far as that is possible
    /// without cutting numbers and dates. Columns that were left out for it are named at the end.
    ///
    /// Every cell and title goes through `TerminalText.safe`, so a table cannot carry control sequences from an export;
    /// style is applied afterwards.
    package func terminalText(
        maxWidth: Int? = nil, indent: Int = 0, header: Bool = true, style: Style = .plain
    ) -> String {
        let lines = TerminalLines(self, maxWidth: maxWidth, margin: max(0, indent), header: header)
        return (header ? lines.heading(style) : "") + lines.rows(style) + lines.missing(style)
    }
}

/// A table's cells as a terminal shows them, and the widths of its columns.
private struct TerminalLines {
    private let columns: [Table.Column]
    private let cells: [(cells: [String], isDim: Bool)]
    private let widths: [Int?]
    private let margin: String

    init(_ table: Table, maxWidth: Int?, margin: Int, header: Bool) {
        columns = table.columns.map {
            Table.Column(TerminalText.safe($0.title), $0.kind, maxWidth: $0.maxWidth, leftOut: $0.leftOut)
        }
        cells = table.rows.map { row in
            (zip(table.columns, row.cells).map { $0.cut(TerminalText.safe($1.unquoted), to: $0.maxWidth) }, row.isDim)
        }
        var contents = columns.map { _ in 0 }
        for (cells, _) in cells {
            for (index, cell) in cells.enumerated() { contents[index] = max(contents[index], DisplayWidth.of(cell)) }
        }
        widths = ColumnWidths(columns, contents: zip(contents, columns).map { min($0, $1.maxWidth) }, header: header)
            .fitting(maxWidth.map { $0 - margin })
        self.margin = String(repeating: " ", count: margin)
    }

    func rows(_ style: Style) -> String {
        var text = ""
        for (cells, isDim) in cells { text += line(cells, style: isDim ? style.dim : { $0 }) }
        return text
    }

    /// The titles of the columns that were left out.
    func missing(_ style: Style) -> String {
        let missing = columns.indices.filter { widths[$0] == nil }.map { columns[$0].title }.filter { !$0.isEmpty }
        return missing.isEmpty ? "" : margin + style.dim("No room for: \(missing.joined(separator: ", ")).") + "\n"
    }

    /// The titles, in as many lines as the longest needs; each ends in the last of them.
    func heading(_ style: Style) -> String {
        let titles = columns.indices.map { index in
            widths[index].map { ColumnWidths.wrapped(columns[index].title, to: $0) } ?? []
        }
        let height = titles.map(\.count).max() ?? 0
        return (0..<height).map { row in
            let words = titles.map { lines in
                let index = row - (height - lines.count)
                return lines.indices.contains(index) ? lines[index] : ""
            }
            return line(words, style: style.bold)
        }.joined()
    }

    private func line(_ cells: [String], style: (String) -> String) -> String {
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
}

extension Table.Column {
    /// A cell's text in so many terminal columns.
    fileprivate func cut(_ text: String, to width: Int) -> String {
        kind == .name ? DisplayWidth.shortened(text, to: width) : DisplayWidth.truncated(text, to: width)
    }
}
