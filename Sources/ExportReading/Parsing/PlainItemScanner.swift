internal import Basics

/// Copies items in the form in which Health writes them onto the tape, without libxml2.
///
/// Such an item is whole in the chunk. Its names have numbers on the tape, its values are in double quotes and refer to
/// nothing but XML's five characters, each attribute comes once, and between tags is white space alone. Of such an item
/// libxml2 would report exactly what stands there. An item in any other form, also one that is not well-formed, is left to
/// libxml2.
struct PlainItemScanner {
    /// A chunk, after the filter: UTF-8 of characters that XML allows.
    let bytes: ByteView
    /// The place of the next byte in the chunk.
    private(set) var at: Int
    /// The line ends before `at` in the chunk that were read here.
    private(set) var lines = 0
    /// Where the last item began, and the line ends read before it.
    private(set) var itemStart = (at: 0, lines: 0)

    /// The names of the elements that are open, outermost first.
    private var open: [UInt8] = []
    /// Which of them are records and routes in an item, whose places the tape has.
    private var placed: [Bool] = []
    private static let deepest = 8
    /// Bytes before an item's last tag; larger items are libxml2's, where the caps are.
    private static let mostBytes = 1 << 16

    init(_ bytes: ByteView, at: Int) {
        self.bytes = bytes
        self.at = at
    }

    /// Copies the next item onto the tape.
    ///
    /// - Parameters:
    ///   - line: the line of the chunk's first byte that was read here.
    ///   - byte: the place of the chunk in the document.
    /// - Returns: false where what follows is no plain item; the scanner and the tape are then as they were before, but
    ///   for white space at the end of the chunk.
    mutating func copyItem(to tape: ByteBuffer, line: Int64, byte: Int64) -> Bool {
        let before = (at, lines)
        skipSpace()
        if at == bytes.count { return false }
        itemStart = (at, lines)
        let tapeStart = tape.count
        open.removeAll(keepingCapacity: true)
        placed.removeAll(keepingCapacity: true)
        repeat {
            skipSpace()
            let isRead =
                at + 1 < bytes.count && bytes[at] == UInt8(ascii: "<") && at - itemStart.at < Self.mostBytes
                && (bytes[at + 1] == UInt8(ascii: "/")
                    ? endTag(tape, byte: byte) : startTag(tape, line: line, byte: byte))
            guard isRead else {
                (at, lines) = before
                tape.truncate(to: tapeStart)
                return false
            }
        } while !open.isEmpty
        return true
    }

    @inline(__always)
    private mutating func skipSpace() {
        while at < bytes.count {
            let byte = bytes[at]
            if byte == .lineFeed { lines += 1 } else if byte != .space { return }
            at += 1
        }
    }

    // MARK: - Tags

    private mutating func startTag(_ tape: ByteBuffer, line: Int64, byte: Int64) -> Bool {
        let start = at
        at += 1
        guard let name = name(), open.count < Self.deepest else { return false }
        let isPlaced = !open.isEmpty && (name == TapeName.record || name == TapeName.workoutRoute)
        if isPlaced {
            tape.append(TapePage.place)
            tape.append(long: line + Int64(lines))
            tape.append(long: byte + Int64(start))
        }
        tape.append(TapePage.start)
        tape.append(name)
        let countPlace = tape.count
        tape.append(word: 0)
        var count: UInt32 = 0
        var seen: UInt64 = 0
        while at + 1 < bytes.count {
            switch bytes[at] {
            case .space:
                at += 1
                guard let name = self.name(), seen & (1 << UInt64(name)) == 0, value(named: name, tape) else {
                    return false
                }
                seen |= 1 << UInt64(name)
                count += 1
            case UInt8(ascii: ">"):
                at += 1
                tape.replace(word: count, at: countPlace)
                open.append(name)
                placed.append(isPlaced)
                return true
            case UInt8(ascii: "/"):
                guard bytes[at + 1] == UInt8(ascii: ">") else { return false }
                at += 2
                tape.replace(word: count, at: countPlace)
                end(tape, isPlaced: isPlaced, byte: byte)
                return true
            default:
                return false
            }
        }
        return false
    }

