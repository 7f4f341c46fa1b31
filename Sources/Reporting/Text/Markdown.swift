internal import TextFormats

/// Pieces of Markdown; what they hold is escaped.
enum Markdown {
    /// A heading with a table under it, and what the table leaves out.
    static func section(_ title: String, _ table: ReportTable) -> String {
        "\n### \(escaped(title))\n\n" + self.table(table.columns.map(\.name), table.rows)
            + (table.remark.map { "\n\(escaped($0))\n" } ?? "")
    }

    /// A table.
    static func table(_ heads: [String], _ rows: [[String]]) -> String {
        func line(_ cells: [String]) -> String { "| " + cells.joined(separator: " | ") + " |\n" }
        return line(heads) + line(heads.map { _ in "---" }) + rows.map { line($0.map(escaped)) }.joined()
    }

    /// A list.
    static func list(_ lines: [String]) -> String { lines.map { "- \(escaped($0))\n" }.joined() }

    /// Text that Markdown and the HTML that it becomes show as it is.
    static func escaped(_ text: String) -> String {
        var out = ""
        for character in TerminalText.safe(text) {
            if "\\`*_{}[]()#+!|<>&~".contains(character) { out.append("\\") }
            out.append(character)
        }
        return out
    }
}
