internal import Presentation

/// Reads the JSON that the archive stores, keeping the order of the members.
///
/// What is stored is canonical (RFC 8785), but an archive may be damaged: anything else yields nil, never a trap.
struct StoredJSON {
    private let bytes: [UInt8]
    private var at = 0
    /// Exports nest 64 elements at most, each two levels of JSON.
    private static let maximumDepth = 256

    /// The value of a text; nil where it is no JSON.
    static func parse(_ text: String) -> JSON? {
        var parser = StoredJSON(bytes: Array(text.utf8))
        guard let value = parser.value(depth: 0) else { return nil }
        parser.skipSpace()
        return parser.at == parser.bytes.count ? value : nil
    }

    private init(bytes: [UInt8]) { self.bytes = bytes }

    private mutating func value(depth: Int) -> JSON? {
        skipSpace()
        guard at < bytes.count, depth < Self.maximumDepth else { return nil }
        switch bytes[at] {
        case UInt8(ascii: "{"): return object(depth: depth)
        case UInt8(ascii: "["): return array(depth: depth)
        case UInt8(ascii: "\""): return string().map { .string($0) }
        case UInt8(ascii: "t"): return literal("true", .bool(true))
        case UInt8(ascii: "f"): return literal("false", .bool(false))
        case UInt8(ascii: "n"): return literal("null", .null)
        default: return number()
        }
    }

    private mutating func object(depth: Int) -> JSON? {
        at += 1
        var members: [(String, JSON)] = []
        if take(UInt8(ascii: "}")) { return .object(members) }
        while true {
            skipSpace()
            guard let name = string(), take(UInt8(ascii: ":")), let value = value(depth: depth + 1) else { return nil }
            members.append((name, value))
            if take(UInt8(ascii: "}")) { return .object(members) }
            guard take(UInt8(ascii: ",")) else { return nil }
        }
    }

    private mutating func array(depth: Int) -> JSON? {
        at += 1
        var elements: [JSON] = []
        if take(UInt8(ascii: "]")) { return .array(elements) }
        while true {
            guard let value = value(depth: depth + 1) else { return nil }
            elements.append(value)
            if take(UInt8(ascii: "]")) { return .array(elements) }
            guard take(UInt8(ascii: ",")) else { return nil }
        }
    }

    private mutating func string() -> String? {
        guard at < bytes.count, bytes[at] == UInt8(ascii: "\"") else { return nil }
        at += 1
        var out: [UInt8] = []
        while at < bytes.count {
            let byte = bytes[at]
            at += 1
            switch byte {
            case UInt8(ascii: "\""): return String(decoding: out, as: UTF8.self)
            case UInt8(ascii: "\\"): guard escape(into: &out) else { return nil }
            default: out.append(byte)
            }
        }
        return nil
    }

    private mutating func escape(into out: inout [UInt8]) -> Bool {
        guard at < bytes.count else { return false }
        let byte = bytes[at]
        at += 1
        switch byte {
        case UInt8(ascii: "b"): out.append(0x08)
        case UInt8(ascii: "f"): out.append(0x0C)
        case UInt8(ascii: "n"): out.append(0x0A)
        case UInt8(ascii: "r"): out.append(0x0D)
        case UInt8(ascii: "t"): out.append(0x09)
        case UInt8(ascii: "u"):
            guard let high = hexUnit() else { return false }
            var scalar = UInt32(high)
            if (0xD800..<0xDC00).contains(high), at + 1 < bytes.count, bytes[at] == UInt8(ascii: "\\"),
                bytes[at + 1] == UInt8(ascii: "u")
            {
                at += 2
                guard let low = hexUnit(), (0xDC00..<0xE000).contains(low) else { return false }
                scalar = 0x10000 + (UInt32(high) - 0xD800) << 10 + (UInt32(low) - 0xDC00)
            }
            out.append(contentsOf: Array(String(Unicode.Scalar(scalar) ?? "\u{FFFD}").utf8))
        default: out.append(byte)
        }
        return true
    }

    private mutating func hexUnit() -> UInt16? {
        guard at + 4 <= bytes.count else { return nil }
        defer { at += 4 }
        return UInt16(String(decoding: bytes[at..<at + 4], as: UTF8.self), radix: 16)
    }

    private mutating func number() -> JSON? {
        let from = at
        while at < bytes.count, !",]} \n\t\r".utf8.contains(bytes[at]) { at += 1 }
        let text = String(decoding: bytes[from..<at], as: UTF8.self)
        if let whole = Int(text) { return .int(whole) }
        return Double(text).map { .double($0) }
    }

    private mutating func literal(_ text: String, _ value: JSON) -> JSON? {
        guard bytes[at...].starts(with: text.utf8) else { return nil }
        at += text.utf8.count
        return value
    }

    private mutating func take(_ byte: UInt8) -> Bool {
        skipSpace()
        guard at < bytes.count, bytes[at] == byte else { return false }
        at += 1
        return true
    }

    private mutating func skipSpace() {
        while at < bytes.count, bytes[at] == 0x20 || bytes[at] == 0x0A || bytes[at] == 0x0D || bytes[at] == 0x09 { at += 1 }
    }
}
