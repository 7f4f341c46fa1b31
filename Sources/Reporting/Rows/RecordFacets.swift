package import Basics
package import Days
package import Presentation

/// By what the records of a type at an observation can be narrowed: their sources and their months.
package struct RecordFacets: JSONConvertible {
    /// The records of a source in a unit.
    private struct SourceCount {
        var name: String?
        var unit: String?
        var count: Int64
        var link: Document.Link
    }

    /// The records of a span of time.
    private struct SpanCount {
        var label: String
        /// Unix seconds.
        var start: Int64
        var end: Int64
        var count: Int64

        func link(type: String, at id: Int64) -> Document.Link {
            let span = [start, end].map { ISO8601.string(unixSeconds: $0) }
            return .init("records", ["at": "\(id)", "type": type, "since": span[0], "until": span[1]])
        }
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

    private var sources: [SourceCount] = []
    private var months: [SpanCount] = []
    /// The type and the observation of the records.
    private var subject: (type: String, id: Int64)?

    package init() {}

    /// Adds a month of a source; months come in order.
    ///
    /// - Parameter id: the observation.
    package mutating func add(_ month: Month, at id: Int64) {
        if let index = sources.firstIndex(where: { $0.name == month.source && $0.unit == month.unit }) {
            sources[index].count += month.count
        } else {
            let link = Document.Link.records(at: id, type: month.type, source: month.source)
            sources.append(SourceCount(name: month.source, unit: month.unit, count: month.count, link: link))
        }
        subject = (month.type, id)
        if months.last?.label == month.label {
            months[months.count - 1].count += month.count
        } else {
            months.append(SpanCount(label: month.label, start: month.start, end: month.end, count: month.count))
        }
    }

    package var json: JSON {
        .row([
            "sources": sources.map { JSON.row(["name": $0.name, "unit": $0.unit, "count": $0.count]) },
            "months": months.map { JSON.row(["month": $0.label, "count": $0.count]) },
        ])
    }

    /// The facets as tables, the newest span first; years with a bar for each of their months.
    ///
    /// - Parameter zone: in whose months the records are counted.
    package func document(_ zone: ChainZone?) -> Document {
        var bySource = Table([.left("Source"), .left("Unit"), .right("Records")])
        for entry in sources {
            bySource.addRow(
                [entry.name ?? "-", entry.unit ?? "", Counts.grouped(entry.count)],
                links: [0: entry.name == nil ? nil : entry.link])
        }
        let days = Wording.zoneName(zone)
        let years = years
        let byYear = table("Year", years.map(\.span), bars: years.map(\.months))
        let byMonth = table("Month", months, bars: nil)
        return Document([
            .folded("By source (\(Counts.grouped(bySource.rows.count)))", [.table(bySource)]),
            .folded("By year of \(days) (\(Counts.grouped(byYear.rows.count)))", [.table(byYear)]),
            .folded("By month of \(days) (\(Counts.grouped(byMonth.rows.count)))", [.table(byMonth)]),
        ])
    }

    /// The years with the records of their twelve months.
    private var years: [(span: SpanCount, months: [Double?])] {
        var years: [(span: SpanCount, months: [Double?])] = []
        for month in months {
            let year = String(month.label.prefix { $0 != "-" })
            if years.last?.span.label != year {
                let empty = SpanCount(label: year, start: month.start, end: month.end, count: 0)
                years.append((empty, [Double?](repeating: nil, count: 12)))
            }
            let last = years.count - 1
            years[last].span.end = month.end
            years[last].span.count += month.count
            if let place = Int(month.label.dropFirst(year.count + 1)), 1...12 ~= place {
                years[last].months[place - 1] = Double(month.count)
            }
        }
        return years
    }

    private func table(_ title: String, _ spans: [SpanCount], bars: [[Double?]]?) -> Table {
        var table = Table([.exact(title), .right("Records")] + (bars == nil ? [] : [.words("January to December")]))
        for index in spans.indices.reversed() {
            let span = spans[index]
            table.addRow(
                [span.label, Counts.grouped(span.count), ""],
                links: [0: subject.map { span.link(type: $0.type, at: $0.id) }],
                drawings: bars.map { [2: $0[index]] } ?? [:])
        }
        return table
    }
}
