package import Archive
package import TextFormats

/// `aggregates --json`: one object whose `rows` are written as they come.
package enum AggregatesJSON {
    /// Appends all in front of the rows.
    package static func appendHead(
        _ observation: Observation, by size: AggregateQuestion.Size, _ zone: ChainZone?, to out: inout JSONWriter
    ) {
        out.append(raw: "{\"schema\":")
        out.append(Reporting.schema("aggregates"))
        out.append(raw: ",\"observation\":")
        out.append(ObservationJSON.object(observation))
        out.append(raw: ",\"by\":\"\(size.rawValue)\",\"timeZone\":")
        out.append(self.zone(zone))
        out.append(raw: ",\"rows\":[")
    }

    /// Appends one row.
    package static func append(_ bucket: AggregateBucket, isFirst: Bool, to out: inout JSONWriter) {
        if !isFirst { out.append(raw: ",") }
        let aggregate = bucket.aggregate
        out.append([
            "type": .string(bucket.type), "bucket": .string(bucket.label),
            "bucketStart": .string(ISO8601.string(unixSeconds: bucket.start)),
            "bucketEnd": .string(ISO8601.string(unixSeconds: bucket.end)), "sourceName": .optional(bucket.sourceName),
            "sourceVersions": .array(bucket.sourceVersions.map { .string($0) }), "unit": .optional(bucket.unit),
            "count": .int(aggregate.count), "numberCount": .int(aggregate.numberCount),
            "sum": .optional(aggregate.sum), "mean": .optional(aggregate.mean), "minimum": .optional(aggregate.minimum),
            "maximum": .optional(aggregate.maximum), "coveredSeconds": .int(aggregate.coveredSeconds),
            "sources": .int(Int64(bucket.overlappingSources ?? 1)),
            "overlapNotRemoved": .bool(bucket.overlappingSources != nil),
        ])
    }

    /// Appends all behind the rows.
    /// - Parameter isComplete: false where `--limit` cut the rows off.
    package static func appendTail(isComplete: Bool, to out: inout JSONWriter) {
        out.append(raw: "],\"complete\":\(isComplete)}\n")
    }

    /// A chain's zone as an object; `null` before its first observation.
    package static func zone(_ zone: ChainZone?) -> JSON {
        guard let zone else { return .null }
        return ["name": .string(zone.name), "origin": .string(zone.origin.rawValue)]
    }
}
