package import Foundation
internal import TextFormats

/// A day or an instant on the command line, as Unix seconds.
///
/// `2024-05-01` is a day in the chosen zone, `2024-05-01T10:00:00` a time in it; `…Z`, `…+02:00` and the export's own
/// `2024-05-01 10:00:00 +0200` say their offset themselves.
package struct TimeArgument {
    /// When the day or the instant begins.
    package private(set) var begin: Int64
    /// When the day ends; the instant itself where it is none.
    package private(set) var end: Int64

    /// - Throws: `usage` where the text is neither.
    package init(_ text: String, zone: TimeZone, option: String) throws {
        if let instant = Instant(text) {
            begin = instant.seconds
            end = begin
            return
        }
        let parts = Self.parts(text)
        guard let day = parts.day, parts.clock != nil || parts.rest.isEmpty else { throw Self.refusal(text, option) }
        guard let clock = parts.clock else {
            begin = Self.instant(day * 86_400, zone)
            end = Self.instant((day + 1) * 86_400, zone)
            return
        }
        let local = day * 86_400 + clock
        switch Self.offset(parts.rest) {
        case .some(let offset): begin = local - offset
        case nil where parts.rest.isEmpty: begin = Self.instant(local, zone)
        case nil: throw Self.refusal(text, option)
        }
        end = begin
    }

    /// The interval that `--since` and `--until` name, as Unix seconds; a day counts in full.
    ///
    /// - Throws: `usage` where one is neither a day nor an instant, or the interval ends before it begins.
    package static func interval(since: String?, until: String?, zone: TimeZone) throws -> (
        since: Int64?, until: Int64?
    ) {
        let first = try since.map { try TimeArgument($0, zone: zone, option: "--since") }
        let last = try until.map { try TimeArgument($0, zone: zone, option: "--until") }
        if let first, let last, first.begin > last.begin, first.begin >= last.end {
            throw HealthProbeError(.usage, "--since is later than --until.", hint: "Swap --since and --until.")
        }
        return (first?.begin, last?.end)
    }

    /// The Unix seconds of an instant that says its offset itself, `2024-05-01T10:00:00.250+02:00`; nil for all else.
    package static func seconds(ofISO8601 text: String) -> Double? {
        let parts = parts(text)
        guard text.utf8.dropFirst(10).first == UInt8(ascii: "T"), let day = parts.day, let clock = parts.clock,
            let offset = offset(parts.rest)
        else { return nil }
        return Double(day * 86_400 + clock - offset) + parts.fraction
    }

    private static func refusal(_ text: String, _ option: String) -> HealthProbeError {
        HealthProbeError(
            .usage, "\(option) takes a day or an instant, not \(text).",
            hint:
                "Write 2024-05-01, 2024-05-01T10:00:00Z or 2024-05-01T10:00:00+02:00. Observations are --at, --from, --to."
        )
    }

    /// `2024-05-01`, `T10:00:00` or ` 10:00:00` with an optional fraction, and what follows.
    private static func parts(_ text: String) -> (day: Int64?, clock: Int64?, fraction: Double, rest: String) {
        let bytes = Array(text.utf8)
        func number(_ at: Int, _ count: Int) -> Int? {
            guard at + count <= bytes.count, bytes[at..<at + count].allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }) else {
                return nil
            }
            return bytes[at..<at + count].reduce(0) { $0 * 10 + Int($1 - 0x30) }
        }
        func isByte(_ at: Int, _ allowed: String) -> Bool { at < bytes.count && allowed.utf8.contains(bytes[at]) }
        guard let days = CivilDate.daysSince1970(String(decoding: bytes.prefix(10), as: UTF8.self)).map(Int64.init)
        else {
            return (nil, nil, 0, text)
        }
        guard isByte(10, "T "), let hour = number(11, 2), isByte(13, ":"), let minute = number(14, 2), isByte(16, ":"),
            let second = number(17, 2), hour <= 23, minute <= 59, second <= 60
        else { return (days, nil, 0, String(decoding: bytes[10...], as: UTF8.self)) }
        var at = 19
        if isByte(at, ".") {
            at += 1
            while number(at, 1) != nil { at += 1 }
        }
        let fraction = Double("0" + String(decoding: bytes[19..<at], as: UTF8.self)) ?? 0
        let rest = String(decoding: bytes[at...], as: UTF8.self)
        return (days, Int64(hour * 3600 + minute * 60 + second), fraction, rest)
    }

    /// `Z`, `+02:00`, `+0200`, `-05`; nil for anything else.
    private static func offset(_ text: String) -> Int64? {
        if text == "Z" || text == "z" { return 0 }
        guard let sign = text.first, sign == "+" || sign == "-" else { return nil }
        let digits = text.dropFirst().filter { $0 != ":" }
        guard digits.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }), digits.utf8.count == 4 || digits.utf8.count == 2,
            let hours = Int64(digits.prefix(2)), let minutes = Int64(digits.utf8.count == 4 ? digits.suffix(2) : "00"),
            hours <= 23, minutes <= 59
        else { return nil }
        return (sign == "-" ? -1 : 1) * (hours * 3600 + minutes * 60)
    }

    /// The instant at which the clocks of a zone show a local time.
    private static func instant(_ local: Int64, _ zone: TimeZone) -> Int64 {
        func offset(_ seconds: Int64) -> Int64 {
            Int64(zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(seconds))))
        }
        let guess = local - offset(local)
        return local - offset(guess)
    }
}
