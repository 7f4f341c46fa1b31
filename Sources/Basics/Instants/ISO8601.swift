package import Foundation

/// Instants as text, in the proleptic Gregorian calendar and by own arithmetic: a formatter object per record would
/// cost more than the record, and formatters disagree about years before 1583.
package enum ISO8601 {
    /// `2024-05-01T10:00:00.000Z`, for whole seconds since 1970 in UTC.
    ///
    /// Years before 0 get a sign (`-0044`), years beyond 9999 a sign and the digits they need (`+10000`).
    package static func string(unixSeconds: some BinaryInteger) -> String {
        printed { $0.appendISO8601(Int64(clamping: unixSeconds), to: $1) }
    }

    /// `2024-05-01T10:00:00.250Z`, rounded to the nearest millisecond; `not-a-date` for NaN and the infinities.
    package static func string(unixSeconds: Double) -> String {
        guard unixSeconds.isFinite else { return notADate }
        let (seconds, milliseconds) = rounded(unixSeconds)
        return printed { $0.appendISO8601(seconds, milliseconds: milliseconds, to: $1) }
    }

    /// `2024-05-01 12:00:00` on the clocks of `zone`.
    package static func local(unixSeconds: some BinaryInteger, zone: TimeZone) -> String {
        let seconds = Int64(clamping: unixSeconds)
        let offset = zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(seconds)))
        let (shifted, overflow) = seconds.addingReportingOverflow(Int64(offset))
        return printed { $0.appendLocal(overflow ? seconds : shifted, to: $1) }
    }

    /// `2024-05-01 12:00:00` on the clocks of `zone`, rounded to the nearest second.
    package static func local(unixSeconds: Double, zone: TimeZone) -> String {
        guard unixSeconds.isFinite else { return notADate }
        let (seconds, milliseconds) = rounded(unixSeconds)
        return local(unixSeconds: milliseconds < 500 ? seconds : seconds + 1, zone: zone)
    }

    /// `2024-05-01`: the day of an instant in `zone`.
    package static func localDay(unixSeconds: some BinaryInteger, zone: TimeZone) -> String {
        let text = local(unixSeconds: unixSeconds, zone: zone)
        return text.firstIndex(of: " ").map { String(text[..<$0]) } ?? text
    }

    private static let notADate = "not-a-date"

    /// Whole seconds and milliseconds, clamped to a range in which the arithmetic cannot overflow; far beyond any year
    /// that can be printed.
    private static func rounded(_ unixSeconds: Double) -> (seconds: Int64, milliseconds: Int) {
        let total = Int64((max(-1e15, min(1e15, unixSeconds)) * 1000).rounded())
        let (seconds, milliseconds) = total.quotientAndRemainder(dividingBy: 1000)
        return milliseconds < 0 ? (seconds - 1, Int(milliseconds) + 1000) : (seconds, Int(milliseconds))
    }

    private static func printed(_ append: (inout InstantPrinter, ByteBuffer) -> Void) -> String {
        var printer = InstantPrinter()
        let out = ByteBuffer(capacity: 64)
        append(&printer, out)
        return out.text
    }
}

/// Reading.
extension ISO8601 {
    /// The Unix seconds of an instant that says its offset itself, `2024-05-01T10:00:00.250+02:00`; nil for all else.
    package static func seconds(_ text: ByteView) -> Double? {
        guard let parts = parts(text), let clock = parts.clock, text[10] == UInt8(ascii: "T"),
            let offset = offset(parts.rest)
        else { return nil }
        let fraction = parts.fraction.count > 1 ? Double("0" + parts.fraction.string) ?? 0 : 0
        return Double(parts.day * CivilDate.secondsPerDay + clock - offset) + fraction
    }

    /// What a text begins with: `2024-05-01`, then perhaps `T10:00:00` or ` 10:00:00` with a fraction, and what follows; nil
    /// for all else.
    package static func parts(
        _ text: ByteView
    ) -> (day: Int, clock: Int?, fraction: ByteView, rest: ByteView)? {
        guard text.count >= 10, let day = CivilDate.daysSince1970(text[0..<10]) else { return nil }
        guard text.count >= 19, text[10] == UInt8(ascii: "T") || text[10] == .space, let clock = clock(text[11..<19])
        else { return (day, nil, text[0..<0], text[10...]) }
        var end = 19
        if end < text.count, text[end] == .point {
            repeat { end += 1 } while end < text.count && text[end].isDigit
        }
        return (day, clock, text[19..<end], text[end...])
    }

    /// The second of the day of `10:00:00`; nil for all else.
    private static func clock(_ text: ByteView) -> Int? {
        let (hour, minute, second) = (Instant.two(text, 0), Instant.two(text, 3), Instant.two(text, 6))
        guard hour | minute | second >= 0, text[2] == .colon, text[5] == .colon, hour <= 23, minute <= 59, second <= 60
        else { return nil }
        return hour * 3600 + minute * 60 + second
    }

    /// The seconds east of UTC of `Z`, `+02:00`, `+0200` or `-05`; nil for all else.
    package static func offset(_ text: ByteView) -> Int? {
        guard text.count > 0 else { return nil }
        if text.count == 1, text[0] | 0x20 == UInt8(ascii: "z") { return 0 }
        let digits = text.array.dropFirst().filter { $0 != .colon }
        guard text[0] == .plus || text[0] == .minus, digits.allSatisfy(\.isDigit), [2, 4].contains(digits.count) else {
            return nil
        }
        let number = digits.reduce(0) { $0 * 10 + Int($1 - .digitZero) }
        let (hours, minutes) = digits.count == 2 ? (number, 0) : number.quotientAndRemainder(dividingBy: 100)
        guard hours <= 23, minutes <= 59 else { return nil }
        return (text[0] == .minus ? -1 : 1) * (hours * 3600 + minutes * 60)
    }

    /// `+05:45` of seconds east of UTC, with seconds only where there are any.
    package static func offsetText(_ offset: Int64) -> String {
        let seconds = offset.magnitude
        let parts = [seconds / 3600, seconds / 60 % 60] + (seconds % 60 == 0 ? [] : [seconds % 60])
        return (offset < 0 ? "-" : "+") + parts.map { twoDigits($0) }.joined(separator: ":")
    }
}
