internal import Analysis
internal import Archive
internal import Presentation
internal import Reporting
internal import TextFormats

/// Prints the groups of a consolidation, one after the other as they are read.
struct GroupPrinter {
    let rows: RecordReader
    let output: Output
    let zone: DisplayZone
    let asJSON: Bool

    func print(_ answer: ConsolidationAnswer) throws {
        if !asJSON { try output.write(answer.question.document(zone)) }
        try answer.forEachGroup { group in
            let replacements = try rows.fetch(group.replacements)
            if asJSON {
                try printLine(group, replacements, answer)
            } else {
                try output.write(group.document(replacements, zone))
                try forEachConstituent(of: group, answer) { try output.write($0.document($1, zone)) }
            }
            if output.isClosed { throw Output.Closed() }
        }
    }

    private func printLine(
        _ group: ConsolidationGroup, _ replacements: [RecordRow], _ answer: ConsolidationAnswer
    ) throws {
        var writer = JSONWriter()
        group.appendHead(replacements, to: &writer)
        var isFirst = true
        try forEachConstituent(of: group, answer) { constituent, record in
            if !isFirst { writer.append(raw: ",") }
            writer.append(constituent.json(record))
            isFirst = false
            if writer.bytes.count > Self.flushAt {
                try output.write(writer.bytes)
                writer.removeAll()
            }
        }
        group.appendTail(to: &writer)
        try output.write(writer.bytes)
    }

    private func forEachConstituent(
        of group: ConsolidationGroup, _ answer: ConsolidationAnswer,
        _ body: (ConsolidationGroup.Constituent, RecordRow) throws -> Void
    ) throws {
        try answer.forEachConstituent(of: group) { constituent in
            try body(constituent, rows.fetch(constituent.rowID))
        }
    }

    private static let flushAt = 1 << 16
}
