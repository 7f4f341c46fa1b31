extension JSON {
    /// Reads JSON without white space, as the archive stores it; nil for anything that is none. Members keep their order.
    ///
    /// - Complexity: O(n).
    package static func parse(_ view: ByteView) -> JSON? {
        var scanner = JSONScanner(view, .compact)
        guard let value = scanner.value(in: view), scanner.isAtEnd else { return nil }
        return value
    }

    /// Reads a text as `parse(_:)` reads bytes.
    package static func parse(_ text: String) -> JSON? { text.withByteView { parse($0) } }

    /// Reads bytes as `parse(_:)` reads a view of them.
    package static func parse(_ bytes: [UInt8]) -> JSON? { bytes.withByteView { parse($0) } }
}

extension JSONScanner {
    /// Builds the next value; nil where there is none.
    mutating func value(in bytes: ByteView) -> JSON? {
        switch byte {
        case .openingBrace:
            var members: [(String, JSON)] = []
            let isObject = forEachMember { scanner, place in
                guard let name = Self.text(bytes[place]) else {
                    scanner.fail(at: place.lowerBound - 1)
                    return false
                }
                guard let value = scanner.value(in: bytes) else { return false }
                members.append((name, value))
                return true
            }
            return isObject ? JSON.object(members) : nil
        case .openingBracket:
            var elements: [JSON] = []
            let isArray = forEachElement { scanner in
                guard let value = scanner.value(in: bytes) else { return false }
                elements.append(value)
                return true
            }
            return isArray ? JSON.array(elements) : nil
        case .quotationMark:
            guard let place = string() else { return nil }
            guard let text = Self.text(bytes[place]) else {
                fail(at: place.lowerBound - 1)
                return nil
            }
            return .string(text)
        case UInt8(ascii: "t"): return skip("true") ? .bool(true) : nil
        case UInt8(ascii: "f"): return skip("false") ? .bool(false) : nil
        case UInt8(ascii: "n"): return skip("null") ? JSON.null : nil
        default:
            guard let text = number().map({ bytes[$0].string }) else { return nil }
            if let whole = Int64(text) { return .int(whole) }
            return Double(text).flatMap { $0.isFinite ? .double($0) : nil }
        }
    }

    private static func text(_ literal: ByteView) -> String? {
        guard literal.contains(.backslash) else { return literal.string }
        return unescaped(literal).map { String(decoding: $0, as: UTF8.self) }
    }

    /// The UTF-8 that the bytes between two quotation marks represent; nil where an escape is none of JSON's.
    package static func unescaped(_ literal: ByteView) -> [UInt8]? {
        guard literal.contains(.backslash) else { return literal.array }
        var out: [UInt8] = []
        var at = 0
        while at < literal.count {
            let byte = literal[at]
            at += 1
            guard byte == .backslash else {
                out.append(byte)
                continue
            }
            guard at < literal.count else { return nil }
            let mark = literal[at]
            at += 1
            switch mark {
            case .quotationMark, .backslash, UInt8(ascii: "/"): out.append(mark)
            case UInt8(ascii: "b"): out.append(0x08)
            case UInt8(ascii: "f"): out.append(0x0C)
            case UInt8(ascii: "n"): out.append(0x0A)
            case UInt8(ascii: "r"): out.append(0x0D)
            case UInt8(ascii: "t"): out.append(0x09)
            case UInt8(ascii: "u"):
                guard let scalar = escapedScalar(in: literal, &at) else { return nil }
                out.append(contentsOf: UTF8.encode(scalar) ?? .init())
            default: return nil
            }
        }
        return out
    }

    /// The character of `XXXX` or `XXXX\uXXXX` behind a `\u`; nil for half a surrogate pair.
    private static func escapedScalar(in literal: ByteView, _ at: inout Int) -> Unicode.Scalar? {
        guard let unit = codeUnit(in: literal, &at) else { return nil }
        guard UTF16.isLeadSurrogate(unit) else { return Unicode.Scalar(unit) }
        guard literal.has("\\u", at: at) else { return nil }
        at += 2
        guard let low = codeUnit(in: literal, &at), UTF16.isTrailSurrogate(low) else { return nil }
        return Unicode.Scalar(0x10000 + (UInt32(unit) - 0xD800) << 10 + (UInt32(low) - 0xDC00))
    }

    private static func codeUnit(in literal: ByteView, _ at: inout Int) -> UInt16? {
        guard at + 4 <= literal.count else { return nil }
        defer { at += 4 }
        let digits = literal[at..<at + 4]
        // Swift takes a sign for a digit.
        return digits.allSatisfy(\.isHexadecimal) ? UInt16(digits.string, radix: 16) : nil
    }
}
