internal import ArgumentParser
internal import Presentation
internal import Questions
internal import Reporting
internal import Store

/// Which records were consolidated, and into what.
struct ConsolidationCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "consolidation",
        abstract: "Shows which records that are no longer visible were consolidated, and into what.",
        discussion: """
            Months after a workout HealthKit rewrites its samples as fewer, longer ones and deletes the originals. The \
            new records carry the condenser identifier. Without it, consolidation is likely where interval and total \
            are equal. For all other records the cause is not inferred.

            Consolidated in the export; the phone's own store may still hold the inner points. export xml --state \
            finest writes the originals that the archive has.

            Without arguments, latest~1 is compared with latest; with --to alone, the observation before it is the \
            other side.
            """)

    @OptionGroup var common: CommonOptions
    @OptionGroup var display: DisplayOptions
    @OptionGroup var sql: ShowSQL

    @OptionGroup var pair: PairOptions
    @OptionGroup var comparison: ComparisonOptions

    @Flag(help: "List the groups instead of the types.")
    var groups = false

    func run() throws {
        let zone = try display.zone()
        let reader = try common.openReader()
        var recorder: ArchiveRecorder?
        defer {
            reader.close()
            recorder?.close()
        }
        /// The chain, and what is asked.
        func question(_ db: ArchiveDatabase) throws -> (Chain, ConsolidationQuestion) {
            let chain = try ObservationResolver.chain(db, name: common.chain)
            return (chain, try comparison.question(pair, in: chain))
        }
        if sql.showSql {
            try sql.keep(common) { snapshot in
                let question = try comparison.question(pair, in: snapshot.chain)
                try common.noteUnknownTypes(comparison.type, snapshot.db)
                return [question]
            }
            let queries = try reader.read { db in
                let (chain, question) = try question(db)
                return try Consolidation.printedQueries(db, chain: chain, question, members: groups)
            }
            return try common.print(.queries(queries))
        }
        try Output.with { output in
            try reader.read { db in
                let (chain, question) = try question(db)
                try common.noteUnknownTypes(comparison.type, db)
                let answer = try common.comparing { try Consolidation.answer(db, chain: chain, question) }
                defer { answer.close() }
                // Printing may end early; the analysis is still stored.
                recorder = Consolidation.store(answer, db, chain: chain, archive: reader.path)
                if groups {
                    try printGroups(of: answer, RecordReader(db), zone, to: output)
                } else {
                    let units = try answer.printedUnits()
                    try common.print(.of(answer.line, answer.document(units, zone)), to: output)
                }
            }
        }
    }

    /// Prints the groups, one after the other as they are read.
    private func printGroups(
        of answer: ConsolidationAnswer, _ rows: RecordReader, _ zone: DisplayZone, to output: Output
    ) throws {
        if !common.json { try output.write(answer.question.document(zone)) }
        let units = try answer.printedUnits()
        try answer.forEachGroup { group in
            if common.json {
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
