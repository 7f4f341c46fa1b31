internal import ArgumentParser
internal import Days
internal import Foundation
internal import Questions
internal import Reporting
internal import Store
internal import Training

/// What the body did, day by day.
struct MetricsGroup: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "metrics",
        abstract: "Shows heart rate variability, sleep, training load and scores by local day, and nights.",
        discussion: """
            Days are those of the chain's zone, as of aggregates. Everything is computed from what one observation \
            shows and from the athlete's settings; nothing is written into the archive.

            Not medical advice; scores are a published-method score of this program, not a vendor's. docs/metrics.md \
            defines each value.
            """,
        subcommands: [MetricsDaily.self, MetricsNights.self, MetricsFeatures.self, MetricsDefinitions.self])
}

/// Which days a command of `metrics` prints, and in which form.
struct MetricsOptions: ParsableArguments {
    @Option(help: .observation) var at = "latest"

    @Option(help: .of(.days, "since")) var since: String?

    @Option(help: .of(.days, "until")) var until: String?

    @Option(help: .of(.days, "last")) var last: Int?

    @Option(help: .of(.days, "state")) var state = WorkoutState.visible

    @Flag(help: .csv) var csv = false

    func validate() throws {
        if let last, last < 1 { throw ValidationError("--last takes a number from 1.") }
        if last != nil, since != nil || until != nil {
            throw ValidationError("Choose one of --last and --since or --until.")
        }
    }

    /// The days asked for; loads and baselines are those of all days.
    func read(
        _ db: ArchiveDatabase, chain: String, _ settings: AthleteSettings, withTotals: Bool = false
    ) throws -> DailyAnswer {
        try read(db, chain: chain, settings) { reader in
            let answer = try DailyAnswer.read(reader, withTotals: withTotals)
            let (since, until) = try interval(answer.zone)
            return try answer.cut(db, since: since, until: until, last: last)
        }
    }

    /// What `body` reads at the observation.
    func read<R>(
        _ db: ArchiveDatabase, chain: String, _ settings: AthleteSettings, _ body: (WorkoutReader) throws -> R
    ) throws -> R {
        let snapshot = try Snapshot(db, chain: chain)
        let reader = try WorkoutReader(snapshot, at: snapshot.observation(at), settings, state: state)
        defer { reader.close() }
        return try body(reader)
    }

    /// The instants that --since and --until name.
    func interval(_ zone: ChainZone) throws -> (since: Int64?, until: Int64?) {
        try TimeArgument.interval(since: since, until: until, zone: zone.timeZone)
    }
}

/// One row a day: physiology, load and scores.
struct MetricsDaily: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "daily", abstract: "Shows physiology, training load and scores, one row per day.",
        discussion: """
            There is a row for each day from the first record of heart rate, heart rate variability, resting heart rate, \
            sleep or workouts through the day of the export, which is partial, and for days with records behind it. \
            --last 1 is the export's day, --last 7 its week. Single days with records more than ten years from all others \
            are shown where --since or --until name them.
            """)

    @OptionGroup var common: CommonOptions
    @OptionGroup var sql: ShowSQL
    @OptionGroup var settings: SettingsOption
    @OptionGroup var options: MetricsOptions

    @Flag(help: .of(.days, "totals")) var totals = false

    func validate() throws {
        try common.requireOneForm(csv: options.csv)
    }

    func run() throws {
        try sql.keepHistory(common, options.state, at: options.at)
        try common.print(settings) { db, settings, output in
            let answer = try sql.answer(common, db) {
                try options.read(db, chain: common.chain, settings, withTotals: totals)
            }
            guard let answer else { return nil }
            try common.print(
                DailyAnswer.columns.lines(answer.days, of: answer), DailyDocument.make(answer), asCSV: options.csv,
                to: output
            ) { DailyAnswer.columns.csv(answer.days, of: answer, forTerminal: $0) }
            return common.json || options.csv ? answer.remark : nil
        }
    }
}

/// One row a night: falling asleep, waking and stages.
struct MetricsNights: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "nights", abstract: "Shows each night: falling asleep, waking, stages, efficiency and naps.",
        discussion: """
            A night belongs to the day on which it ends. Of several sources the best one counts: stages before asleep \
            before in bed. Less than three hours asleep between 09:00 and 21:00 are a nap.
            """)

    @OptionGroup var common: CommonOptions
    @OptionGroup var sql: ShowSQL
    @OptionGroup var settings: SettingsOption
    @OptionGroup var options: MetricsOptions

    func validate() throws {
        try common.requireOneForm(csv: options.csv)
    }

    func run() throws {
        try common.print(settings) { db, settings, output in
            let answer = try sql.answer(common, db) {
                try options.read(db, chain: common.chain, settings) { reader in
                    let answer = try NightsAnswer.read(reader)
                    let (since, until) = try options.interval(answer.zone)
                    return try answer.cut(db, since: since, until: until, last: options.last)
                }
            }
            guard let answer else { return nil }
            try common.print(answer.lines, NightsDocument.make(answer), asCSV: options.csv, to: output) {
                answer.csv(forTerminal: $0)
            }
            return common.json || options.csv ? answer.remark : nil
        }
    }
}

/// One row a day: the features that programs learn from.
struct MetricsFeatures: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "features", abstract: "Shows sixteen features a day, for programs that learn from them.",
        discussion: "No model is trained here. The target is the day's recovery score.")

    @OptionGroup var common: CommonOptions
    @OptionGroup var sql: ShowSQL
    @OptionGroup var settings: SettingsOption
    @OptionGroup var options: MetricsOptions

    func validate() throws {
        try common.requireOneForm(csv: options.csv)
    }

    func run() throws {
        try sql.keepHistory(common, options.state, at: options.at)
        try common.print(settings) { db, settings, output in
            let answer = try sql.answer(common, db) { try options.read(db, chain: common.chain, settings) }
            guard let answer else { return nil }
            try common.print(
                DailyAnswer.featureColumns.lines(answer.days, of: answer), DailyDocument.features(answer),
                asCSV: options.csv, to: output
            ) { DailyAnswer.featureColumns.csv(answer.days, of: answer, forTerminal: $0) }
            return answer.remark
        }
    }
}

/// What the values mean.
struct MetricsDefinitions: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "definitions", abstract: "Shows the formulas of the values, and the parameters in effect.",
        discussion: """
            Sex and date of birth are those of the settings, else those that the observation shows; without an archive \
            and --at the settings alone count.
            """)

    @OptionGroup var common: CommonOptions
    @OptionGroup var settings: SettingsOption

    @Option(help: .observation) var at: String?

    @Option(help: .state) var state = WorkoutState.visible

    func run() throws {
        let settings = try settings.read(common.environment)
        guard at != nil || FileManager.default.fileExists(atPath: common.archivePath) else {
            return try common.print(.of(DefinitionRows.line(settings, nil), DailyDocument.definitions(settings, nil)))
        }
        let archive = try common.openReader()
        defer { archive.close() }
        let answer = try archive.read { db in
            let snapshot = try Snapshot(db, chain: common.chain)
            var reader: WorkoutReader?
            if at != nil || !snapshot.chain.finished.isEmpty {
                reader = try WorkoutReader(snapshot, at: snapshot.observation(at ?? "latest"), settings, state: state)
            }
            return Answer.of(DefinitionRows.line(settings, reader), DailyDocument.definitions(settings, reader))
        }
        try common.print(answer)
    }
}
