package import Foundation

/// Instants as text, in the proleptic Gregorian calendar and by own arithmetic: a formatter object per record would
/// cost more than the record, and formatters disagree about years before 1583.
package enum ISO8601 {
    /// `2024-05-01T10:00:00.000Z`, for whole seconds since 1970 in UTC.
    ///
    /// Years before 0 get a sign (`-0044`), years beyond 9999 a sign and the digits they need (`+10000`).
    package static func string(unixSeconds: some BinaryInteger) -> String {
        utc(CivilTime(unixSeconds: Int64(clamping: unixSeconds)), milliseconds: 0)
    }

    /// `2024-05-01T10:00:00.250Z`, rounded to the nearest millisecond; `not-a-date` for NaN and the infinities.
    package static func string(unixSeconds: Double) -> String {
        guard unixSeconds.isFinite else { return notADate }
        let total = milliseconds(unixSeconds)
        let seconds = CivilTime.floorDivide(total, 1000)
        return utc(CivilTime(unixSeconds: seconds), milliseconds: total - seconds * 1000)
    }

    /// `2024-05-01 12:00:00` on the clocks of `zone`.
    package static func local(unixSeconds: some BinaryInteger, zone: TimeZone) -> String {
        let seconds = Int64(clamping: unixSeconds)
        let offset = zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(seconds)))
        let (shifted, overflow) = seconds.addingReportingOverflow(Int64(offset))
        let time = CivilTime(unixSeconds: overflow ? seconds : shifted)
        var bytes: [UInt8] = []
        time.appendDate(to: &bytes)
        bytes.append(UInt8(ascii: " "))
        time.appendClock(to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// `2024-05-01 12:00:00` on the clocks of `zone`, rounded to the nearest second.
    package static func local(unixSeconds: Double, zone: TimeZone) -> String {
        guard unixSeconds.isFinite else { return notADate }
        return local(unixSeconds: CivilTime.floorDivide(milliseconds(unixSeconds) + 500, 1000), zone: zone)
    }

    /// `2024-05-01`: the day of an instant in `zone`.
    package static func localDay(unixSeconds: some BinaryInteger, zone: TimeZone) -> String {
        let text = local(unixSeconds: unixSeconds, zone: zone)
        return text.firstIndex(of: " ").map { String(text[..<$0]) } ?? text
    }

    private static let notADate = "not-a-date"

    /// Clamped to a range in which the arithmetic cannot overflow; far beyond any year that can be printed.
    private static func milliseconds(_ unixSeconds: Double) -> Int64 {
        Int64((max(-1e15, min(1e15, unixSeconds)) * 1000).rounded())
    }

    private static func utc(_ time: CivilTime, milliseconds: Int64) -> String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(24)
        time.appendDate(to: &bytes)
        bytes.append(UInt8(ascii: "T"))
        time.appendClock(to: &bytes)
        bytes.append(UInt8(ascii: "."))
        CivilTime.append(milliseconds, digits: 3, to: &bytes)
        bytes.append(UInt8(ascii: "Z"))
        return String(decoding: bytes, as: UTF8.self)
    }
}
