package import Archive
internal import Foundation
internal import HealthModel
internal import Presentation
internal import TextFormats

/// Aggregates for people.
package enum AggregatesText {
    /// The observation, the zone, and the buckets as a table.
    package static func page(
        _ observation: Observation, _ zone: ChainZone?, by size: AggregateQuestion.Size, _ buckets: [AggregateBucket],
        _ layout: TextLayout
    ) -> String {
        var text =
            layout.style.bold(
                "Observation \(observation.id), chain \(TerminalText.safe(observation.chain)), by \(size.rawValue) of "
                    + (zone.map { TerminalText.safe(phrase($0)) } ?? "no zone")) + "\n"
        guard !buckets.isEmpty else { return text + "No records in these buckets.\n" }
        var table = TextTable([
            .name("Type"), .exact(size == .day ? "Day" : "Month"), .left("Source", leftOut: 5),
            .right("Records", leftOut: 4),
            .right("Sum"), .right("Mean"), .right("Minimum", leftOut: 2), .right("Maximum", leftOut: 2), .left("Unit"),
            .right("Covered", leftOut: 1), .left(""),
        ])
        for bucket in buckets {
            let aggregate = bucket.aggregate
            let isCumulative = QuantityTypeTable.shared[bucket.type].isCumulative
            table.addRow([
                shortIdentifier(bucket.type), bucket.label,
                bucket.overlappingSources.map { "\($0) sources" } ?? bucket.sourceName ?? "",
                Counts.grouped(aggregate.count), isCumulative ? number(aggregate.sum) : "", number(aggregate.mean),
                number(aggregate.minimum), number(aggregate.maximum), bucket.unit ?? "",
                covered(aggregate.coveredSeconds), bucket.overlappingSources == nil ? "" : "overlapNotRemoved",
            ])
        }
        text += layout.render(table)
        if buckets.contains(where: { $0.overlappingSources != nil }) {
            text += "overlapNotRemoved: what several sources recorded at the same time is in it more than once.\n"
        }
        return text
    }

    /// `Europe/Bucharest (named by most records)`.
    package static func phrase(_ zone: ChainZone) -> String {
        switch zone.origin {
        case .argument: "\(zone.name) (the first --time-zone given)"
        case .metadata: "\(zone.name) (named by most records)"
        case .offset: "\(name(zone)) (the first export's offset)"
        }
    }

    /// `Europe/Bucharest`, `UTC+02:00`.
    static func name(_ zone: ChainZone) -> String { zone.origin == .offset ? "UTC\(zone.name)" : zone.name }

    /// Six significant digits, as many as an export has.
    static func number(_ value: Double?) -> String {
        guard let value, value.isFinite else { return "" }
        let magnitude = value == 0 ? 0 : Int(log10(value.magnitude).rounded(.down))
        let digits = max(0, min(12, 5 - magnitude))
        guard magnitude > -8, magnitude < 15 else { return CanonicalNumber.text(value) ?? "" }
        var text = String(format: "%.\(digits)f", value)
        if digits > 0 {
            while text.last == "0" { text.removeLast() }
            if text.last == "." { text.removeLast() }
        }
        return text
    }

    /// `2:05:00`.
    private static func covered(_ seconds: Int64) -> String {
        guard seconds > 0 else { return "" }
        func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return "\(seconds / 3600):\(two(seconds / 60 % 60)):\(two(seconds % 60))"
    }
}
