package import Basics
internal import Foundation

/// Makes the known defects of real exports well-formed in place, byte for byte the same length.
///
/// It sees whole tags only (`TagChunker` cuts the stream before a `<`), so a defect never straddles two calls. The
/// usual region has none: three passes that the C library and the vectoriser do at gigabytes per second find that out.
package struct ByteFilter {
    package private(set) var repairs = Repairs()
    package private(set) var prolog = Prolog()
    /// Where comments and the like are in the region: a tag in one is none.
    private(set) var sections = UnparsedSections()
    /// The line at the start of the next region, counted from 1.
    private(set) var line = 1
    /// What replaces a byte that XML forbids.
    static let placeholder = UInt8(ascii: "?")
    /// A tag with more than 1,024 attributes has at least this many bytes.
    private static let suspiciousTagBytes = 6_000
    private static let tagStart = UInt8(ascii: "<")

    package init() {}

    // MARK: - Prolog

    /// Blanks an XML declaration after white space, where XML allows none.
    package mutating func blankDeclaration(_ bytes: ByteBuffer, root: Int) {
        let text = bytes.view[0..<root]
        let mark = text.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        guard let start = (mark..<root).first(where: { !ByteMarkup.isSpace(text[$0]) }), start > mark,
            text.has("<?xml", at: start), start + 5 < root, ByteMarkup.isSpace(text[start + 5]),
            let end = text.firstIndex(of: UInt8(ascii: ">"), from: start)
        else { return }
        note(.declarationBlanked, at: start, bytes)
        Self.blank(bytes, start..<end + 1)
    }

    /// Overwrites bytes with spaces; line ends stay.
    private static func blank(_ bytes: ByteBuffer, _ range: Range<Int>) {
        for i in range where bytes[i] != .lineFeed && bytes[i] != .carriageReturn { bytes[i] = .space }
    }

    /// Blanks everything from `<!DOCTYPE` to the root element with spaces, line ends kept.
    ///
    /// The text is kept: it carries the export version. That blanking also ends every entity trick, since no entity
    /// is declared any more when the parser starts.
    package mutating func blankDoctype(_ bytes: ByteBuffer, from start: Int, root: Int) {
        var end = root
        while end > start, ByteMarkup.isSpace(bytes[end - 1]) { end -= 1 }
        let text = bytes.view[start..<end].string
        prolog.doctype = text
        prolog.exportVersion = Self.exportVersion(in: text)
        note(.doctypeBlanked, at: start, bytes)
        Self.blank(bytes, start..<end)
    }

    private static func exportVersion(in text: String) -> String? {
        guard let mark = text.range(of: "HealthKit Export Version:") else { return nil }
        let digits = text[mark.upperBound...].drop { $0 == " " }.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
        return digits.isEmpty ? nil : String(digits)
    }

    // MARK: - Body

    /// Repairs one region of whole tags.
    package mutating func repair(_ bytes: ByteBuffer) {
        if bytes.view.hasControlByte { replaceControls(bytes) }
        repairUTF8(bytes)
        sections.find(in: bytes.view)
        repairReferences(bytes)
        repairStartDates(bytes)
        blankExcessAttributes(bytes)
        line += bytes.view.count(of: .lineFeed)
    }

    /// Counts a repair at a place of the region.
    mutating func note(_ kind: Repairs.Kind, at place: Int, _ bytes: ByteBuffer) {
        repairs.add(kind, line: line + bytes.view[0..<place].count(of: .lineFeed))
    }

    private mutating func replaceControls(_ bytes: ByteBuffer) {
        for i in 0..<bytes.count {
            let byte = bytes[i]
            guard byte < .space, byte != .lineFeed, byte != .carriageReturn, byte != 0x09 else { continue }
            note(.controlCharacterReplaced, at: i, bytes)
            bytes[i] = Self.placeholder
        }
    }

    /// Replaces bytes that are no part of a well-formed UTF-8 sequence of a character that XML allows.
    private mutating func repairUTF8(_ bytes: ByteBuffer) {
        let view = bytes.view
        var from = 0
        while let i = view.firstNonASCII(from: from) {
            let length = Self.sequenceLength(view[i...])
            if length == 0 {
                note(.invalidUTF8Replaced, at: i, bytes)
                bytes[i] = Self.placeholder
            }
            from = i + max(length, 1)
        }
    }

    /// The length of the well-formed sequence at the beginning, 0 where there is none (RFC 3629, and U+FFFE and U+FFFF, which
    /// XML 1.0 forbids).
    private static func sequenceLength(_ bytes: ByteView) -> Int {
        func follows(_ offset: Int, _ low: UInt8 = 0x80, _ high: UInt8 = 0xBF) -> Bool {
            offset < bytes.count && bytes[offset] >= low && bytes[offset] <= high
        }
        switch bytes[0] {
        case 0xC2...0xDF: return follows(1) ? 2 : 0
        case 0xE0: return follows(1, 0xA0) && follows(2) ? 3 : 0
        case 0xED: return follows(1, 0x80, 0x9F) && follows(2) ? 3 : 0
        case 0xEF:
            guard follows(1) && follows(2) else { return 0 }
            return bytes[1] == 0xBF && bytes[2] >= 0xBE ? 0 : 3
        case 0xE1...0xEE: return follows(1) && follows(2) ? 3 : 0
        case 0xF0: return follows(1, 0x90) && follows(2) && follows(3) ? 4 : 0
        case 0xF1...0xF3: return follows(1) && follows(2) && follows(3) ? 4 : 0
        case 0xF4: return follows(1, 0x80, 0x8F) && follows(2) && follows(3) ? 4 : 0
        default: return 0
        }
    }

    /// Reads a second `startDate` of a tag as `endDate` (iOS 16.0 wrote that), padded before the `=`.
    private mutating func repairStartDates(_ bytes: ByteBuffer) {
        let view = bytes.view
        var previous = -1
        var from = 0
        while let at = view.firstIndex(of: ByteView("startDate"), from: from) {
            from = at + 9
            if previous >= 0, !view[previous..<at].contains(Self.tagStart) {
                renameSecondStartDate(bytes, near: at)
                previous = -1
                // One look at a tag is enough, however often the word occurs in it.
                guard let next = view.firstIndex(of: Self.tagStart, from: from) else { return }
                from = next
            } else {
                previous = at
            }
        }
    }

    private mutating func renameSecondStartDate(_ bytes: ByteBuffer, near: Int) {
        let view = bytes.view
        guard let start = view[0..<near].lastIndex(of: Self.tagStart), TagLexer.isTag(view, at: start),
            !sections.contain(start)
        else { return }
        var second: Int?
        var seen = 0
        var hasEnd = false
        TagLexer.attributes(view, from: start) { nameStart, nameEnd in
            let name = view[nameStart..<nameEnd]
            if name == ByteView("startDate") {
                seen += 1
                if seen == 2 { second = nameStart }
            } else if name == ByteView("endDate") {
                hasEnd = true
            }
            return true
        }
        guard let second, seen == 2, !hasEnd else { return }
        for (index, byte) in ByteView("endDate  ").enumerated() { bytes[second + index] = byte }
        note(.secondStartDateReadAsEndDate, at: second, bytes)
    }

    /// Blanks what a tag has beyond 1,024 attributes: libxml2 2.9 compares each with all before it, and the reader
    /// quarantines the item anyway.
    private mutating func blankExcessAttributes(_ bytes: ByteBuffer) {
        let view = bytes.view
        var at = 0
        while view.count - at > Self.suspiciousTagBytes {
            let step = Self.suspiciousTagBytes
            if let last = view[at + 1..<at + 1 + step].lastIndex(of: Self.tagStart) {
                at += 1 + last
                continue
            }
            guard TagLexer.isTag(view, at: at), !sections.contain(at) else {
                at += step
                continue
            }
            var seen = 0
            var cut: Int?
            let end = TagLexer.attributes(view, from: at) { nameStart, _ in
                seen += 1
                // One more than allowed stays, so that the reader sees that there were too many.
                if seen == ExportReading.Limits.attributes + 2 { cut = nameStart }
                return true
            }
            if let cut {
                note(.attributesBlanked, at: cut, bytes)
                Self.blank(bytes, cut..<end)
            }
            guard let next = view.firstIndex(of: Self.tagStart, from: max(end, at + 1)) else { return }
            at = next
        }
    }
}
