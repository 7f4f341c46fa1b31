/// A JSON value that serialises to RFC 8785 (JCS): members sorted by UTF-16 code units, shortest numbers, no spaces.
package indirect enum CanonicalJSON: Sendable {
    case null
    case bool(Bool)
    case integer(Int64)
    /// A finite number.
    case number(Double)
    case string(String)
    case array([CanonicalJSON])
    /// Members in any order; their names differ as bytes (Swift's `==` would merge canonically equivalent names).
    case object([(String, CanonicalJSON)])
    /// Text that is canonical JSON already.
    case canonical(String)

    /// The canonical text.
    package var text: String {
        let out = ByteBuffer(capacity: 256)
        append(to: out)
        return ByteView(out.base, out.count).string
    }

    package func append(to out: ByteBuffer) {
        switch self {
        case .null: out.append("null")
        case .bool(let flag): out.append(flag ? "true" : "false" as StaticString)
        case .integer(let value): out.append(decimal: value)
        case .number(let value): CanonicalNumber(value).append(to: out)
        case .string(let text): Self.appendString(text, to: out)
        case .array(let items):
            out.append(0x5B)
            for (index, item) in items.enumerated() {
                if index > 0 { out.append(0x2C) }
                item.append(to: out)
            }
            out.append(0x5D)
        case .object(let members):
            out.append(0x7B)
            let sorted = members.sorted { $0.0.utf16.lexicographicallyPrecedes($1.0.utf16) }
            for (index, member) in sorted.enumerated() {
                if index > 0 { out.append(0x2C) }
                Self.appendString(member.0, to: out)
                out.append(0x3A)
                member.1.append(to: out)
            }
            out.append(0x7D)
        case .canonical(let text): out.append(text)
        }
    }

    package static func appendString(_ text: String, to out: ByteBuffer) {
        var copy = text
        copy.withUTF8 { buffer in
            if let start = buffer.baseAddress {
                appendString(ByteView(start, buffer.count), to: out)
            } else {
                out.append("\"\"")
            }
        }
    }

    /// Appends a JSON string literal of UTF-8 bytes, escaped as RFC 8785 prescribes.
    package static func appendString(_ view: ByteView, to out: ByteBuffer) {
        out.append(0x22)
        var run = 0
        for i in 0..<view.count {
            let c = view.start[i]
            if c >= 0x20 && c != 0x22 && c != 0x5C { continue }
            if i > run { out.append(view.start + run, i - run) }
            run = i + 1
            switch c {
            case 0x22: out.append("\\\"")
            case 0x5C: out.append("\\\\")
            case 0x08: out.append("\\b")
            case 0x09: out.append("\\t")
            case 0x0A: out.append("\\n")
            case 0x0C: out.append("\\f")
            case 0x0D: out.append("\\r")
            default:
                out.append("\\u00")
                out.append(hexDigit(c >> 4))
                out.append(hexDigit(c & 15))
            }
        }
        if view.count > run { out.append(view.start + run, view.count - run) }
        out.append(0x22)
    }

    private static func hexDigit(_ nibble: UInt8) -> UInt8 { nibble < 10 ? 0x30 + nibble : 0x57 + nibble }
}
