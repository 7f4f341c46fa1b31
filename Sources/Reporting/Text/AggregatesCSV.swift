package import Archive
package import TextFormats

/// Aggregates as rows of CSV, for spreadsheets: cells that one would run as a formula are guarded.
package enum AggregatesCSV {
    /// The titles of the columns.
    package static let header = [
        "type", "bucket", "bucketStart", "bucketEnd", "sourceName", "sourceVersions", "unit", "count", "numberCount",
        "sum", "mean", "minimum", "maximum", "coveredSeconds", "sources", "overlapNotRemoved",
    ]

    /// Appends one row.
    /// - Parameter forTerminal: show what a terminal could obey instead of handing it on.
    package static func append(_ bucket: AggregateBucket, to out: inout CSVWriter, forTerminal: Bool = false) {
        let aggregate = bucket.aggregate
        func number(_ value: Double?) -> String { value.flatMap { CanonicalNumber.text($0) } ?? "" }
        let cells = [
            bucket.type, bucket.label, ISO8601.string(unixSeconds: bucket.start),
            ISO8601.string(unixSeconds: bucket.end),
            bucket.sourceName ?? "", bucket.sourceVersions.joined(separator: ", "), bucket.unit ?? "",
            String(aggregate.count), String(aggregate.numberCount), number(aggregate.sum), number(aggregate.mean),
            number(aggregate.minimum), number(aggregate.maximum), String(aggregate.coveredSeconds),
            String(bucket.overlappingSources ?? 1), String(bucket.overlappingSources != nil),
        ]
        out.appendRow(forTerminal ? cells.map(TerminalText.safe) : cells)
    }
}
