internal import ArchiveAggregating
internal import ArchiveReading
internal import ArgumentParser
internal import Presentation
internal import Reporting
internal import WorkoutReading

extension WorkoutState: ExpressibleByArgument {}

/// The workouts visible at an observation, newest first.
struct WorkoutsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "workouts",
        abstract: "Lists the workouts visible at an observation, newest first.",
        discussion: """
            Duration, distance, energy and heart rate are those of the workout's own statistics. Points a minute count \
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

    @Option(help: ArgumentHelp("Only this activity, such as Running.", valueName: "activity"))
    var type: String?

    @Option(help: ArgumentHelp("Only workouts that end at or after this day or instant.", valueName: "time"))
    var since: String?

    @Option(
        help: ArgumentHelp(
            "Only workouts that start before this instant, or on this day at the latest.", valueName: "time"))
    var until: String?

    @Option(help: ArgumentHelp("Only workouts of this source; see healthprobe sources.", valueName: "name"))
    var source: String?

    @Option(help: .state) var state = WorkoutState.visible

    @Option(help: ArgumentHelp("The workouts of a page, 1 to 100000.", valueName: "count"))
    var limit = 100

    @Option(help: ArgumentHelp("Continue after this cursor of the previous page.", valueName: "cursor"))
    var after: String?

    @Flag(help: .csv) var csv = false

    func validate() throws {
        guard (1...100_000).contains(limit) else { throw ValidationError("--limit takes a number from 1 to 100000.") }
        try common.requireOneForm(csv: csv)
    }

    func run() throws {
        let zone = try display.zone()
        try sql.keepHistory(common, state, at: at)
        // A source that is not found is told on standard error.
        try common.printKept(athlete, sql, isKept: source == nil) { db, settings, output in
            let snapshot = try Snapshot(db, chain: common.chain)
            let observation = try snapshot.observation(at)
            var question = WorkoutPage.Question()
            (question.since, question.until) = try TimeArgument.interval(since: since, until: until, zone: zone.zone)
            question.source = try common.sources(named: source, db)
            (question.activity, question.limit, question.after) = (type, limit, after)
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
