internal import Basics
internal import Foundation

/// A document as text for a terminal, or for a file that a terminal may show later.
package struct TerminalRenderer: Sendable {
    package var style: Style
    /// The terminal's columns; nil where the output is none.
    package var width: Int?

    package init(style: Style = .plain, width: Int? = nil) {
        self.style = style
        self.width = width
    }

    /// The whole document; whatever an export said is safe in it.
    package func text(_ document: Document) -> String {
        var text = ""
        var isAtTitle = true
        for block in document.blocks {
            text += self.text(block, isAtTitle: isAtTitle)
            if case .title = block { isAtTitle = true } else { isAtTitle = false }
        }
        return text
    }

    /// - Parameter isAtTitle: a table at the document's beginning needs no margin.
    private func text(_ block: Document.Block, isAtTitle: Bool = false) -> String {
        switch block {
        case .title(let title): style.bold(Self.safe(title)) + "\n"
        case .heading(let title, _), .subheading(let title): "\n" + style.bold(Self.safe(title)) + "\n"
        case .paragraph(let text, .attached): Self.safe(text) + "\n"
        case .paragraph(let text, .apart): "\n" + Self.safe(text) + "\n"
        case .paragraph(let text, .remark): "  " + Self.safe(text) + "\n"
        case .facts(let facts): self.facts(facts)
        case .table(let table): self.table(table, indent: isAtTitle ? 0 : 2)
        case .list(let items, let isIndented):
            items.map { line($0, margin: isIndented ? "  " : "") }.joined()
        case .labels(let labels): self.text(.paragraph(labels.joined(separator: ", "), .remark))
        case .figures(let figures): self.text(.list(figures.map { .init($0.sentence) }))
        case .sides(let sides): self.text(sides.flatMap(\.blocks))
        case .charts(let charts): self.text(charts.flatMap(\.blocks))
        case .folded(let title, let blocks): self.text([.heading(title)] + blocks)
        case .queries: ""
        }
    }

    private func text(_ blocks: [Document.Block]) -> String { blocks.map { text($0) }.joined() }

    private func table(_ table: Table, indent: Int) -> String {
        table.terminalText(maxWidth: width, indent: indent, style: style)
            + (table.remark.map { text(.paragraph($0, .remark)) } ?? "")
    }

    private func facts(_ facts: [Document.Fact]) -> String {
        var table = Table([.exact(""), .exact("")])
        for fact in facts {
            if let value = fact.value { table.addRow([fact.name, value]) }
        }
        return table.rows.isEmpty ? "" : table.terminalText(maxWidth: width, indent: 2, header: false, style: style)
    }

    private static func safe(_ text: String) -> String { TerminalText.safe(text.unquoted) }

    private func line(_ item: Document.Item, margin: String) -> String {
        margin + (item.marker.map { $0 + " " } ?? "") + Self.safe(item.text)
            + (item.note.map { "  " + style.dim("(\(Self.safe($0)))") } ?? "") + "\n"
    }
}

extension Document.Figure {
    /// The figure where it is not drawn.
    var sentence: String { "\(Counts.of(count, noun)) \(name): \(meaning)" }
}

extension Document.Side {
    /// What a side shows where it is alone.
    fileprivate var blocks: [Document.Block] {
        [.heading(title), .facts(facts)]
            + lists.flatMap { [.subheading($0.title), .list($0.lines.map { .init($0) })] }
    }
}

/// What the process can learn about the terminal behind a file descriptor.
package enum Terminal {
    /// Whether the descriptor (1 is standard output, 2 standard error) is a terminal.
    package static func isTerminal(_ descriptor: Int32) -> Bool { isatty(descriptor) == 1 }

    /// The columns of the terminal behind the descriptor; `nil` when it is none, or does not say.
    package static func columns(_ descriptor: Int32) -> Int? {
        guard let size = terminalSize(descriptor), size.ws_col > 0 else { return nil }
        return Int(size.ws_col)
    }
}
