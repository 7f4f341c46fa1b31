package import Foundation
package import Presentation
internal import TextFormats

/// How text for people is laid out: its style, its width, and on which clocks times are shown.
package struct TextLayout: Sendable {
    package var style: Style
    /// The terminal's columns; nil where the output is none.
    package var width: Int?
    package var zone: TimeZone

    package init(style: Style, width: Int?, zone: TimeZone) {
        self.style = style
        self.width = width
        self.zone = zone
    }

    /// `UTC`, or the zone's identifier.
    package var zoneName: String { zone.secondsFromGMT() == 0 && zone.identifier == "GMT" ? "UTC" : zone.identifier }

    /// `2024-05-01 12:00:00`, or `-`.
    package func time(_ seconds: Int64?) -> String {
        seconds.map { ISO8601.local(unixSeconds: $0, zone: zone) } ?? "-"
    }

    /// `2024-05-01`, or `-`.
    package func day(_ seconds: Int64?) -> String {
        seconds.map { ISO8601.localDay(unixSeconds: $0, zone: zone) } ?? "-"
    }

    /// A table as text.
    package func render(_ table: TextTable, header: Bool = true) -> String {
        table.render(maxWidth: width, header: header, style: style)
    }

    /// Names and values under each other; rows without a value are left out.
    package func facts(_ rows: [(String, String?)]) -> String {
        var table = TextTable([.exact(""), .exact("")], indent: 2)
        for (name, value) in rows {
            if let value { table.addRow([name, value]) }
        }
        return table.isEmpty ? "" : render(table, header: false)
    }

    /// A heading with a table under it; nothing where the table has no rows.
    package func section(_ title: String, _ table: TextTable) -> String {
        table.isEmpty ? "" : "\n" + style.bold(title) + "\n" + render(table)
    }

    /// A heading with sentences under it; the sentences may come from an export.
    package func section(_ title: String, _ lines: [String]) -> String {
        lines.isEmpty ? "" : "\n" + style.bold(title) + "\n" + lines.map { "  \(TerminalText.safe($0))\n" }.joined()
    }
}
