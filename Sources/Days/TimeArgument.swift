internal import Basics
package import Foundation
internal import HealthModel

/// A day or an instant on the command line, as Unix seconds.
///
/// `2024-05-01` is a day in the chosen zone, `2024-05-01T10:00:00` a time in it; `…Z`, `…+02:00` and the export's own
/// `2024-05-01 10:00:00 +0200` say their offset themselves. Records begin and end at whole seconds: a fraction of one is
/// rounded up.
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
        guard let bounds = text.withByteView({ Self.bounds($0, zone) }) else {
            throw HealthProbeError(
                .usage, "\(option) takes a day or an instant, not \(text).",
                hint:
                    "Write 2024-05-01, 2024-05-01T10:00:00Z or 2024-05-01T10:00:00+02:00. Observations are --at, --from, --to."
            )
        }
        (begin, end) = bounds
    }

    /// Begin and end of a day, or an instant as both; nil for anything else.
    private static func bounds(_ text: ByteView, _ zone: TimeZone) -> (begin: Int64, end: Int64)? {
        guard let parts = ISO8601.parts(text) else { return nil }
        let midnight = Int64(parts.day) * 86_400
        guard let clock = parts.clock else {
            return parts.rest.count > 0 ? nil : (instant(midnight, zone), instant(midnight + 86_400, zone))
        }
        let isFraction = parts.fraction.array.contains { $0 > UInt8(ascii: "0") }
        let local = midnight + Int64(clock) + (isFraction ? 1 : 0)
        let offset = ISO8601.offset(parts.rest)
        guard offset != nil || parts.rest.count == 0 else { return nil }
        let begin = offset.map { local - Int64($0) } ?? instant(local, zone)
        return (begin, begin)
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

    /// The first instant at which the clocks of a zone show a local time or a later one, as days begin.
    private static func instant(_ local: Int64, _ zone: TimeZone) -> Int64 {
        ZoneClock(zone, from: local - ZoneClock.step, to: local + ZoneClock.step).first(showing: local)
    }
}
