internal import Cshims
internal import Foundation

/// Makes the known defects of real exports well-formed in place, byte for byte the same length.
///
/// It sees whole tags only (`TagChunker` cuts the stream before a `<`), so a defect never straddles two calls. The
/// usual region has none: three passes that the C library and the vectoriser do at gigabytes per second find that out.
package struct ByteFilter {
    package private(set) var repairs = Repairs()
    package private(set) var prolog = Prolog()
    /// Where comments and the like are in the region: a tag in one is none.
    private var sections = UnparsedSections()
    /// The line at the start of the next region, counted from 1.
    private(set) var line = 1
    /// What replaces a byte that XML forbids.
    private static let placeholder = UInt8(ascii: "?")
    /// A tag with more than 1,024 attributes has at least this many bytes.
    private static let suspiciousTagBytes = 6_000

    package init() {}

    // MARK: - Prolog

    /// Blanks an XML declaration after white space, where XML allows none.
    package mutating func blankDeclaration(_ bytes: UnsafeMutableBufferPointer<UInt8>, root: Int) {
        let text = UnsafeBufferPointer(bytes)
        let mark = text.prefix(3).elementsEqual([0xEF, 0xBB, 0xBF]) ? 3 : 0
        guard let start = text[mark..<root].firstIndex(where: { !ByteMarkup.isSpace($0) }), start > mark,
            ByteMarkup.starts("<?xml", text, at: start), ByteMarkup.isSpace(text[start + 5]),
            let end = text[start..<root].firstIndex(of: UInt8(ascii: ">"))
        else { return }
        let firstLine = line + text[..<start].count { $0 == 0x0A }
        repairs.add(.declarationBlanked, line: firstLine)
        for i in start...end where bytes[i] != 0x0A && bytes[i] != 0x0D { bytes[i] = 0x20 }
    }

    /// Blanks everything from `<!DOCTYPE` to the root element with spaces, line ends kept.
    ///
    /// The text is kept: it carries the export version. That blanking also ends every entity trick, since no entity
    /// is declared any more when the parser starts.
    package mutating func blankDoctype(_ bytes: UnsafeMutableBufferPointer<UInt8>, from start: Int, root: Int) {
        var end = root
        while end > start, ByteMarkup.isSpace(bytes[end - 1]) { end -= 1 }
        let text = String(decoding: UnsafeBufferPointer(rebasing: bytes[start..<end]), as: UTF8.self)
        prolog.doctype = text
        prolog.exportVersion = Self.exportVersion(in: text)
        let firstLine = line + bytes[..<start].count { $0 == 0x0A }
        repairs.add(.doctypeBlanked, line: firstLine)
        for i in start..<end where bytes[i] != 0x0A && bytes[i] != 0x0D { bytes[i] = 0x20 }
    }

    private static func exportVersion(in text: String) -> String? {
        guard let mark = text.range(of: "HealthKit Export Version:") else { return nil }
        let digits = text[mark.upperBound...].drop { $0 == " " }.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
        return digits.isEmpty ? nil : String(digits)
    }

    // MARK: - Body

    /// Repairs one region of whole tags.
    package mutating func repair(_ bytes: UnsafeMutableBufferPointer<UInt8>) {
        guard let base = bytes.baseAddress else { return }
        let count = bytes.count
        if Self.hasForbiddenByte(base, count) { replaceControls(base, count) }
        repairUTF8(base, count)
        sections.find(in: base, count)
        repairStartDates(base, count)
        blankExcessAttributes(base, count)
        line += Self.newlines(base, count)
    }

    /// Whether a byte below space other than TAB, LF and CR occurs; written so that the compiler vectorises it.
    private static func hasForbiddenByte(_ base: UnsafeMutablePointer<UInt8>, _ count: Int) -> Bool {
        var seen: UInt8 = 0
        for i in 0..<count {
            let c = base[i]
            let low: UInt8 = c < 0x20 ? 1 : 0
            let allowed: UInt8 = (c == 0x0A ? 1 : 0) | (c == 0x0D ? 1 : 0) | (c == 0x09 ? 1 : 0)
            seen |= low & ~allowed
        }
        return seen & 1 != 0
    }

    /// The number of line feeds among `count` bytes.
    static func newlines(_ base: UnsafePointer<UInt8>, _ count: Int) -> Int {
        var total = 0
        var i = 0
        while i < count {
            // A byte counter overflows after 255, so blocks of 255 keep the inner loop in bytes.
            let end = min(i + 255, count)
            var block: UInt8 = 0
            while i < end {
                block &+= base[i] == 0x0A ? 1 : 0
                i += 1
            }
            total += Int(block)
        }
        return total
    }

    private mutating func replaceControls(_ base: UnsafeMutablePointer<UInt8>, _ count: Int) {
        let first = line
        for i in 0..<count where base[i] < 0x20 && base[i] != 0x0A && base[i] != 0x0D && base[i] != 0x09 {
            repairs.add(.controlCharacterReplaced, line: first + Self.newlines(base, i))
            base[i] = Self.placeholder
        }
    }

    /// Replaces bytes that are no part of a well-formed UTF-8 sequence of a character that XML allows.
    private mutating func repairUTF8(_ base: UnsafeMutablePointer<UInt8>, _ count: Int) {
        let raw = UnsafeRawPointer(base)
        let first = line
        var i = 0
        while i < count {
            if i + 8 <= count {
                let word = raw.loadUnaligned(fromByteOffset: i, as: UInt64.self) & 0x8080_8080_8080_8080
                if word == 0 {
                    i += 8
                    continue
                }
                i += word.littleEndian.trailingZeroBitCount >> 3
            } else if base[i] < 0x80 {
                i += 1
                continue
            }
            let length = Self.sequenceLength(base + i, count - i)
            if length > 0 {
                i += length
            } else {
                repairs.add(.invalidUTF8Replaced, line: first + Self.newlines(base, i))
                base[i] = Self.placeholder
                i += 1
            }
        }
    }

    /// The length of the well-formed sequence at `p`, 0 where there is none (RFC 3629, and U+FFFE and U+FFFF, which
    /// XML 1.0 forbids).
    private static func sequenceLength(_ p: UnsafeMutablePointer<UInt8>, _ rest: Int) -> Int {
        func follows(_ offset: Int, _ low: UInt8 = 0x80, _ high: UInt8 = 0xBF) -> Bool {
            offset < rest && p[offset] >= low && p[offset] <= high
        }
        switch p[0] {
        case 0xC2...0xDF: return follows(1) ? 2 : 0
        case 0xE0: return follows(1, 0xA0) && follows(2) ? 3 : 0
        case 0xED: return follows(1, 0x80, 0x9F) && follows(2) ? 3 : 0
        case 0xEF:
            guard follows(1) && follows(2) else { return 0 }
            return p[1] == 0xBF && p[2] >= 0xBE ? 0 : 3
        case 0xE1...0xEE: return follows(1) && follows(2) ? 3 : 0
        case 0xF0: return follows(1, 0x90) && follows(2) && follows(3) ? 4 : 0
        case 0xF1...0xF3: return follows(1) && follows(2) && follows(3) ? 4 : 0
        case 0xF4: return follows(1, 0x80, 0x8F) && follows(2) && follows(3) ? 4 : 0
        default: return 0
        }
    }

    /// Reads a second `startDate` of a tag as `endDate` (iOS 16.0 wrote that), padded before the `=`.
    private mutating func repairStartDates(_ base: UnsafeMutablePointer<UInt8>, _ count: Int) {
        var previous = -1
        var from = 0
        while let at = Self.find("startDate", base, from, count) {
            from = at + 9
            if previous >= 0, memchr(base + previous, 0x3C, at - previous) == nil {
                renameSecondStartDate(base, near: at, count)
                previous = -1
                // One look at a tag is enough, however often the word occurs in it.
                guard let next = memchr(base + from, 0x3C, count - from) else { return }
                from = base.distance(to: next.assumingMemoryBound(to: UInt8.self))
            } else {
                previous = at
            }
        }
    }

    private mutating func renameSecondStartDate(_ base: UnsafeMutablePointer<UInt8>, near: Int, _ count: Int) {
        var start = near
        while start > 0, base[start] != 0x3C { start -= 1 }
        guard TagLexer.isTag(base, at: start, to: count), !sections.contain(start) else { return }
        var second: Int?
        var seen = 0
        var hasEnd = false
        TagLexer.attributes(base, from: start, to: count) { nameStart, nameEnd in
            let length = nameEnd - nameStart
            if length == 9, memcmp(base + nameStart, "startDate", 9) == 0 {
                seen += 1
                if seen == 2 { second = nameStart }
            } else if length == 7, memcmp(base + nameStart, "endDate", 7) == 0 {
                hasEnd = true
            }
            return true
        }
        guard let second, seen == 2, !hasEnd else { return }
        memcpy(base + second, "endDate  ", 9)
        let firstLine = line
        repairs.add(.secondStartDateReadAsEndDate, line: firstLine + Self.newlines(base, second))
    }

    /// Blanks what a tag has beyond 1,024 attributes: libxml2 2.9 compares each with all before it, and the reader
    /// quarantines the item anyway.
    private mutating func blankExcessAttributes(_ base: UnsafeMutablePointer<UInt8>, _ count: Int) {
        var at = 0
        while count - at > Self.suspiciousTagBytes {
            let step = Self.suspiciousTagBytes
            if let last = memrchr(base + at + 1, 0x3C, step) {
                at = base.distance(to: last.assumingMemoryBound(to: UInt8.self))
                continue
            }
            guard TagLexer.isTag(base, at: at, to: count), !sections.contain(at) else {
                at += step
                continue
            }
            var seen = 0
            var cut: Int?
            let end = TagLexer.attributes(base, from: at, to: count) { nameStart, _ in
                seen += 1
                // One more than allowed stays, so that the reader sees that there were too many.
                if seen == ExportReading.Limits.attributes + 2 { cut = nameStart }
                return true
            }
            if let cut {
                let firstLine = line
                repairs.add(.attributesBlanked, line: firstLine + Self.newlines(base, cut))
                for i in cut..<end where base[i] != 0x0A && base[i] != 0x0D { base[i] = 0x20 }
            }
            at = max(end, at + 1)
            guard let next = memchr(base + at, 0x3C, count - at) else { return }
            at = base.distance(to: next.assumingMemoryBound(to: UInt8.self))
        }
    }

    // MARK: - Searching

    @inline(__always)
    private static func find(_ needle: StaticString, _ base: UnsafeMutablePointer<UInt8>, _ from: Int, _ to: Int)
        -> Int?
    {
        guard to > from, let at = memmem(base + from, to - from, needle.utf8Start, needle.utf8CodeUnitCount) else {
            return nil
        }
        return UnsafeRawPointer(base).distance(to: at)
    }
}
