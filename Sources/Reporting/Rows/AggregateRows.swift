package import Basics
package import Days
internal import HealthModel
internal import Presentation
package import Store

/// How buckets are listed.
package struct AggregateListing: Sendable {
    package var size = AggregateQuestion.Size.day
    /// The observation's id, for links.
    package var observation: Int64?
}

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
        try write(columns.csv([], of: AggregateListing(), forTerminal: forTerminal))
        return try rows { bucket in
            try write(columns.csv([bucket], of: AggregateListing(), forTerminal: forTerminal, withHeading: false))
        }
    }

    /// What a row says.
    package static let columns = Columns<AggregateBucket, AggregateListing>(nil) {
        Figure("type", .text, "The type's identifier.") { $0.row.type }
            .shown(Table.Column("Type", .name, maxWidth: 80)) { shortIdentifier($0.row.type) }
        Figure("bucket", .text, "The day or the month.") { $0.row.label }
            .shown(
                under: { listing, _ in .exact(listing.size == .day ? "Day" : "Month") },
                link: { shown in
                    shown.answer.observation.map { .bucket(shown.row, by: shown.answer.size, at: $0) }
                }
            ) { $0.row.label }
        Figure("bucketStart", .instant, "When it begins.") { JSON.instant($0.row.start) }
        Figure("bucketEnd", .instant, "When the next one begins.") { JSON.instant($0.row.end) }
        Figure("sourceName", .text.optional, "The source; null over several sources.") { $0.row.sourceName }
            .shown(.words("Source", maxWidth: 80, leftOut: 5)) { shown in
                AggregatesDocument.source(shown.row)
            }
        Figure("sourceVersions", .list(.text), "The source's versions.") { $0.row.sourceVersions }
        Figure("unit", .text.optional, "The unit of its numbers.") { $0.row.unit }
            .shown(.left("Unit"), .before("coveredSeconds")) { $0.row.unit ?? "" }
        Figure("count", .count, "Records.") { $0.row.aggregate.count }
            .shown(.right("Records", leftOut: 4)) { Counts.grouped($0.row.aggregate.count) }
        Figure("numberCount", .count, "Records with a number.") { $0.row.aggregate.numberCount }
        Figure("sampleCount", .count, "Samples that these stand for.") { $0.row.aggregate.sampleCount }
        Figure("sum", .number().optional, "Their sum.") { $0.row.aggregate.sum }
            .shown(.right("Sum")) { shown in
                let isCumulative = QuantityTypeTable.shared[shown.row.type].isCumulative
                return Wording.number(isCumulative ? shown.row.aggregate.sum : nil)
            }
        Figure("mean", .number().optional, "Their mean, by samples.") {
            $0.row.level == .merged ? nil : $0.row.aggregate.mean
        }
        .shown(.right("Mean")) { Wording.number($0.row.level == .merged ? nil : $0.row.aggregate.mean) }
        Figure("minimum", .number().optional, "The lowest value.") { $0.row.aggregate.minimum }
            .shown(.right("Minimum", leftOut: 2)) { Wording.number($0.row.aggregate.minimum) }
        Figure("maximum", .number().optional, "The highest value.") { $0.row.aggregate.maximum }
            .shown(.right("Maximum", leftOut: 2)) { Wording.number($0.row.aggregate.maximum) }
        Figure("coveredSeconds", .number(in: "s"), "How much time the records cover.") {
            $0.row.aggregate.coveredSeconds
        }
        .shown(.right("Covered", leftOut: 1)) { shown in
            let seconds = shown.row.aggregate.coveredSeconds
            return seconds > 0 ? Durations.clock(seconds) : ""
        }
        Figure("sources", .count, "How many sources the row is of.") { $0.row.overlappingSources ?? 1 }
        Figure("overlapNotRemoved", .flag, "Whether times of several sources may count twice.") {
            $0.row.overlappingSources != nil
        }
        .shown(.words("")) { shown in
            shown.row.overlappingSources == nil
                ? AggregatesDocument.values(shown.row.values ?? []) : "overlapNotRemoved"
        }
        Figure(
            "level", .choice(["source", "sum", "merged"]),
            "One source, the plain sum over several, or all with each stretch of time once."
        ) { $0.row.level.rawValue }
        Figure("values", .list(.object(value)).optional, "Of category types the count and seconds of each value.") {
            $0.row.values.map { values in
                JSON.array(
                    values.map { JSON.row(["value": $0.value, "count": $0.count, "seconds": $0.seconds]) })
            }
        }
    }

    private static let value: JSON = [
        "type": "object", "additionalProperties": false, "required": ["value", "count", "seconds"],
        "properties": [
            "value": ["type": "string"], "count": ["type": "integer"], "seconds": ["type": "integer"],
        ],
    ]

    private typealias Figure = Column<AggregateBucket, AggregateListing>
}

extension AggregateBucket: JSONConvertible {
    package var json: JSON { AggregateRows.columns.json(self, of: AggregateListing()) }
}

extension ChainZone: JSONConvertible {
    package var json: JSON { .row(["name": name, "origin": origin.rawValue]) }
}
