internal import ArgumentParser
internal import HealthMetrics
internal import WorkoutReading

/// `--settings`: the athlete's settings.
struct SettingsOption: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The athlete's settings; without it, healthprobe/athlete.json in the folder of configurations.",
            valueName: "path"),
        completion: .file(), transform: NamedArgument.read)
    var settings: String?

    @Flag(help: "Compute everything anew; the answer is the same.")
    var noCache = false

    /// The settings of the file that was named, else of the usual one, else none.
    ///
    /// - Throws: `noSuchInput`, `inputOutput`, `invalidSettings`.
    func read(_ environment: [String: String]) throws -> AthleteSettings {
        try AthleteSettings.read(settings, environment: environment)
    }
}
