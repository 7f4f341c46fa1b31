internal import ArgumentParser
internal import Basics
internal import Questions
internal import Reporting
internal import Training

/// What consolidation does to the figures of workouts and days.
struct ImpactCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "impact",
        abstract: "Shows how consolidation changed workouts and days.",
        discussion: """
            Every figure is computed at both observations, and at the later one with the complete consolidation groups \
            between the two replaced by the original records that the archive has. The difference is the sum of what \
            consolidation did and of other causes.

            Without arguments, latest~1 is compared with latest; with --to alone, the observation before it is the \
            other side. --json has all figures of the workouts and days of which one differs; the tables have the most \
            affected ones.
            """)

    @OptionGroup var common: CommonOptions
    @OptionGroup var display: DisplayOptions
    @OptionGroup var sql: ShowSQL
    @OptionGroup var settings: SettingsOption

    @OptionGroup var pair: PairOptions

    @Flag(help: "Also restore what was visible only between the two observations.")
    var through = false

    @Flag(help: "Only workouts.")
    var workouts = false

    @Flag(help: "Only days.")
    var days = false

    @Option(help: ArgumentHelp("Only this figure, as JSON names it.", valueName: "name"))
    var metric: String?

    @Option(
        help: ArgumentHelp(
            "Also play the scripts of a companion file in their workouts, and count the messages triggered differently.",
            valueName: "file"), completion: .file(), transform: CompanionInput.init(path:))
    var companion: CompanionInput?

    @Option(help: ArgumentHelp("The most workouts, and the most days, to print.", valueName: "count"))
    var limit: Int?

    func validate() throws {
        if metric == WorkoutFigure.triggers.rawValue, companion == nil {
            throw ValidationError("--metric triggers goes with --companion.")
        }
        if workouts, days { throw ValidationError("Choose one of --workouts and --days.") }
        if let limit, limit < 1 { throw ValidationError("--limit takes a number from 1.") }
        if let metric, !ImpactAnswer.metrics.contains(metric) {
            throw ValidationError(
                "There is no figure called '\(metric)'.\(NearestNames.question(NearestNames.of(metric, among: ImpactAnswer.metrics)))"
            )
        }
    }

    func run() throws {
        let zone = try display.zone()
        let file = try companion?.read(common)
        try sql.keep(common) { snapshot in
            let (first, second) = try pair.pair(in: snapshot.chain)
            let between = ConsolidationQuestion(from: first, to: second, through: through)
            return [between, FinestState.question(snapshot.chain, to: second)].compactMap(\.self)
        }
        try common.print(settings) { db, settings, output in
            let snapshot = try Snapshot(db, chain: common.chain)
            let (first, second) = try pair.pair(in: snapshot.chain)
            let question = ConsolidationQuestion(from: first, to: second, through: through)
            let read = { try common.comparing { try ImpactReader.read(snapshot, question, settings, companion: file) } }
            guard var answer = try sql.answer(common, db, read) else { return nil }
            cut(&answer)
            let printed = Answer.of(
                (limit.map { answer.first($0) } ?? answer).json,
                ImpactDocument.make(answer, zone, limit: limit))
            try common.print(printed, to: output)
            return nil
        }
    }

    /// Leaves out what the options leave out, in JSON too.
    private func cut(_ answer: inout ImpactAnswer) {
        if days { answer.workouts = [] }
        if workouts { answer.days = [] }
        if let metric { answer.keep(metric: metric) }
    }
}
