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
        var table = AggregateRows.columns.table(
            buckets.map(Percent.shown), of: AggregateListing(size: size, observation: observation.id))
        if let room { table.keepFirst(table.rowCount(within: room)) }
        document.append(.table(table))
        if buckets.contains(where: { $0.overlappingSources != nil }) {
            document.paragraph(
                "overlapNotRemoved: what several sources recorded at the same time is counted more than once.")
        }
        return document
    }
}
