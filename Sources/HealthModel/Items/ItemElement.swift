/// An element of the export as it is there: name, attributes in order, child elements in order, text.
package final class ItemElement {
    package let name: String
    package var attributes: [(name: String, value: String)]
    package var children: [ItemElement] = []
    /// Character data, without runs that are white space only.
    package var text = ""
    /// Set where a cap cut the element off: it has only what came before.
    package var overCap: QuarantineReason?
    /// Where it is in the XML, as far as that differs from the place of the item that it is part of.
    package var place: XMLPlace?

    package init(name: String, attributes: [(name: String, value: String)] = []) {
        self.name = name
        self.attributes = attributes
    }

    /// Its attributes are texts, even where they look like dates.
    var isMetadataEntry: Bool { name == "MetadataEntry" }

    package subscript(_ attribute: String) -> String? {
        attributes.first { $0.name == attribute }?.value
    }

    /// The element written as XML again, for quarantine; not byte for byte what the file has.
    package var xml: String {
        var out = "<\(name)"
        for (name, value) in attributes { out += " \(name)=\"\(Self.escaped(value))\"" }
        if children.isEmpty && text.isEmpty { return out + "/>" }
        out += ">" + Self.escaped(text)
        for child in children { out += child.xml }
        return out + "</\(name)>"
    }

    private static func escaped(_ text: String) -> String {
        var out = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": out += "&amp;"
            case "<": out += "&lt;"
            case ">": out += "&gt;"
            case "\"": out += "&quot;"
            case "\n", "\t", "\r": out += "&#\(scalar.value);"
            default: out.unicodeScalars.append(scalar)
            }
        }
        return out
    }
}

/// Where an element is in the XML.
package struct XMLPlace: Sendable, Hashable {
    /// The line of its `<`, counted from 1.
    package var line: Int64
    /// The offset of its `<` in bytes.
    package var byteStart: Int64
    /// The offset behind its last `>` in bytes.
    package var byteEnd: Int64

    /// The place of what is not in the XML.
    package static let none = XMLPlace(line: 0, byteStart: 0, byteEnd: 0)

    package init(line: Int64, byteStart: Int64, byteEnd: Int64) {
        self.line = line
        self.byteStart = byteStart
        self.byteEnd = byteEnd
    }
}

/// Names outside the known grammar as readers count them.
package enum UnknownName {
    /// The name under which all names beyond the counted ones are counted together.
    package static let others = "(others)"
}
