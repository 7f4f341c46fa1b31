internal import Basics

/// Days counted from 1970-01-01 as dates of the proleptic Gregorian calendar.
package enum LocalDate {
    /// `2024-05-01`.
    package static func text(day: Int64) -> String {
        CivilDate.text(daysSince1970: bounded(day))
    }

    /// `2024-05`: the month of a day.
    static func monthText(day: Int64) -> String {
        let date = CivilDate.date(daysSince1970: bounded(day))
        return CivilDate.text(year: date.year, month: date.month)
    }

    /// The first day of a day's month, and that of the month after.
    static func monthBounds(day: Int64) -> (first: Int64, next: Int64) {
        let date = CivilDate.date(daysSince1970: bounded(day))
        let first = CivilDate.daysSince1970(year: date.year, month: date.month, day: 1)
        return (Int64(first), Int64(first + CivilDate.daysInMonth(year: date.year, month: date.month)))
    }

    /// A damaged archive's days may be anything; the calendar's arithmetic must not overflow.
    private static func bounded(_ day: Int64) -> Int { Int(min(max(day, -1 << 40), 1 << 40)) }
}
