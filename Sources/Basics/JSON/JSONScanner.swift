/// Reads JSON without building values: as archives and exports store it, or as other programs write files.
package struct JSONScanner {
    /// How much a scanner demands.
    package enum Form {
        /// Any JSON without white space.
        case compact
        /// The form of an export's items: RFC 8785, so that names ascend and none occurs twice, and no numbers but
        /// integers, since measured values are texts.
        case canonical
        /// Any JSON of RFC 8259, white space included.
        case document
    }

    /// A member of the outermost object: the offsets of its name without the quotation marks, and of its value.
    package struct Member {
        package var name: Range<Int>
        package var value: Range<Int>
    }

    private let bytes: ByteView
    private let form: Form
    private let maximumDepth: Int
    private var depth = 0
    /// The place of the next byte; after a failure, of the byte that does not fit.
    private(set) var at = 0

    /// - Parameter maximumDepth: how deep arrays and objects may nest; exports nest 64 elements at most, each two levels.
    init(_ bytes: ByteView, _ form: Form, maximumDepth: Int = 512) {
        self.bytes = bytes
        self.form = form
        self.maximumDepth = maximumDepth
    }

    var isAtEnd: Bool { at == bytes.count }

    /// Passes white space, where the form has any.
    mutating func skipSpace() {
        guard form == .document else { return }
        while let byte, byte == .space || byte == .lineFeed || byte == .carriageReturn || byte == UInt8(ascii: "\t") {
            at += 1
        }
    }

    /// Goes back to a place, which a failure is then about.
    mutating func fail(at place: Int) { at = place }

    /// Finds the members of an object.
    ///
    /// - Returns: whether the bytes are an object of the form, and nothing else.
    package static func find(_ members: inout [Member], of object: ByteView, _ form: Form) -> Bool {
        members.removeAll(keepingCapacity: true)
        var scanner = JSONScanner(object, form)
        let isObject = scanner.forEachMember { scanner, name in
            let from = scanner.at
            guard scanner.skipValue() else { return false }
            members.append(Member(name: name, value: from..<scanner.at))
            return true
        }
        return isObject && scanner.isAtEnd
    }

    /// Where the string literal ends that begins at `place`, behind its quotation mark; nil where it is none.
    package static func endOfString(in json: ByteView, at place: Int) -> Int? {
        var scanner = JSONScanner(json, .compact)
        scanner.at = place
        return scanner.string() == nil ? nil : scanner.at
    }

    /// Passes the members of an object; `visit` passes each value, and ends the scan with false.
    mutating func forEachMember(_ visit: (inout JSONScanner, Range<Int>) -> Bool) -> Bool {
        guard depth < maximumDepth, skip(.openingBrace) else { return false }
        depth += 1
        defer { depth -= 1 }
        skipSpace()
        if skip(.closingBrace) { return true }
        var last: Range<Int>?
        repeat {
            skipSpace()
            guard let name = string() else { return false }
            skipSpace()
            guard skip(.colon) else { return false }
            skipSpace()
            if form == .canonical, let last, !precedes(last, name) { return false }
            last = name
            guard visit(&self, name) else { return false }
            skipSpace()
        } while skip(.comma)
        return skip(.closingBrace)
    }

    /// Passes the elements of an array; `visit` passes each, and ends the scan with false.
    mutating func forEachElement(_ visit: (inout JSONScanner) -> Bool) -> Bool {
        guard depth < maximumDepth, skip(.openingBracket) else { return false }
        depth += 1
        defer { depth -= 1 }
        skipSpace()
        if skip(.closingBracket) { return true }
        repeat {
            skipSpace()
            guard visit(&self) else { return false }
            skipSpace()
        } while skip(.comma)
        return skip(.closingBracket)
    }

    private mutating func skipValue() -> Bool {
        switch byte {
        case .openingBrace: forEachMember { scanner, _ in scanner.skipValue() }
        case .openingBracket: forEachElement { $0.skipValue() }
        case .quotationMark: string() != nil
        case UInt8(ascii: "t"): skip("true")
        case UInt8(ascii: "f"): skip("false")
        case UInt8(ascii: "n"): skip("null")
        default: number() != nil
        }
    }

    /// The next byte; nil at the end.
    var byte: UInt8? { at < bytes.count ? bytes[at] : nil }

    /// The bytes between the quotation marks; nil where there is no string.
    mutating func string() -> Range<Int>? {
        guard skip(.quotationMark) else { return nil }
        let from = at
        while let byte {
            if byte < .space, form != .compact { return nil }
            at += 1
            if byte == .quotationMark { return from..<at - 1 }
            if byte == .backslash {
                guard skipEscape() else { return nil }
            }
        }
        return nil
    }

    /// Passes what follows a backslash. But for the canonical form only `unescaped` looks at it closely.
    private mutating func skipEscape() -> Bool {
        guard let mark = byte else { return false }
        at += 1
        guard form == .canonical else { return true }
        switch mark {
        case .quotationMark, .backslash, UInt8(ascii: "b"), UInt8(ascii: "f"), UInt8(ascii: "n"), UInt8(ascii: "r"),
            UInt8(ascii: "t"):
            return true
        case UInt8(ascii: "u"):
            // The control characters that have no escape of their own, in lower case.
            guard at + 4 <= bytes.count else { return false }
            defer { at += 4 }
            let digits = bytes[at..<at + 4].string
            guard digits.utf8.allSatisfy(\.isHexadecimal) else { return false }
            return UInt8(digits, radix: 16).map { $0 < .space && ![8, 9, 10, 12, 13].contains($0) } ?? false
                && digits == digits.lowercased()
        default: return false
        }
    }

    /// The bytes of a number; nil where there is none.
    mutating func number() -> Range<Int>? {
        let from = at
        _ = skip(.minus)
        let first = byte
        let firstAt = at
        guard skipDigits(), first != .digitZero || at == firstAt + 1 else { return nil }
        // The canonical zero has no sign.
        guard form != .canonical else { return first == .digitZero && firstAt > from ? nil : from..<at }
        if skip(.point), !skipDigits() { return nil }
        if skip(UInt8(ascii: "e")) || skip(UInt8(ascii: "E")) {
            _ = skip(.minus) || skip(.plus)
            guard skipDigits() else { return nil }
        }
        return from..<at
    }

    private mutating func skipDigits() -> Bool {
        let from = at
        while let byte, byte.isDigit { at += 1 }
        return at > from
    }

    mutating func skip(_ literal: StaticString) -> Bool {
        guard bytes.has(literal, at: at) else { return false }
        at += literal.utf8CodeUnitCount
        return true
    }

    private mutating func skip(_ wanted: UInt8) -> Bool {
        guard byte == wanted else { return false }
        at += 1
        return true
    }

    private func precedes(_ a: Range<Int>, _ b: Range<Int>) -> Bool {
        let (x, y) = (bytes[a], bytes[b])
        guard x.contains(.backslash) || y.contains(.backslash) else { return ByteView.utf16Less(x, y) }
        // Escaped names are rare; their order is that of what they represent.
        guard let u = Self.unescaped(x), let v = Self.unescaped(y) else { return false }
        return u.withByteView { u in v.withByteView { v in ByteView.utf16Less(u, v) } }
    }
}
