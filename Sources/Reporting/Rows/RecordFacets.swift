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

    private var sources: [Count] = []
    private var months: [Count] = []

    package init() {}

    /// Adds a month of a source; rows over several sources are left out.
    ///
    /// - Parameter id: the observation.
    package mutating func add(_ bucket: AggregateBucket, at id: Int64) {
        guard bucket.overlappingSources == nil else { return }
        let count = bucket.aggregate.count
        if let index = sources.firstIndex(where: { $0.name == bucket.sourceName && $0.unit == bucket.unit }) {
            sources[index].count += count
        } else {
            let link = Document.Link.records(at: id, type: bucket.type, source: bucket.sourceName)
            sources.append(Count(name: bucket.sourceName, unit: bucket.unit, count: count, link: link))
        }
        if months.last?.name == bucket.label {
            months[months.count - 1].count += count
        } else {
            let span = [bucket.start, bucket.end].map { ISO8601.string(unixSeconds: $0) }
            let link = Document.Link(
                "records", ["at": "\(id)", "type": bucket.type, "since": span[0], "until": span[1]])
            months.append(Count(name: bucket.label, unit: nil, count: count, link: link))
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
