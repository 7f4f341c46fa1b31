internal import Basics

/// XML text in a byte buffer; what is escaped is what Apple's exports escape, and white space that a reader would lose.
extension ByteBuffer {
    /// Appends one attribute with its leading space.
    func appendAttribute(_ name: String, _ value: String) {
        append(0x20)
        append(name)
        append("=\"")
        appendEscaped(value)
        append(0x22)
    }

    /// Appends text, escaped for an attribute value or for content.
    func appendEscaped(_ text: String) { text.withByteView { appendEscaped($0) } }

    /// Appends text, escaped for an attribute value or for content.
    func appendEscaped(_ view: ByteView) {
        var run = 0
        for index in 0..<view.count {
            let byte = view[index]
            guard let entity = Self.entity(byte) else { continue }
            if index > run { append(view[run..<index]) }
            append(entity)
            run = index + 1
        }
        if view.count > run { append(view[run...]) }
    }

    /// Appends the string literal of canonical JSON that begins behind the quotation mark at `from`, escaped as XML.
    ///
    /// - Returns: the place behind the closing quotation mark.
    func appendEscaped(literal json: ByteView, from: Int) -> Int {
        let end = JSONScanner.endOfString(in: json, at: from - 1) ?? json.count + 1
        let literal = json[from..<end - 1]
        if literal.contains(.backslash) {
            // The reader lets no other control character in, and XML could not carry one.
            let text = JSONScanner.unescaped(literal)?.map {
                $0 < .space && Self.entity($0) == nil ? UInt8(ascii: "?") : $0
            }
            text?.withByteView { appendEscaped($0) }
        } else {
            appendEscaped(literal)
        }
        return end
    }

    @inline(__always)
    private static func entity(_ byte: UInt8) -> StaticString? {
        // Most bytes are letters and digits.
        if byte > 0x3E { return nil }
        switch byte {
        case 0x26: return "&amp;"
        case 0x3C: return "&lt;"
        case 0x3E: return "&gt;"
        case 0x22: return "&quot;"
        case 0x09: return "&#9;"
        case 0x0A: return "&#10;"
        case 0x0D: return "&#13;"
        default: return nil
        }
    }

    /// Appends the indentation of a level.
    @inline(__always)
    func indent(_ level: Int) {
        for _ in 0..<level { append(0x20) }
    }
}
