internal import HealthModel

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
    func appendEscaped(_ text: String) {
        var copy = text
        copy.withUTF8 { if let start = $0.baseAddress { appendEscaped(ByteView(start, $0.count)) } }
    }

    /// Appends text, escaped for an attribute value or for content.
    func appendEscaped(_ view: ByteView) {
        var run = 0
        for index in 0..<view.count {
            let byte = view.start[index]
            guard let entity = Self.entity(byte) else { continue }
            if index > run { append(view.start + run, index - run) }
            append(entity)
            run = index + 1
        }
        if view.count > run { append(view.start + run, view.count - run) }
    }

    /// Appends the string literal of canonical JSON that begins behind the quotation mark at `from`, escaped as XML.
    ///
    /// - Returns: the place behind the closing quotation mark.
    func appendEscaped(literal json: ByteView, from: Int) -> Int {
        var at = from
        var run = from
        while at < json.count {
            let byte = json.start[at]
            if byte == 0x22 { break }
            guard byte == 0x5C || Self.entity(byte) != nil else {
                at += 1
                continue
            }
            if at > run { append(json.start + run, at - run) }
            if byte == 0x5C {
                at += appendUnescaped(json, at + 1)
            } else if let entity = Self.entity(byte) {
                append(entity)
                at += 1
            }
            run = at
        }
        if at > run { append(json.start + run, at - run) }
        return at + 1
    }

    /// Appends what the JSON escape at `at` stands for; returns its length with the backslash.
    private func appendUnescaped(_ json: ByteView, _ at: Int) -> Int {
        guard at < json.count else { return 1 }
        switch json.start[at] {
        case 0x22: append("&quot;")
        case 0x6E: append("&#10;")
        case 0x72: append("&#13;")
        case 0x74: append("&#9;")
        case 0x5C, 0x2F: append(json.start[at])
        // The reader lets no other control character in, and XML could not carry one.
        case 0x75:
            append("?")
            return 6
        default: append("?")
        }
        return 2
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
