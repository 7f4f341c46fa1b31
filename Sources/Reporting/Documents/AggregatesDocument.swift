package import ArchiveAggregating
package import ArchiveRows
internal import HealthModel
package import Presentation

/// Aggregates for people.
package enum AggregatesDocument {
    /// The observation, the zone, and the buckets as a table.
    ///
    /// - Parameter room: how many bytes of a page the table may have.
    package static func make(
        _ observation: Observation, _ zone: ChainZone?, by size: AggregateQuestion.Size, _ buckets: [AggregateBucket],
        room: Int? = nil
    ) -> Document {
        let days = Wording.zone(zone)
        var document = Document(
            title: "Observation \(observation.id), chain \(observation.chain), by \(size.rawValue) of \(days)")
        guard !buckets.isEmpty else {
            document.paragraph("No records match.")
            return document
        }
        var table = Table([
            Table.Column("Type", .name, maxWidth: 80), .exact(size == .day ? "Day" : "Month"),
            .words("Source", maxWidth: 80, leftOut: 5),
            .right("Records", leftOut: 4), .right("Sum"), .right("Mean"), .right("Minimum", leftOut: 2),
            .right("Maximum", leftOut: 2), .left("Unit"), .right("Covered", leftOut: 1), .words(""),
        ])
        for bucket in buckets {
            let aggregate = bucket.aggregate
            let isCumulative = QuantityTypeTable.shared[bucket.type].isCumulative
            let numbers = [isCumulative ? aggregate.sum : nil, aggregate.mean, aggregate.minimum, aggregate.maximum]
            table.addRow(
                [
                    shortIdentifier(bucket.type), bucket.label,
                    bucket.overlappingSources.map { "\($0) sources" } ?? bucket.sourceName?.quoted ?? "",
                    Counts.grouped(aggregate.count),
                ] + numbers.map(Wording.number) + [
                    bucket.unit ?? "", aggregate.coveredSeconds > 0 ? Durations.clock(aggregate.coveredSeconds) : "",
                    bucket.overlappingSources == nil ? "" : "overlapNotRemoved",
                ],
                links: [1: .bucket(bucket, by: size, at: observation.id)])
        }
        if let room { table.keepFirst(table.rowCount(within: room)) }
        document.append(.table(table))
        if buckets.contains(where: { $0.overlappingSources != nil }) {
            document.paragraph(
                "overlapNotRemoved: what several sources recorded at the same time is counted more than once.")
        }
        return document
    }
}
