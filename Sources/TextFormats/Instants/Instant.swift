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

    /// Parses `yyyy-MM-dd HH:mm:ss ±HHMM`, the one form that counts as an instant (section 3 of the design), and
    /// iOS 8's `yyyyMMddHHmmss±HHMM`; nil when the text is anything else or names no day of the calendar.
    ///
    /// `24:00:00` is the next midnight and second 60 the following second.
    package init?(_ view: ByteView) {
        let p = view.start
        switch view.count {
        case 25:
            guard p[4] == .minus, p[7] == .minus, p[10] == .space, p[13] == .colon, p[16] == .colon, p[19] == .space
            else {
                return nil
            }
            self.init(
                year: Self.four(p), month: Self.two(p + 5), day: Self.two(p + 8), hour: Self.two(p + 11),
                minute: Self.two(p + 14), second: Self.two(p + 17), sign: p[20], offset: p + 21)
        case 19:
            self.init(
                year: Self.four(p), month: Self.two(p + 4), day: Self.two(p + 6), hour: Self.two(p + 8),
                minute: Self.two(p + 10), second: Self.two(p + 12), sign: p[14], offset: p + 15)
        default:
            return nil
        }
    }

    package init?(_ text: String) {
        guard let parsed = text.withByteView({ Instant($0) }) else { return nil }
        self = parsed
    }

    @inline(__always)
    private init?(
        year: Int, month: Int, day: Int, hour: Int, minute: Int, second: Int, sign: UInt8,
        offset: UnsafePointer<UInt8>
    ) {
        let offsetHours = Self.two(offset)
        let offsetMinutes = Self.two(offset + 2)
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

    @inline(__always)
    fileprivate static func two(_ p: UnsafePointer<UInt8>) -> Int {
        let high = Int(p[0]) - Int(UInt8.digitZero)
        let low = Int(p[1]) - Int(UInt8.digitZero)
        return high >= 0 && high <= 9 && low >= 0 && low <= 9 ? high * 10 + low : Int.min
    }

    @inline(__always)
    fileprivate static func four(_ p: UnsafePointer<UInt8>) -> Int {
        let high = two(p)
        let low = two(p + 2)
        return high | low >= 0 ? high * 100 + low : Int.min
    }
}

extension CivilDate {
    /// Days from 1970-01-01 to a date written `2024-05-01`; nil for any other text and for what is no day of the calendar.
    package static func daysSince1970(_ text: String) -> Int? {
        text.withByteView { view in
            let p = view.start
            guard view.count == 10, p[4] == .minus, p[7] == .minus else { return nil }
            let (year, month, day) = (Instant.four(p), Instant.two(p + 5), Instant.two(p + 8))
            guard year | month | day >= 0, (1...12).contains(month), day >= 1,
                day <= daysInMonth(year: year, month: month)
            else { return nil }
            return daysSince1970(year: year, month: month, day: day)
        }
    }
}
