/// The zone in which the simulated person lives: Europe/Berlin with the daylight-saving rule valid since 1996.
enum HomeZone {
    /// The IANA name, as `HKTimeZone` metadata prints it.
    static let name = "Europe/Berlin"

    /// Seconds east of UTC at an instant (Unix seconds).
    static func offsetSeconds(at instant: Int) -> Int {
        let year = CivilDate(daysSince1970: CivilDate.split(instant, by: 86_400).quotient).year
        let summerStart = lastSunday(year: year, month: 3) * 86_400 + 3600
        let summerEnd = lastSunday(year: year, month: 10) * 86_400 + 3600
        return instant >= summerStart && instant < summerEnd ? 7200 : 3600
    }

    static func midnight(dayNumber: Int) -> Int {
        dayNumber * 86_400 - offsetSeconds(at: dayNumber * 86_400)
    }

    private static func lastSunday(year: Int, month: Int) -> Int {
        let last = CivilDate.daysSince1970(year: year, month: month, day: 31)
        // 1970-01-01 was a Thursday: day 3 was a Sunday.
        return last - CivilDate.split(last - 3, by: 7).remainder
    }
}
