internal import Basics

/// A document as Markdown, with tables in place of charts.
///
/// What an export said is escaped, so that it can neither format nor link.
package enum MarkdownRenderer {
    /// The whole text.
    package static func text(_ document: Document) -> String { text(document.blocks) }

    private static func text(_ blocks: [Document.Block]) -> String {
        blocks.map(text).filter { !$0.isEmpty }.joined(separator: "\n")
    }

    private static func text(_ block: Document.Block) -> String {
        switch block {
        case .title(let title): "# \(line(title))\n"
        case .heading(let title, _): "## \(line(title))\n"
        case .subheading(let title): "### \(line(title))\n"
        case .paragraph(let text, _): line(text) + "\n"
        case .facts(let facts): list(facts.compactMap { fact in fact.value.map { "\(fact.name): \($0)" } })
        case .table(let table): self.table(table)
        case .list(let items, _):
            list(items.map { ($0.marker.map { $0 + " " } ?? "") + $0.text + ($0.note.map { " (\($0))" } ?? "") })
        case .labels(let labels): "Labels: " + escaped(labels.joined(separator: ", ")) + "\n"
        case .figures(let figures): list(figures.map(\.sentence))
        case .sides(let sides): self.sides(sides)
        case .charts(let charts): text(charts.flatMap(\.blocks))
        case .folded(let title, let blocks): self.text([.paragraph(title)] + blocks)
        case .queries: ""
        }
    }

    private static func table(_ table: Table) -> String {
        self.table(table.columns.map(\.title), table.rows.map(\.cells))
            + (table.remark.map { "\n\(escaped($0))\n" } ?? "")
    }

    private static func table(_ heads: [String], _ rows: [[String]]) -> String {
        func line(_ cells: [String]) -> String { "| " + cells.joined(separator: " | ") + " |\n" }
        return line(heads.map(escaped)) + line(heads.map { _ in "---" }) + rows.map { line($0.map(escaped)) }.joined()
    }

    /// A column for each side, and under it the lists of each.
    private static func sides(_ sides: [Document.Side]) -> String {
        let names = sides.first?.facts.map(\.name) ?? []
        let rows = names.indices.map { index in
            [names[index]] + sides.map { $0.facts.indices.contains(index) ? $0.facts[index].value ?? "-" : "-" }
        }
        let shown = rows.filter { row in row.dropFirst().contains { $0 != "-" } }
        let lists = sides.flatMap { side -> [Document.Block] in
            side.lists.filter { !$0.lines.isEmpty }.flatMap {
                [.subheading("\(side.title): \($0.title)"), .list($0.lines.map { .init($0) })]
            }
        }
        return table([""] + sides.map(\.title), shown) + (lists.isEmpty ? "" : "\n" + text(lists))
    }

    private static func list(_ lines: [String]) -> String { lines.map { "- \(line($0))\n" }.joined() }

    /// Text that Markdown and the HTML that it becomes show as it is.
    private static func escaped(_ text: String) -> String {
        var out = ""
        for character in TerminalText.safe(text.unquoted) {
            if "\\`*_{}[]()#+!|<>&~@".contains(character) { out.append("\\") }
            out.append(character)
        }
        // Addresses become links without any brackets.
        return out.replacing("://", with: "\\://").replacing(/www\./.ignoresCase()) { "\($0.output.dropLast())\\." }
    }

    /// Text at the beginning of a line, where some of it would make a list, a rule or code.
    private static func line(_ text: String) -> String {
        let out = escaped(text)
        if out.hasPrefix(" ") { return "&#32;" + out.dropFirst() }
        if out.hasPrefix("-") || out.hasPrefix("=") { return "\\" + out }
        return out.replacing(/^([0-9]+)\./) { "\($0.output.1)\\." }
    }
}
