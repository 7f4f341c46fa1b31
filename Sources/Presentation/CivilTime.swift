/// A date and a time of day in the proleptic Gregorian calendar, without a zone.
struct CivilTime {
    /// The year, with a year 0 before year 1.
    let year: Int64
    /// 1 to 12.
    let month: Int64
    /// 1 to 31.
    let day: Int64
    /// 0 to 86,399.
    let secondOfDay: Int64

    /// The civil time of an instant in UTC.
    ///
    /// Counts from 1 March of year 0, so that the leap day ends a year: 146,097 days are 400 years exactly, and within
    /// five months from March on there are always 153 days.
    init(unixSeconds: Int64) {
        let days = Self.floorDivide(unixSeconds, 86_400)
        let remainder = unixSeconds % 86_400  // days * 86,400 could overflow at the very beginning of time
        secondOfDay = remainder < 0 ? remainder + 86_400 : remainder
        let marchDays = days + 719_468
        let era = Self.floorDivide(marchDays, 146_097)
        let dayOfEra = marchDays - era * 146_097
        // Take out one day per 4 years, put back one per 100, take out the era's last: whole years of 365 days remain.
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let marchMonth = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * marchMonth + 2) / 5 + 1
        month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    }

    /// Appends `2024-05-01`.
    func appendDate(to bytes: inout [UInt8]) {
        if year < 0 { bytes.append(UInt8(ascii: "-")) }
        if year > 9_999 { bytes.append(UInt8(ascii: "+")) }
        let magnitude = Int64(year.magnitude)
        if magnitude > 9_999 {
            bytes.append(contentsOf: String(magnitude).utf8)
        } else {
            Self.append(magnitude, digits: 4, to: &bytes)
        }
        bytes.append(UInt8(ascii: "-"))
        Self.append(month, digits: 2, to: &bytes)
        bytes.append(UInt8(ascii: "-"))
        Self.append(day, digits: 2, to: &bytes)
    }

    /// Appends `10:00:00`.
    func appendClock(to bytes: inout [UInt8]) {
        Self.append(secondOfDay / 3_600, digits: 2, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        Self.append(secondOfDay / 60 % 60, digits: 2, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        Self.append(secondOfDay % 60, digits: 2, to: &bytes)
    }

    /// Appends the last `digits` digits of a number that is not negative, with leading zeros.
    static func append(_ number: Int64, digits: Int, to bytes: inout [UInt8]) {
        var divisor: Int64 = 1
        for _ in 1..<digits { divisor *= 10 }
        while divisor > 0 {
            bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number / divisor % 10))
            divisor /= 10
        }
    }

    /// Division that rounds towards minus infinity.
    static func floorDivide(_ number: Int64, _ divisor: Int64) -> Int64 {
        let (quotient, remainder) = number.quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? quotient - 1 : quotient
    }
}
