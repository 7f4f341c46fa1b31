/// The two serialisations of a JSON value; both have no spaces and the shortest numbers.
package enum JSONForm {
    /// RFC 8785 (JCS): members sorted by UTF-16 code units, and only what must be escaped is.
    case canonical
    /// Members in the order given. Strings are escaped beyond what RFC 8259 asks for: U+2028 and U+2029, which end a line
    /// in JavaScript, and the characters that `TerminalText` considers unsafe, so that a JSON line on a terminal is as
    /// harmless as a table. A reader gets the original text back in either form.
    case line
}

extension JSON {
    /// The value in canonical form.
    package var canonicalText: String { written(.canonical) }

    /// The value as one line with the members in their order, without a line end.
    package var line: String { written(.line) }

    private func written(_ form: JSONForm) -> String {
        let out = ByteBuffer(capacity: 256)
        out.append(self, form)
        return out.text
    }
}

extension ByteBuffer {
    /// Appends a value and a line feed: one line of newline-delimited JSON.
    package func append(line json: JSON) {
        append(json, .line)
        append(.lineFeed)
    }

    /// Appends the members of an object as in a line, without its braces.
    package func append(membersOf object: JSON) { append(members: object.members, .line) }

    private func append(members: [(String, JSON)], _ form: JSONForm) {
        for (index, (name, value)) in members.enumerated() {
            if index > 0 { append(.comma) }
            append(json: name, form)
            append(.colon)
            append(value, form)
        }
    }

    package func append(_ json: JSON, _ form: JSONForm) {
        switch json {
        case .null: append("null" as StaticString)
        case .bool(let flag): append(flag ? "true" : "false" as StaticString)
        case .int(let value): append(decimal: value)
        case .double(let value): append(json: value)
        case .string(let text): append(json: text, form)
        case .array(let items):
            append(.openingBracket)
            for (index, item) in items.enumerated() {
                if index > 0 { append(.comma) }
                append(item, form)
            }
            append(.closingBracket)
        case .object(let members):
            append(.openingBrace)
            append(members: form.ordered(members), form)
            append(.closingBrace)
        case .canonical(let text):
            // Printable ASCII is the same in both forms.
            if form == .canonical || text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) {
                append(text)
            } else {
                append(JSON.parse(text) ?? .null, form)
            }
        }
    }

    /// Appends a number in its shortest form; NaN and the infinities, which JSON does not have, are `null`.
    package func append(json number: Double) {
        if let whole = Int64(exactly: number), whole.magnitude < 1 << 53 {
            append(decimal: whole)
        } else if number.isFinite {
            CanonicalNumber(number).append(to: self)
        } else {
            append("null" as StaticString)
        }
    }

    /// Appends a string in quotation marks.
    package func append(json text: String, _ form: JSONForm = .canonical) {
        switch form {
        case .canonical: text.withByteView { append(json: $0) }
        case .line:
            append(.quotationMark)
            let isPlain = text.withByteView { view in
                for index in 0..<view.count where Self.mayNeedEscape(view[index]) { return false }
                append(view)
                return true
            }
            if !isPlain { for scalar in text.unicodeScalars { appendEscaped(scalar) } }
            append(.quotationMark)
        }
    }

    /// Appends the canonical string literal of UTF-8 bytes.
    package func append(json view: ByteView) {
        append(.quotationMark)
        var run = 0
        for i in 0..<view.count {
            let c = view[i]
            if c >= .space && c != .quotationMark && c != .backslash { continue }
            if i > run { append(view[run..<i]) }
            run = i + 1
            append(.backslash)
            switch c {
            case .quotationMark, .backslash: append(c)
            case 0x08: append(UInt8(ascii: "b"))
            case 0x09: append(UInt8(ascii: "t"))
            case 0x0A: append(UInt8(ascii: "n"))
            case 0x0C: append(UInt8(ascii: "f"))
            case 0x0D: append(UInt8(ascii: "r"))
            default: appendEscape(of: UInt16(c))
            }
        }
        if view.count > run { append(view[run...]) }
        append(.quotationMark)
    }

    private func appendEscaped(_ scalar: Unicode.Scalar) {
        if scalar == "\"" || scalar == "\\" {
            append(.backslash)
            append(UInt8(truncatingIfNeeded: scalar.value))
        } else if TerminalText.isUnsafe(scalar) {
            for unit in UTF16.encode(scalar) ?? .init() {
                append(.backslash)
                appendEscape(of: unit)
            }
        } else {
            for byte in UTF8.encode(scalar) ?? .init() { append(byte) }
        }
    }

    /// Appends `u` and four digits, which follow a backslash.
    private func appendEscape(of unit: UInt16) {
        append(UInt8(ascii: "u"))
        for shift in [12, 8, 4, 0] { append(.hexDigit(UInt8(truncatingIfNeeded: unit >> shift & 15))) }
    }

    private static func mayNeedEscape(_ byte: UInt8) -> Bool {
        byte == .quotationMark || byte == .backslash || TerminalText.mayBeginUnsafeScalar(byte)
    }
}

extension JSONForm {
    fileprivate func ordered(_ members: [(String, JSON)]) -> [(String, JSON)] {
        self == .line ? members : members.sorted { $0.0.utf16.lexicographicallyPrecedes($1.0.utf16) }
    }
}
