internal import Basics

/// Moves every date in a stream of text by the same whole days.
///
/// A date is `2024-05-01` without a digit beside it, whatever holds it and whatever follows. The bounds in the sync
/// identifiers of condensed series are dates, too: seconds since 2001 with five decimals between colons. Other forms of
/// dates in identifiers of apps are not known here; `hashed` and `none` do not print those.
final class DateShift {
    private let days: Int
    /// What came last: a date may go on in the next part.
    private let rest = ByteBuffer(capacity: 1 << 12)
    private var last: (date: [UInt8], moved: [UInt8]) = ([], [])
    /// More than any date and the bounds of a condensed series have.
    private static let longest = 64
    private static let hyphen = UInt8(ascii: "-")
    private static let dateBytes = 10
    private static let decimals = 5

    init(days: Int) { self.days = days }

    func shifted(_ text: String) -> String {
        let out = ByteBuffer(capacity: text.utf8.count)
        text.withByteView { convert($0, to: out) }
        return out.view.string
    }

    /// Appends a part of a stream, but for its end.
    func append(_ bytes: ByteView, to out: ByteBuffer) {
        rest.append(bytes)
        var end = rest.count - Self.longest
        guard end > 0 else { return }
        // Not within a date; what has no other byte for so long is none.
        let least = max(0, end - Self.longest)
        while end > least, Self.isOfDate(rest.view[end - 1]) { end -= 1 }
        guard end > 0 else { return }
        convert(rest.view[0..<end], to: out)
        let kept = rest.view[end...].array
        rest.removeAll()
        rest.append(kept)
    }

    /// Appends the end of the stream.
    func finish(to out: ByteBuffer) {
        convert(rest.view, to: out)
        rest.removeAll()
    }

    private static func isOfDate(_ byte: UInt8) -> Bool {
        isDigit(byte) || byte == hyphen || byte == .point || byte == 0x3A
    }

    private static func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 }

    /// Appends bytes of which each date is whole.
    private func convert(_ bytes: ByteView, to out: ByteBuffer) {
        var done = 0
        var at = 0
        while at < bytes.count {
            let byte = bytes[at]
            if byte == Self.hyphen, let moved = date(bytes, around: at) {
                out.append(bytes[done..<at - 4])
                out.append(moved)
                at += 6
                done = at
            } else if byte == .point, let bound = bound(bytes, around: at) {
                out.append(bytes[done..<bound.start])
                out.append(bound.moved)
                done = at
                at += 1
            } else {
                at += 1
            }
        }
        out.append(bytes[done...])
    }

    /// The moved date whose first hyphen is at a place; nil where there is none.
    private func date(_ bytes: ByteView, around at: Int) -> [UInt8]? {
        let start = at - 4
        guard start >= 0, start + Self.dateBytes <= bytes.count, bytes[at + 3] == Self.hyphen,
            start == 0 || !Self.isDigit(bytes[start - 1]),
            start + Self.dateBytes == bytes.count || !Self.isDigit(bytes[start + Self.dateBytes])
        else { return nil }
        let text = bytes[start..<start + Self.dateBytes].array
        if text == last.date { return last.moved }
        guard let year = Self.number(text[0..<4]), let month = Self.number(text[5..<7]),
            let day = Self.number(text[8..<10]), (1...12).contains(month),
            (1...CivilDate.daysInMonth(year: year, month: month)).contains(day)
        else { return nil }
        let moved = CivilDate.daysSince1970(year: year, month: month, day: day) + days
        guard (1...9999).contains(CivilDate.date(daysSince1970: moved).year) else { return nil }
        last = (text, Array(CivilDate.text(daysSince1970: moved).utf8))
        return last.moved
    }

    private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
        digits.reduce(0) { number, digit in number.flatMap { isDigit(digit) ? $0 * 10 + Int(digit - 0x30) : nil } }
    }

    /// The moved whole seconds of a bound whose point is at a place, `:712345678.00000:`, and where they begin.
    private func bound(_ bytes: ByteView, around at: Int) -> (start: Int, moved: [UInt8])? {
        let end = at + 1 + Self.decimals
        guard end < bytes.count, bytes[end] == 0x3A, (at + 1..<end).allSatisfy({ Self.isDigit(bytes[$0]) }) else {
            return nil
        }
        var start = at
        while start > 0, at - start < 12, Self.isDigit(bytes[start - 1]) { start -= 1 }
        guard at > start, start > 0, bytes[start - 1] == 0x3A,
            let seconds = Self.number(bytes[start..<at].array[...])
        else { return nil }
        return (start, Array("\(seconds + days * CivilDate.secondsPerDay)".utf8))
    }
}
