internal import ArgumentParser
internal import Questions
internal import Reporting
internal import Store
internal import Training

/// What a chain says of HealthKit's rewriting, without any record.
struct SurveyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "survey",
        abstract: "Counts what HealthKit condensed, when, and what it did to daily values, without any record.",
        discussion: """
            Says of the whole chain how old workouts were when their samples were condensed, which part of their points \
            is gone, what changed from one export to the next, and by how much the numbers of a day shifted.

            Without --exact it names no date finer than a year and no value; counts are lower bounds, and small groups \
            are left out. Nothing is sent anywhere. docs/survey.md explains every number.
            """)

    @OptionGroup var common: CommonOptions

    @Flag(help: "Print exact numbers, all groups and all types. They are personal data.")
    var exact = false

    func run() throws {
        let reader = try common.openReader()
        var recorder: ArchiveRecorder?
        defer {
            reader.close()
            recorder?.close()
        }
        let survey = try reader.read { db in
            let snapshot = try Snapshot(db, chain: common.chain)
            return try common.comparing {
                try Survey.read(
                    db, snapshot.chain, daily: { try DailyShifts.read(snapshot, $0) },
                    store: { recorder = Consolidation.store($0, db, chain: snapshot.chain, archive: reader.path) })
            }
        }
        if exact { common.note("warning: An exact survey is personal data: do not hand it on.") }
        let shown = exact ? survey : survey.coarse()
        try common.print(.of(shown.json, shown.document(chain: common.chain)))
    }
}
