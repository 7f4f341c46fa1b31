internal import ArgumentParser
internal import Presentation
internal import Questions
internal import Reporting
internal import Store

/// What appeared, disappeared or changed its representation between two observations.
struct DiffCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "diff",
        abstract: "Compares two observations of a chain.",
        discussion: """
            Compares two visible states. Without arguments, latest~1 is compared with latest; with --to alone, the \
            observation before it is the other side.

            Legend of --records: + appeared, - no longer visible, ~ before and > after a change of representation, \
            with the match rule that links the two (evidence in JSON).

            Match rules: strictKey means the same sample with other details; syncIdentifier, externalUUID and \
            activityUUID are identifiers that the source gave; unitConversion is the same value in another unit; \
            valueSynonym is the same fact in another word; lineage is changes of several kinds, one after the other, \
            in the observations in between.

            The cause of a disappearance is not inferred.
            """)

    @OptionGroup var common: CommonOptions
    @OptionGroup var display: DisplayOptions
    @OptionGroup var sql: ShowSQL

    @OptionGroup var pair: PairOptions
    @OptionGroup var comparison: ComparisonOptions

    @Option(help: .source) var source: String?

    @Flag(help: "List the records instead of the counts.")
    var records = false

    @Option(
        help: ArgumentHelp(
            "With --records: appeared, disappeared, representationChanged; separate with commas.", valueName: "changes")
    )
    var change: [String] = []

    @Flag(help: "Exit with 1 if there are differences.")
    var exitCode = false

    func validate() throws {
        if !change.isEmpty, !records { throw ValidationError("--change goes with --records.") }
        _ = try kinds()
    }

    /// The changes asked for; all without an argument.
    private func kinds() throws -> Set<DiffChange.Kind> {
        Set(try change.isEmpty ? DiffChange.Kind.allCases : ListArgument.values(change, option: "--change"))
    }

    func run() throws {
        let zone = try display.zone()
        let kinds = try kinds()
        let differs = try Output.with { output in
            try common.read { db, chain in
                let question = try comparison.question(pair, in: chain)
                try common.noteUnknownTypes(comparison.type, db)
                let source = try common.sources(named: source, db)
                if sql.showSql {
                    var queries: [PrintedQuery] = []
                    _ = try common.comparing {
                        try Diff.run(
                            db, chain: chain, from: question.from, to: question.to, through: question.through,
                            types: question.types, source: source, forEach: records ? { _ in } : nil
                        ) { queries = $0 }
                    }
                    try common.print(.queries(queries), to: output)
                    return false
                }
                guard records || source != nil else {
                    let (diff, verdicts) = try common.comparing {
                        try LabelledDiff.readWithVerdicts(db, chain: chain, question)
                    }
                    let explained = Dictionary(verdicts.map { ($0.type, $0.explained) }) { first, _ in first }
                    var document = diff.document(zone, explained: explained)
                    document.append(ChangeStory(diff, verdicts).document(since: zone.day(diff.from.observedAt)).blocks)
                    try common.print(.of(diff.json, document), to: output)
                    return !diff.isEmpty
                }
                if records, !common.json { try output.write(question.document(zone)) }
                let rows = try RecordReader(db)
                let tables = try common.comparing {
                    try DiffTables(
                        db, chain: chain, from: question.from, to: question.to, through: question.through,
                        types: question.types, source: source)
                }
                defer { tables.drop() }
                if records {
                    var differs = false
                    try tables.stream { change in
                        differs = true
                        guard let change = try RecordChange(change, of: kinds, rows) else { return }
                        try common.print(.of(change.json, change.document(zone)), to: output)
                        if output.isClosed { throw Output.Closed() }
                    }
                    return differs
                }
                let diff = try tables.summary()
                try common.print(.of(diff.json, diff.document(zone)), to: output)
                return !diff.isEmpty
            }
        }
        if exitCode, differs { throw ExitCode(ExitCodes.differences) }
    }
}
