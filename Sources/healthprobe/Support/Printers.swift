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

    private static let rowsOfTable = 200

    /// - Parameter limit: how many rows are printed; without one a table's limit, or all.
    /// - Returns: whether these were all rows.
    func print(_ db: ArchiveDatabase, _ chain: Chain, limit: Int?) throws -> Bool {
        let most = limit ?? (form == .table ? Self.rowsOfTable : .max)
        let rows: AggregateRows.Reading = { try forEach(db, chain, most, $0) }
        switch form {
        case .json:
            return try AggregateRows.writeJSON(
                observation, by: question.size, zone, rows: rows, to: { try output.write($0) })
        case .csv:
            return try AggregateRows.writeCSV(
                forTerminal: Terminal.isTerminal(1), rows: rows, to: { try output.write($0) })
        case .table:
            var buckets: [AggregateBucket] = []
            let isComplete = try rows { buckets.append($0) }
            try output.write(AggregatesDocument.make(observation, zone, by: question.size, buckets))
            return isComplete
        }
    }

    /// Calls `body` with the first rows; returns whether these were all.
    func forEach(
        _ db: ArchiveDatabase, _ chain: Chain, _ most: Int, _ body: (AggregateBucket) throws -> Void
    ) throws -> Bool {
        try Aggregates.forEachBucket(db, chain, at: observation, question, limit: most) { bucket in
            try body(bucket)
            if output.isClosed { throw Output.Closed() }
        }
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
            if asJSON {
                try group.writeLine(of: answer, rows, to: { try output.write($0) })
            } else {
                try output.write(group.document(rows.fetch(group.replacements), units, zone))
                try answer.forEachConstituent(of: group) {
                    try output.write($0.document(rows.fetch($0.rowID), zone))
                }
            }
            if output.isClosed { throw Output.Closed() }
        }
    }
}
