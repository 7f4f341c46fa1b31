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

    /// The date that is `days` after 1970-01-01.
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

    /// `2024-05-01`; years before 0 with a sign.
    package static func text(daysSince1970 days: Int) -> String {
        let date = date(daysSince1970: days)
        return "\(text(year: date.year, month: date.month))-\(twoDigits(date.day))"
    }

    /// `2024-05`.
    package static func text(year: Int, month: Int) -> String {
        let digits = String(year.magnitude)
        let padded = String(repeating: "0", count: max(0, 4 - digits.count)) + digits
        return "\(year < 0 ? "-" : "")\(padded)-\(twoDigits(month))"
    }

    package static let secondsPerDay = 86_400

    /// The day number of an instant, and its second of that day; never overflows.
    @inline(__always)
    package static func dayAndSecond(_ seconds: Int64) -> (day: Int, second: Int) {
        let (quotient, remainder) = Int(seconds).quotientAndRemainder(dividingBy: secondsPerDay)
        return remainder < 0 ? (quotient - 1, remainder + secondsPerDay) : (quotient, remainder)
    }
}

/// `07`.
package func twoDigits(_ number: some BinaryInteger) -> String { number < 10 ? "0\(number)" : "\(number)" }
