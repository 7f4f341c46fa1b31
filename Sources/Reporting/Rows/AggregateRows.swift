package import ArchiveAggregating
package import ArchiveRows
package import TextFormats

/// The object of `aggregates --json`, whose rows are written as they come.
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

    /// Appends what follows the rows.
    /// - Parameter isComplete: false where `--limit` cut the rows off.
    package static func appendTail(isComplete: Bool, to out: inout JSONWriter) {
        out.append(raw: "],\"complete\":\(isComplete)}\n")
    }

    /// The columns of `aggregates --csv`.
    package static let columns = [
        "type", "bucket", "bucketStart", "bucketEnd", "sourceName", "sourceVersions", "unit", "count", "numberCount",
        "sampleCount", "sum", "mean", "minimum", "maximum", "coveredSeconds", "sources", "overlapNotRemoved",
    ]
}

extension AggregateBucket: JSONConvertible {
    package var json: JSON {
        .row([
            "type": type, "bucket": label, "bucketStart": JSON.instant(start), "bucketEnd": JSON.instant(end),
            "sourceName": sourceName, "sourceVersions": sourceVersions, "unit": unit, "count": aggregate.count,
            "numberCount": aggregate.numberCount, "sampleCount": aggregate.sampleCount, "sum": aggregate.sum,
            "mean": aggregate.mean, "minimum": aggregate.minimum, "maximum": aggregate.maximum,
            "coveredSeconds": aggregate.coveredSeconds,
            "sources": overlappingSources ?? 1, "overlapNotRemoved": overlappingSources != nil,
        ])
    }
}

extension ChainZone: JSONConvertible {
    package var json: JSON { .row(["name": name, "origin": origin.rawValue]) }
}
