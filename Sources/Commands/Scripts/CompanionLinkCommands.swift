internal import ArgumentParser
internal import Questions
internal import Reporting
internal import Store
internal import Training

/// Which workouts the runs of a companion file are.
struct CompanionJoin: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "join", abstract: "Matches the runs of a companion file with the workouts of an observation.",
        discussion: """
            A run is the workout whose metadata have its id; else the one to which condensed series with its HealthKit \
            UUID belong; else the only one with its start and end, within 2 s.
            """)

    @OptionGroup var common: CommonOptions
    @OptionGroup var display: DisplayOptions
    @OptionGroup var sql: ShowSQL
    @OptionGroup var settings: SettingsOption

    @Argument(help: .companion, completion: .file(), transform: CompanionInput.init(path:))
    var file: CompanionInput

    @Option(help: .observation) var at = "latest"

    func run() throws {
        let zone = try display.zone()
        let settings = try settings.read(common.environment)
        let content = try file.read(common)
        try common.answer(sql) { db, chain in
            let snapshot = try Snapshot(db, chain: chain.name)
            let reader = try WorkoutReader(snapshot, at: try snapshot.observation(at), settings)
            defer { reader.close() }
            let report = try JoinReport(reader, content)
            return .of(report.json, report.document(zone))
        }
    }
}

/// Whether the values that an app cached still hold.
struct CompanionDrift: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "drift", abstract: "Compares the values that an app cached with what each observation shows.",
        discussion: """
            Distances agree within 10 m or 0.5 %, durations within 2 s of active or elapsed time, paces within 1 s/km. \
            A value is stale since the first observation from which on it differs up to the last one. JSON has all runs.
            """)

    @OptionGroup var common: CommonOptions
    @OptionGroup var sql: ShowSQL
    @OptionGroup var settings: SettingsOption

    @Argument(help: .companion, completion: .file(), transform: CompanionInput.init(path:))
    var file: CompanionInput

    @Flag(help: "Also list runs and values that agree.")
    var all = false

    func run() throws {
        let settings = try settings.read(common.environment)
        let content = try file.read(common)
        try common.answer(sql) { db, chain in
            let snapshot = try Snapshot(db, chain: chain.name)
            var report = DriftReport(content, settingsSHA256: settings.sha256)
            for observation in snapshot.chain.finished {
                let reader = try WorkoutReader(snapshot, at: observation, settings)
                defer { reader.close() }
                let finest = try WorkoutReader(snapshot, at: observation, settings, state: .finest)
                defer { finest.close() }
                try report.add(reader, finest: finest, content)
            }
            return .of(report.json, report.document(all: all))
        }
    }
}
