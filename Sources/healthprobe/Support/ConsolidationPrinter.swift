internal import Analysis
internal import Archive
internal import Reporting
internal import TextFormats

/// Prints the answer to a question of consolidation: the types, or one group after the other.
struct ConsolidationPrinter {
    let rows: RecordRows
    let output: Output
    let layout: TextLayout
    let asJSON: Bool

    /// The verdicts by type.
    func print(_ answer: ConsolidationAnswer) throws {
        if asJSON {
            try output.writeLine(ConsolidationJSON.line(answer))
        } else {
            try output.write(ConsolidationText.page(answer, layout))
        }
    }

    /// One group after the other as they are read.
    func printGroups(_ answer: ConsolidationAnswer) throws {
        if !asJSON { try output.write(ConsolidationText.heading(answer.question, layout)) }
        try answer.forEachGroup { group in
            if asJSON {
                try printLine(group, answer)
            } else {
                try printText(group, answer)
            }
            if output.isClosed { throw Output.Closed() }
        }
    }

    private func printLine(_ group: ConsolidationGroup, _ answer: ConsolidationAnswer) throws {
        var writer = JSONWriter()
        ConsolidationJSON.appendHead(of: group, try RecordRows.fetch(rows, group.replacements), to: &writer)
        var isFirst = true
        try answer.forEachConstituent(of: group) { constituent in
            guard let record = try rows.fetch(constituent.rowID) else { return }
            ConsolidationJSON.append(constituent, record, isFirst: isFirst, to: &writer)
            isFirst = false
            if writer.bytes.count > Self.flushAt {
                try output.write(writer.bytes)
                writer.removeAll()
            }
        }
        ConsolidationJSON.appendTail(of: group, to: &writer)
        try output.write(writer.bytes)
    }

    private func printText(_ group: ConsolidationGroup, _ answer: ConsolidationAnswer) throws {
        try output.write(ConsolidationText.head(of: group, layout))
        for record in try RecordRows.fetch(rows, group.replacements) {
            try output.write(DiffText.line("  =", record, layout))
        }
        try answer.forEachConstituent(of: group) { constituent in
            guard let record = try rows.fetch(constituent.rowID) else { return }
            try output.write(ConsolidationText.line(constituent, record, layout))
        }
    }

    private static let flushAt = 1 << 16
}

extension RecordRows {
    /// The copies of the given ids in their order.
    static func fetch(_ rows: RecordRows, _ ids: [Int64]) throws -> [RecordRow] {
        try ids.compactMap { try rows.fetch($0) }
    }
}
