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
            guard p[4] == 0x2D, p[7] == 0x2D, p[10] == 0x20, p[13] == 0x3A, p[16] == 0x3A, p[19] == 0x20 else {
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
        var copy = text
        let parsed = copy.withUTF8 { buffer in
            buffer.baseAddress.flatMap { Instant(ByteView($0, buffer.count)) }
        }
        guard let parsed else { return nil }
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
            sign == 0x2B || sign == 0x2D
        else { return nil }
        let magnitude = offsetHours * 3600 + offsetMinutes * 60
        let printed = sign == 0x2D ? -magnitude : magnitude
        let days = CivilDate.daysSince1970(year: year, month: month, day: day)
        seconds = Int64(days * 86400 + hour * 3600 + minute * 60 + second - printed)
        offsetSeconds = Int32(truncatingIfNeeded: printed)
    }

    @inline(__always)
    private static func two(_ p: UnsafePointer<UInt8>) -> Int {
        let high = Int(p[0]) - 0x30
        let low = Int(p[1]) - 0x30
        return high >= 0 && high <= 9 && low >= 0 && low <= 9 ? high * 10 + low : Int.min
    }

    @inline(__always)
    private static func four(_ p: UnsafePointer<UInt8>) -> Int {
        let high = two(p)
        let low = two(p + 2)
        return high | low >= 0 ? high * 100 + low : Int.min
    }
}

/// The proleptic Gregorian calendar as day numbers (Howard Hinnant's `days_from_civil` and `civil_from_days` formulas).
package enum CivilDate {
    @inline(__always)
    package static func daysInMonth(year: Int, month: Int) -> Int {
        switch month {
        case 2: return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: return 30
        default: return 31
        }
    }

    /// Days from 1970-01-01 to the given date.
    @inline(__always)
    package static func daysSince1970(year: Int, month: Int, day: Int) -> Int {
        let y = month <= 2 ? year - 1 : year
        let era = (y >= 0 ? y : y - 399) / 400
        let yearOfEra = y - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }

    /// The date that lies `days` after 1970-01-01.
    package static func date(daysSince1970 days: Int) -> (year: Int, month: Int, day: Int) {
        let z = days + 719_468
        let era = (z >= 0 ? z : z - 146_096) / 146_097
        let dayOfEra = z - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let m = (5 * dayOfYear + 2) / 153
        let month = m < 10 ? m + 3 : m - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * m + 2) / 5 + 1)
    }
}
