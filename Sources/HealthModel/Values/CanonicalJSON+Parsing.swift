extension CanonicalJSON {
    /// Reads JSON that the archive stores; nil for anything that is none. Members keep their order.
    ///
    /// - Complexity: O(n).
    package static func parse(_ view: ByteView) -> CanonicalJSON? {
        var parser = Parser(view)
        guard let value = parser.value(depth: 0), parser.at == view.count else { return nil }
        return value
    }

    /// Reads a text as `parse(_:)` reads bytes.
    package static func parse(_ text: String) -> CanonicalJSON? {
        var copy = text
        return copy.withUTF8 { buffer in buffer.baseAddress.flatMap { parse(ByteView($0, buffer.count)) } }
    }

    /// Reads bytes as `parse(_:)` reads a view of them.
    package static func parse(_ bytes: [UInt8]) -> CanonicalJSON? {
        bytes.withUnsafeBufferPointer { buffer in buffer.baseAddress.flatMap { parse(ByteView($0, buffer.count)) } }
    }

    /// The first member of this name; nil where there is none or this is no object.
    package subscript(_ name: StaticString) -> CanonicalJSON? {
        guard case .object(let members) = self else { return nil }
        let wanted = UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount)
        return members.first { $0.0.utf8.elementsEqual(wanted) }?.1
    }

    /// The elements of an array; none for anything else.
    package var elements: [CanonicalJSON] {
        if case .array(let elements) = self { elements } else { [] }
    }

    /// The members of an object; none for anything else.
    package var members: [(String, CanonicalJSON)] {
        if case .object(let members) = self { members } else { [] }
    }

    /// The text of a string; nil for anything else.
    package var string: String? {
        if case .string(let text) = self { text } else { nil }
    }

    /// A whole number; nil for anything else.
    package var integer: Int64? {
        if case .integer(let value) = self { value } else { nil }
    }

    /// A cursor over the bytes.
    private struct Parser {
        private let view: ByteView
        private(set) var at = 0
        /// Exports nest 64 elements at most, each two levels of JSON.
        private static let maximumDepth = 256

        init(_ view: ByteView) { self.view = view }

        private var byte: UInt8? { at < view.count ? view.start[at] : nil }

        private mutating func take(_ wanted: UInt8) -> Bool {
            guard byte == wanted else { return false }
            at += 1
            return true
        }

        mutating func value(depth: Int) -> CanonicalJSON? {
            guard depth < Self.maximumDepth, let byte else { return nil }
            switch byte {
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
            if take(0x7D) { return .object(members) }
            repeat {
                guard let name = string(), take(0x3A), let value = value(depth: depth + 1) else { return nil }
                members.append((name, value))
            } while take(0x2C)
            return take(0x7D) ? .object(members) : nil
        }

        private mutating func array(_ depth: Int) -> CanonicalJSON? {
            at += 1
            var elements: [CanonicalJSON] = []
            if take(0x5D) { return .array(elements) }
            repeat {
                guard let value = value(depth: depth + 1) else { return nil }
                elements.append(value)
            } while take(0x2C)
            return take(0x5D) ? .array(elements) : nil
        }

        private mutating func string() -> String? {
            guard take(0x22) else { return nil }
            let from = at
            while let byte, byte != 0x22, byte != 0x5C { at += 1 }
            if byte == 0x22 {
                at += 1
                return ByteView(view.start + from, at - 1 - from).string
            }
            var out = ByteView(view.start + from, at - from).array
            while let byte {
                at += 1
                if byte == 0x22 { return String(decoding: out, as: UTF8.self) }
                if byte == 0x5C {
                    guard escape(into: &out) else { return nil }
                } else {
                    out.append(byte)
                }
            }
            return nil
        }

        private mutating func escape(into out: inout [UInt8]) -> Bool {
            guard let byte else { return false }
            at += 1
            switch byte {
            case 0x62: out.append(0x08)
            case 0x66: out.append(0x0C)
            case 0x6E: out.append(0x0A)
            case 0x72: out.append(0x0D)
            case 0x74: out.append(0x09)
            case 0x75:
                guard let scalar = escapedScalar() else { return false }
                out.append(contentsOf: String(scalar).utf8)
            default: out.append(byte)
            }
            return true
        }

        /// The character of `XXXX` or `XXXX\uXXXX` behind a `\u`; nil for half a surrogate pair.
        private mutating func escapedScalar() -> Unicode.Scalar? {
            guard let unit = hexUnit() else { return nil }
            guard 0xD800..<0xDC00 ~= unit else { return Unicode.Scalar(unit) }
            guard take(0x5C), take(0x75), let low = hexUnit(), 0xDC00..<0xE000 ~= low else { return nil }
            return Unicode.Scalar(0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00))
        }

        private mutating func hexUnit() -> UInt32? {
            guard at + 4 <= view.count else { return nil }
            defer { at += 4 }
            return UInt32(ByteView(view.start + at, 4).string, radix: 16)
        }

        private mutating func literal(_ text: StaticString, _ value: CanonicalJSON) -> CanonicalJSON? {
            let length = text.utf8CodeUnitCount
            guard at + length <= view.count, ByteView(view.start + at, length) == ByteView(text.utf8Start, length)
            else {
                return nil
            }
            at += length
            return value
        }

        private mutating func number() -> CanonicalJSON? {
            let from = at
            while let byte, byte != 0x2C, byte != 0x5D, byte != 0x7D { at += 1 }
            let text = ByteView(view.start + from, at - from).string
            if let whole = Int64(text) { return .integer(whole) }
            return Double(text).flatMap { $0.isFinite ? .number($0) : nil }
        }
    }
}