    private mutating func endTag(_ tape: ByteBuffer, byte: Int64) -> Bool {
        at += 2
        guard let name = name(), name == open.last, at < bytes.count, bytes[at] == UInt8(ascii: ">") else {
            return false
        }
        at += 1
        open.removeLast()
        end(tape, isPlaced: placed.removeLast(), byte: byte)
        return true
    }

    private func end(_ tape: ByteBuffer, isPlaced: Bool, byte: Int64) {
        if isPlaced {
            tape.append(TapePage.placeEnd)
            tape.append(long: byte + Int64(at))
        }
        tape.append(TapePage.end)
    }

    // MARK: - Names and values

    /// Reads a name of ASCII letters; nil for one that has no number.
    @inline(__always)
    private mutating func name() -> UInt8? {
        let start = at
        while at < bytes.count, bytes[at] | 0x20 >= UInt8(ascii: "a"), bytes[at] | 0x20 <= UInt8(ascii: "z") { at += 1 }
        guard at > start else { return nil }
        return TapeName.number(of: bytes[start..<at])
    }

    /// Copies `="…"`, behind an attribute's name, onto the tape.
    @inline(__always)
    private mutating func value(named name: UInt8, _ tape: ByteBuffer) -> Bool {
        guard at + 1 < bytes.count, bytes[at] == UInt8(ascii: "="), bytes[at + 1] == UInt8(ascii: "\"") else {
            return false
        }
        at += 2
        tape.append(name)
        let countPlace = tape.count
        tape.append(word: 0)
        while true {
            let end = Self.endOfPlainText(bytes, from: at)
            guard end < bytes.count else { return false }
            tape.append(bytes[at..<end])
            at = end
            if bytes[at] == UInt8(ascii: "\"") { break }
            guard bytes[at] == UInt8(ascii: "&"), reference(tape) else { return false }
        }
        at += 1
        tape.replace(word: UInt32(tape.count - countPlace - 4), at: countPlace)
        return true
    }

    /// Where the first of `"`, `&`, `<` and the bytes below space is; the number of bytes where there is none.
    @inline(__always)
    private static func endOfPlainText(_ bytes: ByteView, from: Int) -> Int {
        let ones: UInt64 = 0x0101_0101_0101_0101
        // The high bit of each byte that is 0; above the first one also of some that are not.
        func zeros(_ word: UInt64) -> UInt64 { (word &- ones) & ~word }
        var i = from
        while i + 8 <= bytes.count {
            let word = bytes.long(at: i)
            let low = (word &- ones &* 0x20) & ~word
            let marks = low | zeros(word ^ ones &* 0x22) | zeros(word ^ ones &* 0x26) | zeros(word ^ ones &* 0x3C)
            let high = marks & (ones &* 0x80)
            if high != 0 { return i + high.trailingZeroBitCount >> 3 }
            i += 8
        }
        while i < bytes.count, bytes[i] >= .space, bytes[i] != 0x22, bytes[i] != 0x26, bytes[i] != 0x3C { i += 1 }
        return i
    }

    /// Replaces one of XML's five references with its character.
    private mutating func reference(_ tape: ByteBuffer) -> Bool {
        for (text, character) in Self.references where bytes.has(text, at: at) {
            tape.append(character)
            at += text.utf8CodeUnitCount
            return true
        }
        return false
    }

    private static let references: [(StaticString, UInt8)] = [
        ("&lt;", UInt8(ascii: "<")), ("&gt;", UInt8(ascii: ">")), ("&amp;", UInt8(ascii: "&")),
        ("&quot;", UInt8(ascii: "\"")), ("&apos;", UInt8(ascii: "'")),
    ]
}
