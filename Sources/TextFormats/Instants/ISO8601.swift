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
