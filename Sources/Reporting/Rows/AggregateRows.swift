package import Archive
internal import Foundation
package import Presentation

/// Aggregates as JSON and as CSV, whose rows are written as they come.
package enum AggregateRows {
    /// Appends the object of `aggregates --json` up to its rows.
    package static func appendHead(
        _ observation: Observation, by size: AggregateQuestion.Size, _ zone: ChainZone?, to out: inout JSONWriter
    ) {
        out.append(raw: "{")
        out.appendMembers(
            .line("aggregates", ["observation": observation, "by": size.rawValue, "timeZone": zone]))
        out.append(raw: ",\"rows\":[")
    }

    /// Appends one row of the object.
    package static func append(_ bucket: AggregateBucket, isFirst: Bool, to out: inout JSONWriter) {
        if !isFirst { out.append(raw: ",") }
        out.append(bucket.json)
    }

    /// Appends what follows the rows.
    /// - Parameter isComplete: false where `--limit` cut the rows off.
    package static func appendTail(isComplete: Bool, to out: inout JSONWriter) {
        out.append(raw: "],\"complete\":\(isComplete)}\n")
    }

    /// The titles of the columns of `aggregates --csv`.
    package static let header = [
        "type", "bucket", "bucketStart", "bucketEnd", "sourceName", "sourceVersions", "unit", "count", "numberCount",
        "sum", "mean", "minimum", "maximum", "coveredSeconds", "sources", "overlapNotRemoved",
    ]

    /// Appends one row of CSV; cells that a spreadsheet would run as a formula are guarded.
    /// - Parameter forTerminal: show what a terminal could obey instead of handing it on.
    package static func append(_ bucket: AggregateBucket, to out: inout CSVWriter, forTerminal: Bool = false) {
        let aggregate = bucket.aggregate
        func number(_ value: Double?) -> String { value.flatMap { ECMAScriptNumber.text($0) } ?? "" }
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

extension AggregateBucket: JSONConvertible {
    package var json: JSON {
        .row([
            "type": type, "bucket": label, "bucketStart": JSON.instant(start), "bucketEnd": JSON.instant(end),
            "sourceName": sourceName, "sourceVersions": sourceVersions, "unit": unit, "count": aggregate.count,
            "numberCount": aggregate.numberCount, "sum": aggregate.sum, "mean": aggregate.mean,
            "minimum": aggregate.minimum, "maximum": aggregate.maximum, "coveredSeconds": aggregate.coveredSeconds,
            "sources": overlappingSources ?? 1, "overlapNotRemoved": overlappingSources != nil,
        ])
    }
}

extension ChainZone: JSONConvertible {
    package var json: JSON { .row(["name": name, "origin": origin.rawValue]) }
}
