internal import HealthModel

/// Reads canonical JSON as the archive stores it into a tree.
///
/// What is stored is canonical, but an archive may be damaged: anything else yields nil, never a trap.
struct CanonicalReader {
    private let bytes: [UInt8]
    private var at = 0
    /// Exports nest 64 elements at most, each a few levels of JSON.
    private static let maximumDepth = 256

    /// The value of a text; nil where it is no JSON.
    static func parse(_ view: ByteView) -> CanonicalJSON? { parse(view.array) }

    /// The value of a text; nil where it is no JSON.
    static func parse(_ bytes: [UInt8]) -> CanonicalJSON? {
        var reader = CanonicalReader(bytes: bytes)
        guard let value = reader.value(depth: 0), reader.at == reader.bytes.count else { return nil }
        return value
    }

    private init(bytes: [UInt8]) { self.bytes = bytes }

    private mutating func value(depth: Int) -> CanonicalJSON? {
        guard at < bytes.count, depth < Self.maximumDepth else { return nil }
        switch bytes[at] {
        case 0x7B: return object(depth)
        case 0x5B: return array(depth)
        case 0x22: return string().map { .string($0) }
        case 0x74: return literal("true", .bool(true))
        case 0x66: return literal("false", .bool(false))
        case 0x6E: return literal("null", .null)
        default: return number()
        }
    }

    private mutating func object(_ depth: Int) -> CanonicalJSON? {
        at += 1
        var members: [(String, CanonicalJSON)] = []
        if take(0x7D) { return .object([]) }
        while true {
            guard at < bytes.count, bytes[at] == 0x22, let name = string(), take(0x3A),
                let value = value(depth: depth + 1)
            else { return nil }
            members.append((name, value))
            if take(0x7D) { return .object(members) }
            guard take(0x2C) else { return nil }
        }
    }

    private mutating func array(_ depth: Int) -> CanonicalJSON? {
        at += 1
        var elements: [CanonicalJSON] = []
        if take(0x5D) { return .array([]) }
        while true {
            guard let value = value(depth: depth + 1) else { return nil }
            elements.append(value)
            if take(0x5D) { return .array(elements) }
            guard take(0x2C) else { return nil }
        }
    }

    private mutating func string() -> String? {
        at += 1
        let from = at
        while at < bytes.count, bytes[at] != 0x22 { at += bytes[at] == 0x5C ? 2 : 1 }
        guard at < bytes.count else { return nil }
        at += 1
        return JSONScanner.unescaped(bytes[from..<at - 1]).map { String(decoding: $0, as: UTF8.self) }
    }

    private mutating func number() -> CanonicalJSON? {
        let from = at
        while at < bytes.count, ![0x2C, 0x5D, 0x7D].contains(bytes[at]) { at += 1 }
        let text = String(decoding: bytes[from..<at], as: UTF8.self)
        if let whole = Int64(text) { return .integer(whole) }
        return Double(text).flatMap { $0.isFinite ? .number($0) : nil }
    }

    private mutating func literal(_ text: String, _ value: CanonicalJSON) -> CanonicalJSON? {
        guard bytes[at...].starts(with: text.utf8) else { return nil }
        at += text.utf8.count
        return value
    }

    private mutating func take(_ byte: UInt8) -> Bool {
        guard at < bytes.count, bytes[at] == byte else { return false }
        at += 1
        return true
    }
}
