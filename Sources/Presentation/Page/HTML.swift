/// A piece of HTML or SVG that is well-formed by construction: text is escaped, elements are closed.
package struct HTML: Sendable, ExpressibleByStringInterpolation {
    package private(set) var text: String

    /// Plain text, escaped.
    package init(_ plain: String) { text = HTMLText.escaped(plain) }

    /// Plain text, escaped.
    package init(stringLiteral value: String) { self.init(value) }

    /// Several pieces, one after the other.
    package init(_ pieces: [HTML], separator: String = "") {
        text = pieces.map(\.text).joined(separator: HTMLText.escaped(separator))
    }

    private init(markup: String) { text = markup }

    /// Nothing.
    package static var empty: HTML { HTML(markup: "") }

    /// Text of the program's own that is no data, such as a style sheet.
    package static func verbatim(_ own: StaticString) -> HTML { HTML(markup: "\(own)") }

    /// An element with its attributes in the order given; one without a value is left out.
    package static func element(
        _ name: StaticString, _ attributes: KeyValuePairs<String, String?> = [:], _ content: HTML...
    )
        -> HTML
    {
        element(name, attributes, content)
    }

    /// An element with many children.
    package static func element(
        _ name: StaticString, _ attributes: KeyValuePairs<String, String?> = [:], _ content: [HTML]
    )
        -> HTML
    {
        var markup = opening(name, attributes) + ">"
        for piece in content { markup += piece.text }
        markup += "</"
        markup += name.description
        markup += ">"
        return HTML(markup: markup)
    }

    /// An element without content.
    package static func void(_ name: StaticString, _ attributes: KeyValuePairs<String, String?> = [:]) -> HTML {
        HTML(markup: opening(name, attributes) + ">")
    }

    /// An SVG element without content.
    package static func shape(_ name: StaticString, _ attributes: KeyValuePairs<String, String?>) -> HTML {
        HTML(markup: opening(name, attributes) + "/>")
    }

    /// Text that an export supplied: isolated, so that its direction cannot reorder what is around it.
    package static func foreign(_ text: String) -> HTML {
        text.isEmpty ? .empty : element("bdi", [:], plainProse(text))
    }

    /// A text of the program's own, in which what is quoted of an export is isolated.
    package static func prose(_ text: String) -> HTML {
        guard text.utf8.contains(Quotation.firstByte), text.contains(Quotation.start) else { return plainProse(text) }
        let parts = text.split(separator: Quotation.start, omittingEmptySubsequences: false)
        return HTML(
            [plainProse(String(parts[0]))]
                + parts.dropFirst().flatMap { part -> [HTML] in
                    let quoted = part.prefix { $0 != Quotation.end }
                    return [foreign(String(quoted)), plainProse(String(part.dropFirst(quoted.count + 1)))]
                })
    }

    /// Text whose lines break well: not inside dates, and in long identifiers before a capital letter.
    private static func plainProse(_ text: String) -> HTML {
        if text.utf8.count < longestWhole, !text.utf8.contains(UInt8(ascii: "-")) { return HTML(text) }
        return HTML(
            text.split(separator: " ", omittingEmptySubsequences: false).map { word in
                if word.utf8.count <= longestDate, word.utf8.contains(UInt8(ascii: "-")),
                    word.contains(where: \.isNumber)
                {
                    return element("span", ["class": "whole"], HTML(String(word)))
                }
                return word.utf8.count < longestWhole ? HTML(String(word)) : breakable(word)
            }, separator: " ")
    }

    /// A long identifier that may break before a capital letter which follows a small one.
    private static func breakable(_ word: Substring) -> HTML {
        var pieces: [HTML] = []
        var piece = ""
        for letter in word {
            if letter.isUppercase, piece.last?.isLowercase == true {
                pieces += [HTML(piece), void("wbr")]
                piece = ""
            }
            piece.append(letter)
        }
        return HTML(pieces + [HTML(piece)])
    }

    /// In bytes: a date with a mark behind it.
    private static let longestDate = 12
    /// In bytes: what fits into a line at 400 px in the size of headings.
    private static let longestWhole = 30

    private static func opening(_ name: StaticString, _ attributes: KeyValuePairs<String, String?>) -> String {
        var markup = "<"
        markup += name.description
        for case (let attribute, let value?) in attributes {
            // A page has thousands, and interpolation is slow.
            markup += " "
            markup += attribute
            markup += "=\""
            markup += HTMLText.escaped(value)
            markup += "\""
        }
        return markup
    }
}
