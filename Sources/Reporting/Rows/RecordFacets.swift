package import ArchiveAggregating
internal import ArchiveRows
package import Presentation
package import TextFormats

/// By what the records of a type at an observation can be narrowed: their sources and their months.
package struct RecordFacets: JSONConvertible {
    /// One facet: what it is called, and the rows of it.
    private struct Count {
        var name: String?
        var unit: String?
        var count: Int64
        var link: Document.Link
    }

    /// The records of a source and a unit in one month.
    package struct Month {
        package var type: String
        /// `2024-03`, in the chain's zone.
        package var label: String
        /// Unix seconds.
        package var start: Int64
        package var end: Int64
        package var source: String?
        package var unit: String?
        package var count: Int64

        package init(
            type: String, label: String, start: Int64, end: Int64, source: String?, unit: String?, count: Int64
        ) {
            (self.type, self.label, self.start, self.end) = (type, label, start, end)
            (self.source, self.unit, self.count) = (source, unit, count)
        }

        /// Nil for what is over several sources.
        package init?(_ bucket: AggregateBucket) {
            guard bucket.overlappingSources == nil else { return nil }
            self.init(
                type: bucket.type, label: bucket.label, start: bucket.start, end: bucket.end,
                source: bucket.sourceName, unit: bucket.unit, count: bucket.aggregate.count)
        }
    }

    private var sources: [Count] = []
    private var months: [Count] = []

    package init() {}

    /// Adds a month of a source; months come in order.
    ///
    /// - Parameter id: the observation.
    package mutating func add(_ month: Month, at id: Int64) {
        if let index = sources.firstIndex(where: { $0.name == month.source && $0.unit == month.unit }) {
            sources[index].count += month.count
        } else {
            let link = Document.Link.records(at: id, type: month.type, source: month.source)
            sources.append(Count(name: month.source, unit: month.unit, count: month.count, link: link))
        }
        if months.last?.name == month.label {
            months[months.count - 1].count += month.count
        } else {
            let span = [month.start, month.end].map { ISO8601.string(unixSeconds: $0) }
            let link = Document.Link(
                "records", ["at": "\(id)", "type": month.type, "since": span[0], "until": span[1]])
            months.append(Count(name: month.label, unit: nil, count: month.count, link: link))
        }
    }

    package var json: JSON {
        .row([
            "sources": sources.map { JSON.row(["name": $0.name, "unit": $0.unit, "count": $0.count]) },
            "months": months.map { JSON.row(["month": $0.name, "count": $0.count]) },
        ])
    }

    /// The facets as tables, newest month first.
    ///
    /// - Parameter zone: in whose months the records are counted.
    package func document(_ zone: ChainZone?) -> Document {
        var bySource = Table([.left("Source"), .left("Unit"), .right("Records")])
        for entry in sources {
            bySource.addRow(
                [entry.name ?? "-", entry.unit ?? "", Counts.grouped(entry.count)],
                links: [0: entry.name == nil ? nil : entry.link])
        }
        var byMonth = Table([.exact("Month"), .right("Records")])
        for entry in months.reversed() {
            byMonth.addRow([entry.name ?? "", Counts.grouped(entry.count)], links: [0: entry.link])
        }
        let days = zone.map(Wording.zoneName) ?? "no zone"
        return Document([
            .folded("By source (\(Counts.grouped(bySource.rows.count)))", [.table(bySource)]),
            .folded("By month of \(days) (\(Counts.grouped(byMonth.rows.count)))", [.table(byMonth)]),
        ])
    }
}
