package import ArchiveAggregating
package import ArchiveRows
package import TextFormats

/// The object of `aggregates --json`, whose rows are written as they come.
package enum AggregateRows {
    /// Hands out rows one after the other, and returns whether these were all.
    package typealias Reading = ((AggregateBucket) throws -> Void) throws -> Bool

    /// Writes the object of `aggregates --json`.
    ///
    /// - Returns: whether these were all rows.
    package static func writeJSON(
        _ observation: Observation, by size: AggregateQuestion.Size, _ zone: ChainZone?, rows: @escaping Reading,
        to write: ([UInt8]) throws -> Void
    ) throws -> Bool {
        let out = ByteBuffer()
        out.append("{")
        out.append(
            membersOf: .line("aggregates", ["observation": observation, "by": size.rawValue, "timeZone": zone]))
        out.append(",\"rows\":[")
        var isFirst = true
        let isComplete = try rows { bucket in
            if !isFirst { out.append(",") }
            out.append(bucket.json, .line)
            isFirst = false
            try write(out.view.array)
            out.removeAll()
        }
        out.append("],\"complete\":\(isComplete)}\n")
        try write(out.view.array)
        return isComplete
    }

    /// Writes the rows of `aggregates --csv`.
    ///
    /// - Parameter forTerminal: show what a terminal could obey instead of handing it on.
    /// - Returns: whether these were all rows.
    package static func writeCSV(
        forTerminal: Bool, rows: @escaping Reading, to write: ([UInt8]) throws -> Void
    ) throws -> Bool {
        var writer = CSVWriter(guardsFormulas: true)
        writer.appendRow(columns)
        let isComplete = try rows { bucket in
            writer.append(bucket.json, columns, forTerminal: forTerminal)
            try write(writer.bytes)
            writer.removeAll()
        }
        try write(writer.bytes)
        return isComplete
    }

    /// The columns of `aggregates --csv`.
    private static let columns = [
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
