/// An element of the export as it stands there: name, attributes in order, child elements in order, text.
package final class ItemElement {
    package let name: String
    package var attributes: [(name: String, value: String)]
    package var children: [ItemElement] = []
    /// Character data, without runs that are white space only.
    package var text = ""

    package init(name: String, attributes: [(name: String, value: String)] = []) {
        self.name = name
        self.attributes = attributes
    }

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
