/// A point in time as Unix seconds UTC with the offset that the export printed.
package struct Instant: Equatable, Sendable {
    /// Seconds since 1970-01-01T00:00:00Z, negative before.
    package var seconds: Int64
    /// The printed offset from UTC in seconds.
    package var offsetSeconds: Int32

    package init(seconds: Int64, offsetSeconds: Int32) {
        self.seconds = seconds
        self.offsetSeconds = offsetSeconds
    }

    /// Parses `yyyy-MM-dd HH:mm:ss ±HHMM`, the one form that counts as an instant (docs/identity.md), and
    /// iOS 8's `yyyyMMddHHmmss±HHMM`; nil when the text is anything else or names no day of the calendar.
    ///
    /// `24:00:00` is the next midnight and second 60 the following second.
    package init?(_ view: ByteView) {
        switch view.count {
        case 25:
            guard view[4] == .minus, view[7] == .minus, view[10] == .space, view[13] == .colon, view[16] == .colon,
                view[19] == .space
            else { return nil }
            self.init(view, month: 5, day: 8, hour: 11, minute: 14, second: 17, offset: 20)
        case 19:
            self.init(view, month: 4, day: 6, hour: 8, minute: 10, second: 12, offset: 14)
        default:
            return nil
        }
    }

    package init?(_ text: String) {
        guard let parsed = text.withByteView({ Instant($0) }) else { return nil }
        self = parsed
    }

    /// Parses the fields at their places; the year is the first.
    @inline(__always)
    private init?(_ view: ByteView, month: Int, day: Int, hour: Int, minute: Int, second: Int, offset: Int) {
        let year = Self.four(view, 0)
        let (month, day) = (Self.two(view, month), Self.two(view, day))
        let (hour, minute, second) = (Self.two(view, hour), Self.two(view, minute), Self.two(view, second))
        let sign = view[offset]
        let offsetHours = Self.two(view, offset + 1)
        let offsetMinutes = Self.two(view, offset + 3)
        // A non-digit makes its field negative, so one test covers them all.
        guard year | month | day | hour | minute | second | offsetHours | offsetMinutes >= 0,
            month >= 1, month <= 12, day >= 1, day <= CivilDate.daysInMonth(year: year, month: month),
            minute <= 59, second <= 60, offsetHours <= 23, offsetMinutes <= 59,
            hour <= 23 || (hour == 24 && minute == 0 && second == 0),
            sign == .plus || sign == .minus
        else { return nil }
        let magnitude = offsetHours * 3600 + offsetMinutes * 60
        let printed = sign == .minus ? -magnitude : magnitude
        let days = CivilDate.daysSince1970(year: year, month: month, day: day)
        seconds = Int64(days * CivilDate.secondsPerDay + hour * 3600 + minute * 60 + second - printed)
        offsetSeconds = Int32(truncatingIfNeeded: printed)
    }

    /// The number of two digits; negative for all else.
    @inline(__always)
    static func two(_ view: ByteView, _ place: Int) -> Int {
        let high = Int(view[place]) - Int(UInt8.digitZero)
        let low = Int(view[place + 1]) - Int(UInt8.digitZero)
        return high >= 0 && high <= 9 && low >= 0 && low <= 9 ? high * 10 + low : Int.min
    }

    @inline(__always)
    fileprivate static func four(_ view: ByteView, _ place: Int) -> Int {
        let high = two(view, place)
        let low = two(view, place + 2)
        return high | low >= 0 ? high * 100 + low : Int.min
    }
}

extension CivilDate {
    /// Days from 1970-01-01 to a date written `2024-05-01`; nil for any other text and for what is no day of the calendar.
    package static func daysSince1970(_ text: String) -> Int? { text.withByteView { daysSince1970($0) } }

    /// The same of bytes.
    package static func daysSince1970(_ view: ByteView) -> Int? {
        guard view.count == 10, view[4] == .minus, view[7] == .minus else { return nil }
        let (year, month, day) = (Instant.four(view, 0), Instant.two(view, 5), Instant.two(view, 8))
        guard year | month | day >= 0, (1...12).contains(month), day >= 1,
            day <= daysInMonth(year: year, month: month)
        else { return nil }
        return daysSince1970(year: year, month: month, day: day)
    }
}
