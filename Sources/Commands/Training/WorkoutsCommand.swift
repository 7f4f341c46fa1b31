internal import ArgumentParser
internal import Days
internal import Presentation
internal import Questions
internal import Reporting
internal import Training

extension WorkoutState: ExpressibleByArgument {}

/// The workouts visible at an observation, newest first.
struct WorkoutsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "workouts",
        abstract: "Lists the workouts visible at an observation, newest first.",
        discussion: """
            Duration, distance, energy and heart rate are those of the workout's own statistics. Points per minute count \
            the records that belong to it; consolidated says whether none, some or all of its records of heart rate and \
            distance were merged by Health. With --state finest, the merged records are replaced by the originals that \
            the archive has.

            With --json, a last line {"next":"CURSOR"} follows if there are more workouts; pass the cursor to --after.
            """)

    @OptionGroup var common: CommonOptions
    @OptionGroup var display: DisplayOptions
    @OptionGroup var sql: ShowSQL
    @OptionGroup var athlete: SettingsOption

    @Option(help: .observation) var at = "latest"

    @Option(help: .of(.workouts, "type")) var type: String?

    @Option(help: .of(.workouts, "since")) var since: String?

    @Option(help: .of(.workouts, "until")) var until: String?

    @Option(help: .of(.workouts, "source")) var source: String?

    @Option(help: .of(.workouts, "state")) var state = WorkoutState.visible

    @OptionGroup var paging: PagingOptions

    @Flag(help: .csv) var csv = false

    func validate() throws {
        try common.requireOneForm(csv: csv)
    }

    func run() throws {
        let zone = try display.zone()
        try sql.keepHistory(common, state, at: at)
        try common.print(athlete) { db, settings, output in
            let snapshot = try Snapshot(db, chain: common.chain)
            let observation = try snapshot.observation(at)
            var question = WorkoutPage.Question()
            (question.since, question.until) = try TimeArgument.interval(since: since, until: until, zone: zone.zone)
            question.source = try common.sources(named: source, db)
            (question.activity, question.limit, question.after) = (type, paging.rows(csv: csv), paging.after)
            let answer = try sql.answer(common, db) {
                let reader = try WorkoutReader(snapshot, at: observation, settings, state: state)
                defer { reader.close() }
                return try reader.page(question)
            }
            guard let page = answer else { return nil }
            try common.print(page.lines, page.document(zone), asCSV: csv, to: output) { page.csv(forTerminal: $0) }
            return common.json ? nil : page.next.map { "More follow: --after \($0)" }
        }
    }
}
