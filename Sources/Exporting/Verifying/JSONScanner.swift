internal import HealthModel

/// Walks canonical JSON (RFC 8785) without building anything, and says where it stops being that.
///
/// The members of the outermost object are reported with the ranges of their names and values.
struct JSONScanner {
    /// A member of the outermost object: offsets without and with the quotation marks, respectively.
    struct Member {
        var name: Range<Int>
        var value: Range<Int>
    }

    private let bytes: ByteView
    private var at: Int
    private let end: Int
    private static let maximumDepth = 512

    private init(_ bytes: ByteView, _ range: Range<Int>) {
        self.bytes = bytes
        at = range.lowerBound
        end = range.upperBound
    }

    /// The members of the object that the range holds; nil where it is no canonical JSON object.
    static func members(_ bytes: ByteView, _ range: Range<Int>, into members: inout [Member]) -> Bool {
        members.removeAll(keepingCapacity: true)
        var scanner = JSONScanner(bytes, range)
        guard scanner.object(0, &members, isOutermost: true) else { return false }
        return scanner.at == scanner.end
    }

    private mutating func object(_ depth: Int, _ members: inout [Member], isOutermost: Bool = false) -> Bool {
        guard depth < Self.maximumDepth, take(0x7B) else { return false }
        if take(0x7D) { return true }
        var last: Range<Int>?
        while true {
            guard let name = string(), take(0x3A) else { return false }
            // Canonical order also says that no name occurs twice.
            if let last, !precedes(last, name) { return false }
            last = name
            let from = at
            guard value(depth, &members) else { return false }
            if isOutermost { members.append(Member(name: name, value: from..<at)) }
            if take(0x7D) { return true }
            guard take(0x2C) else { return false }
        }
    }

    private mutating func value(_ depth: Int, _ members: inout [Member]) -> Bool {
        guard at < end else { return false }
        switch bytes.start[at] {
        case 0x7B: return object(depth + 1, &members)
        case 0x5B:
            at += 1
            guard depth < Self.maximumDepth else { return false }
            if take(0x5D) { return true }
            while true {
                guard value(depth + 1, &members) else { return false }
                if take(0x5D) { return true }
                guard take(0x2C) else { return false }
            }
        case 0x22: return string() != nil
        case 0x74: return literal("true")
        case 0x66: return literal("false")
        case 0x6E: return literal("null")
        default: return number()
        }
    }

    /// The range between the quotation marks; nil where the string is not escaped as RFC 8785 prescribes.
    private mutating func string() -> Range<Int>? {
        guard take(0x22) else { return nil }
        let from = at
        while at < end {
            let byte = bytes.start[at]
            at += 1
            if byte == 0x22 { return from..<at - 1 }
            if byte < 0x20 { return nil }
            guard byte == 0x5C else { continue }
            guard at < end else { return nil }
            let mark = bytes.start[at]
            at += 1
            switch mark {
            case 0x22, 0x5C, 0x62, 0x66, 0x6E, 0x72, 0x74: continue
            case 0x75:
                guard at + 4 <= end, bytes.start[at] == 0x30, bytes.start[at + 1] == 0x30,
                    bytes.start[at + 2] == 0x30 || bytes.start[at + 2] == 0x31, Self.isHexDigit(bytes.start[at + 3]),
                    !(bytes.start[at + 2] == 0x30 && [0x38, 0x39, 0x61, 0x63, 0x64].contains(bytes.start[at + 3]))
                else { return nil }
                at += 4
            default: return nil
            }
        }
        return nil
    }

    /// Only integers occur in an export; measured values stand as text.
    private mutating func number() -> Bool {
        if at < end, bytes.start[at] == 0x2D { at += 1 }
        let from = at
        while at < end, bytes.start[at] >= 0x30, bytes.start[at] <= 0x39 { at += 1 }
        return at > from && !(bytes.start[from] == 0x30 && at - from > 1)
    }

    private mutating func literal(_ text: StaticString) -> Bool {
        guard at + text.utf8CodeUnitCount <= end,
            ByteView(bytes.start + at, text.utf8CodeUnitCount) == ByteView(text.utf8Start, text.utf8CodeUnitCount)
        else { return false }
        at += text.utf8CodeUnitCount
        return true
    }

    private mutating func take(_ byte: UInt8) -> Bool {
        guard at < end, bytes.start[at] == byte else { return false }
        at += 1
        return true
    }

    private func precedes(_ a: Range<Int>, _ b: Range<Int>) -> Bool {
        // Escaped names are rare; their order is that of what they stand for.
        let (x, y) = (text(a), text(b))
        if x.array.contains(0x5C) || y.array.contains(0x5C) {
            guard let u = Self.unescaped(x.array[...]), let v = Self.unescaped(y.array[...]) else { return false }
            return String(decoding: u, as: UTF8.self).utf16.lexicographicallyPrecedes(
                String(decoding: v, as: UTF8.self).utf16)
        }
        return ByteView.utf16Less(x, y)
    }

    private func text(_ range: Range<Int>) -> ByteView { ByteView(bytes.start + range.lowerBound, range.count) }

    /// Lower-case, as RFC 8785 has them.
    private static func isHexDigit(_ byte: UInt8) -> Bool {
        (byte >= 0x30 && byte <= 0x39) || (byte >= 0x61 && byte <= 0x66)
    }

    /// What the text between the quotation marks of a canonical string stands for; nil where it is none.
    static func unescaped(_ bytes: ArraySlice<UInt8>) -> [UInt8]? {
        guard bytes.contains(0x5C) else { return Array(bytes) }
        var out: [UInt8] = []
        var at = bytes.startIndex
        while at < bytes.endIndex {
            guard bytes[at] == 0x5C else {
                out.append(bytes[at])
                at += 1
                continue
            }
            guard at + 1 < bytes.endIndex else { return nil }
            switch bytes[at + 1] {
            case 0x62: out.append(0x08)
            case 0x66: out.append(0x0C)
            case 0x6E: out.append(0x0A)
            case 0x72: out.append(0x0D)
            case 0x74: out.append(0x09)
            case 0x22, 0x5C: out.append(bytes[at + 1])
            case 0x75:
                guard at + 6 <= bytes.endIndex,
                    let unit = UInt8(String(decoding: bytes[(at + 2)..<(at + 6)], as: UTF8.self), radix: 16)
                else { return nil }
                out.append(unit)
                at += 4
            default: return nil
            }
            at += 2
        }
        return out
    }
}
