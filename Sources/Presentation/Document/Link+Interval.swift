internal import Basics
package import Foundation

extension Document.Link {
    /// The same question over an interval: by days where it begins and ends with one, else by instants.
    package func over(_ start: Int64, _ end: Int64, _ zone: TimeZone) -> Document.Link {
        var link = self
        link.options.removeAll { ["since", "until"].contains($0.name) }
        let ends = [start, end].map { ISO8601.local(unixSeconds: $0, zone: zone) }
        let isOfDays = start < end && ends.allSatisfy { $0.hasSuffix("00:00:00") }
        link.options.append(
            (
                "since",
                isOfDays ? ISO8601.localDay(unixSeconds: start, zone: zone) : ISO8601.string(unixSeconds: start)
            ))
        link.options.append(
            (
                "until",
                isOfDays ? ISO8601.localDay(unixSeconds: end - 1, zone: zone) : ISO8601.string(unixSeconds: end)
            ))
        return link
    }
}
