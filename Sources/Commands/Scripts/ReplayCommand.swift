internal import ArgumentParser
internal import HealthModel
internal import Questions
internal import Reporting
internal import Store
internal import Training

/// What a script would have played in a workout.
struct ReplayCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "replay",
        abstract: "Plays a script of a companion file against a workout as one or two observations show it.",
        discussion: """
            --run plays the script of a run in the run's own workout, --script with --workout any script in any \
            workout. With --from and --to each message is compared on both sides: same, shifted, no longer fires, newly \
            fires; --state finest adds what the archive restores at --to.

            A workout is the first digits of its identity, latest, latest~1, @2024-05-01, a UUID of condensed series, or \
            the value of a link key. docs/metrics.md defines triggers, variables and the order of messages.
            """)

    @OptionGroup var common: CommonOptions
    @OptionGroup var display: DisplayOptions
    @OptionGroup var sql: ShowSQL
    @OptionGroup var settings: SettingsOption

    @Argument(help: .companion, completion: .file(), transform: CompanionInput.init(path:))
    var file: CompanionInput

    @Option(
        name: .customLong("run"),
        help: ArgumentHelp("The run whose script is played in its own workout.", valueName: "uuid"))
    var runID: String?

    @Option(help: ArgumentHelp("The script to play; with --workout.", valueName: "uuid"))
    var script: String?

    @Option(help: ArgumentHelp("The workout to play the script in.", valueName: "workout"))
    var workout: String?

    @Option(help: .observation) var at: String?

    @Option(help: .earlier) var from: String?

    @Option(help: .later) var to: String?

    @Option(help: "visible, or finest: with the originals of consolidated records that the archive has.")
    var state = WorkoutState.visible

    @Option(
        help: ArgumentHelp("The planned distance or time instead of the race's: 10km or 45min.", valueName: "plan"),
        transform: ReplayCommand.plan)
    var plan: ReplayPlan?

    @Option(
        help: ArgumentHelp("The planned pace instead of the race's: 4:50 per kilometre.", valueName: "pace"),
        transform: ReplayCommand.pace)
    var targetPace: Double?

    private static func plan(_ text: String) throws -> ReplayPlan {
        guard let plan = ReplayPlan(text) else { throw ValidationError("Write a plan as 10km or 45min.") }
        return plan
    }

    private static func pace(_ text: String) throws -> Double {
        guard let pace = TargetPace.seconds(text) else { throw ValidationError("Write a pace as 4:50.") }
        return pace
    }

    func validate() throws {
        guard (runID != nil) != (script != nil), (script != nil) == (workout != nil) else {
            throw ValidationError("Give --run, or --script with --workout.")
        }
        if at != nil, from != nil || to != nil { throw ValidationError("Choose one of --at and --from, --to.") }
    }

    func run() throws {
        let zone = try display.zone()
        let settings = try settings.read(common.environment)
        let content = try file.read(common)
        let (question, target) = try question(content)
        try sql.keepHistory(common, state, at: at, from: from, to: to)
        try common.answer(sql) { db, chain in
            let snapshot = try Snapshot(db, chain: chain.name)
            let report = try report(snapshot, settings, question, target)
            return .of(report.json, report.document(zone))
        }
    }

    /// The script and its workout.
    private func question(_ file: CompanionFile) throws -> (ReplayQuestion, ReplayTarget) {
        let found = runID.flatMap { file.run($0) } ?? script.flatMap { file.run(ofScript: $0) }
        guard let found else {
            throw HealthProbeError(
                .usage, "The companion file has no such \(runID == nil ? "script" : "run").",
                hint: "Give the id of a \(runID == nil ? "script" : "run") of the file.")
        }
        guard let script = found.script else {
            throw HealthProbeError(
                .usage, "The run has no script.", hint: "Give another run, or a script with --script and --workout.")
        }
        let question = ReplayQuestion(script, of: found, in: file, plan: plan, targetPace: targetPace)
        return (question, workout.map { .workout($0) } ?? .run(found, file))
    }

    private func report(
        _ snapshot: Snapshot, _ settings: AthleteSettings, _ question: ReplayQuestion, _ target: ReplayTarget
    ) throws -> ReplayReport {
        guard from != nil || to != nil else {
            let observation = try snapshot.observation(at ?? "latest")
            return try .read(snapshot, question, in: target, at: observation, settings, state: state)
        }
        let pair = try ObservationResolver.pair(from: from, to: to, in: snapshot.chain)
        return try .read(snapshot, question, in: target, from: pair.from, to: pair.to, settings, state: state)
    }
}
