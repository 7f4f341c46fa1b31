package import Foundation
internal import TextFormats

/// On whose clocks a document shows times.
package struct DisplayZone: Sendable {
    package let zone: TimeZone

    package init(_ zone: TimeZone) { self.zone = zone }

    /// `UTC`, or the zone's identifier.
    package var name: String { zone.secondsFromGMT() == 0 && zone.identifier == "GMT" ? "UTC" : zone.identifier }

    /// `2024-05-01 12:00:00`, or `-`.
    package func time(_ seconds: Int64?) -> String {
        seconds.map { ISO8601.local(unixSeconds: $0, zone: zone) } ?? "-"
    }

    /// `2024-05-01`, or `-`.
    package func day(_ seconds: Int64?) -> String {
        seconds.map { ISO8601.localDay(unixSeconds: $0, zone: zone) } ?? "-"
    }
}
