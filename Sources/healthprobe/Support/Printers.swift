internal import ArchiveAggregating
internal import ArchiveFile
internal import ArchiveReading
internal import ArchiveRows
internal import Analysis
internal import Presentation
internal import Reporting
internal import TextFormats

/// Prints aggregates: JSON and CSV row by row as they are read, a table at the end.
struct AggregatePrinter {
    /// The form in which rows are printed.
    enum Form {
        case json, csv, table
    }

    let observation: Observation
    let question: AggregateQuestion
    let zone: ChainZone?
    let form: Form
    let output: Output

    /// Ends the reading of rows beyond the limit.
    private struct Enough: Error {}

    private static let rowsOfTable = 200

    /// - Parameter limit: how many rows are printed; without one a table's limit, or all.
    /// - Returns: whether these were all rows.
    func print(_ db: ArchiveDatabase, _ chain: Chain, limit: Int?) throws -> Bool {
        let most = limit ?? (form == .table ? Self.rowsOfTable : .max)
        switch form {
        case .json: return try printJSON { try forEach(db, chain, most, $0) }
        case .csv: return try printCSV { try forEach(db, chain, most, $0) }
        case .table:
            var buckets: [AggregateBucket] = []
            let isComplete = try forEach(db, chain, most) { buckets.append($0) }
            try output.write(AggregatesDocument.make(observation, zone, by: question.size, buckets))
            return isComplete
        }
    }

    /// Calls `body` with the first rows; returns whether these were all.
    func forEach(
        _ db: ArchiveDatabase, _ chain: Chain, _ most: Int, _ body: (AggregateBucket) throws -> Void
    ) throws -> Bool {
        var count = 0
        do {
            try Aggregates.forEachBucket(db, chain, at: observation, question) { bucket in
                if count == most { throw Enough() }
                count += 1
                try body(bucket)
                if output.isClosed { throw Output.Closed() }
            }
            return true
        } catch is Enough {
            return false
        }
    }

    private func printJSON(_ forEach: ((AggregateBucket) throws -> Void) throws -> Bool) throws -> Bool {
        var writer = JSONWriter()
        AggregateRows.appendHead(observation, by: question.size, zone, to: &writer)
        var isFirst = true
        let isComplete = try forEach { bucket in
            if !isFirst { writer.append(raw: ",") }
            writer.append(bucket.json)
            isFirst = false
            try output.write(writer.bytes)
            writer.removeAll()
        }
        AggregateRows.appendTail(isComplete: isComplete, to: &writer)
        try output.write(writer.bytes)
        return isComplete
    }

    private func printCSV(_ forEach: ((AggregateBucket) throws -> Void) throws -> Bool) throws -> Bool {
        var writer = CSVWriter(guardsFormulas: true)
        writer.appendRow(AggregateRows.columns)
        let isTerminal = Terminal.isTerminal(1)
        let isComplete = try forEach { bucket in
            writer.append(bucket.json, AggregateRows.columns, forTerminal: isTerminal)
            try output.write(writer.bytes)
            writer.removeAll()
        }
        try output.write(writer.bytes)
        return isComplete
    }
}

/// Prints the changes of a diff, one after the other as they are found.
struct ChangePrinter {
    let rows: RecordReader
    let output: Output
    let zone: DisplayZone
    let asJSON: Bool
    let kinds: Set<RecordChange.Kind>

    /// The changes asked for; all without an argument.
    static func kinds(_ arguments: [String]) throws -> Set<RecordChange.Kind> {
        Set(try arguments.isEmpty ? RecordChange.Kind.allCases : ListArgument.values(arguments, option: "--change"))
    }

    func print(_ change: DiffChange) throws {
        guard let change = try RecordChange(change, of: kinds, rows) else { return }
        if asJSON {
            try output.writeLine(change.json)
        } else {
            try output.write(change.document(zone))
        }
        if output.isClosed { throw Output.Closed() }
    }
}

/// Prints the groups of a consolidation, one after the other as they are read.
struct GroupPrinter {
    let rows: RecordReader
    let output: Output
    let zone: DisplayZone
    let asJSON: Bool

    func print(_ answer: ConsolidationAnswer) throws {
        if !asJSON { try output.write(answer.question.document(zone)) }
        let units = try answer.printedUnits()
        try answer.forEachGroup { group in
            let replacements = try rows.fetch(group.replacements)
            if asJSON {
                try printLine(group, replacements, answer)
            } else {
                try output.write(group.document(replacements, units, zone))
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
