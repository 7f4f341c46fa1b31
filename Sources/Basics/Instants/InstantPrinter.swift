/// Prints instants into a buffer, as exports print them and as ISO 8601.
///
/// Neighbouring records share their day, so the day printed last is kept.
package struct InstantPrinter {
    /// The offset from UTC in seconds that is printed where none is named.
    package let offsetSeconds: Int32
    private var day = Int.min
    private var year = 0
    /// The day that was printed last as `2024-05-01`.
    private var dayText: [UInt8] = []
    /// The last instant that a text can state.
    private static let last =
        Int64(CivilDate.daysSince1970(year: 10_000, month: 1, day: 1) * CivilDate.secondsPerDay + 86_340)

    /// - Parameter offsetSeconds: whole minutes, less than a day.
    package init(offsetSeconds: Int32 = 0) { self.offsetSeconds = offsetSeconds }

    /// Appends `2024-05-01 12:00:00 +0200` with the usual offset.
    @inline(__always)
    package mutating func append(_ seconds: Int64, to out: ByteBuffer) {
        append(seconds, offsetSeconds: offsetSeconds, to: out)
    }

    /// Appends `2024-05-01 12:00:00 +0200` with an offset of its own.
    ///
    /// The form has four digits for the year; an instant that has none there under this offset is printed under
    /// the widest one on the other side of UTC, and the last of all as the end of its day.
    package mutating func append(_ seconds: Int64, offsetSeconds offset: Int32, to out: ByteBuffer) {
        let local = CivilDate.dayAndSecond(seconds &+ Int64(offset))
        setDay(local.day)
        guard (0...9999).contains(year) else {
            let other: Int32 = year < 0 ? 86_340 : -86_340
            if seconds == Self.last {
                out.append("9999-12-31 24:00:00 -2359")
            } else if other != offset {
                append(seconds, offsetSeconds: other, to: out)
            }
            return
        }
        out.append(dayText)
        out.append(.space)
        Self.appendClock(local.second, to: out)
        out.append(.space)
        out.append(offset < 0 ? .minus : .plus)
        let minutes = Int(offset.magnitude) / 60
        let digits = Self.twoDigits(minutes / 60) + Self.twoDigits(minutes % 60) << 16
        out.append(word: 0x3030_3030 + UInt32(truncatingIfNeeded: digits))
    }

    /// Appends `2024-05-01T10:00:00.000Z`.
    ///
    /// Years before 0 get a sign (`-0044`), years beyond 9999 a sign and the digits they need (`+10000`).
    package mutating func appendISO8601(_ seconds: Int64, milliseconds: Int = 0, to out: ByteBuffer) {
        appendLocal(seconds, separator: UInt8(ascii: "T"), to: out)
        out.append(.point)
        if milliseconds == 0 { out.append("000") } else { out.append(milliseconds, digits: 3) }
        out.append(UInt8(ascii: "Z"))
    }

    /// Appends `2024-05-01 10:00:00` of seconds that are shifted to a clock already.
    mutating func appendLocal(_ seconds: Int64, separator: UInt8 = .space, to out: ByteBuffer) {
        let local = CivilDate.dayAndSecond(seconds)
        setDay(local.day)
        out.append(dayText)
        out.append(separator)
        Self.appendClock(local.second, to: out)
    }

    @inline(__always)
    private mutating func setDay(_ newDay: Int) {
        if newDay != day { computeDay(newDay) }
    }

    private mutating func computeDay(_ newDay: Int) {
        let date = CivilDate.date(daysSince1970: newDay)
        let text = ByteBuffer(capacity: 64)
        if date.year < 0 { text.append(.minus) }
        if date.year > 9999 { text.append(.plus) }
        if date.year.magnitude > 9999 {
            text.append(decimal: Int64(date.year.magnitude))
        } else {
            text.append(Int(date.year.magnitude), digits: 4)
        }
        text.append(.minus)
        text.append(date.month, digits: 2)
        text.append(.minus)
        text.append(date.day, digits: 2)
        (day, year, dayText) = (newDay, date.year, text.view.array)
    }

    @inline(__always)
    private static func appendClock(_ second: Int, to out: ByteBuffer) {
        // "00:00:00" with the first character in the lowest byte.
        out.append(
            long: 0x3030_3A30_303A_3030 + twoDigits(second / 3600) + twoDigits(second / 60 % 60) << 24
                + twoDigits(second % 60) << 48)
    }

    /// What two digits are beyond "00", the first in the lowest byte.
    @inline(__always)
    private static func twoDigits(_ value: Int) -> Int64 { Int64(value / 10 | (value % 10) << 8) }
}
