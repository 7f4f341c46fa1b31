package import Basics
internal import HealthModel
package import Presentation
package import Questions

extension QuarantineRow: JSONConvertible {
    package var json: JSON {
        .row([
            "id": id, "type": type, "reason": reason, "line": line, "byteStart": byteStart, "byteEnd": byteEnd,
            "element": element,
        ])
    }

    /// The items as a table; their elements are text.
    package static func document(_ items: [QuarantineRow]) -> Document {
        guard !items.isEmpty else { return Document([.paragraph("Nothing is in quarantine.")]) }
        var table = Table([.right("Line"), .name("Type"), .words("Reason"), .left("Element", maxWidth: longest + 1)])
        for item in items {
            table.addRow([
                Counts.grouped(item.line), item.type.map(shortIdentifier) ?? "-", Wording.quarantine(item.reason),
                String(item.element.prefix(longest)) + (item.element.count > longest ? "…" : ""),
            ])
        }
        return Document([.table(table)])
    }

    /// Characters shown of an element.
    private static let longest = 400
}
