internal import Archive
internal import Presentation
internal import Reporting
internal import TextFormats

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
