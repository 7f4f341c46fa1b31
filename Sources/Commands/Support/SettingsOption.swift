internal import ArgumentParser
internal import Foundation
internal import Store
internal import Training

/// `--settings`: the athlete's settings.
struct SettingsOption: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The athlete's settings; without it, healthprobe/athlete.json in the folder of configurations.",
            valueName: "path"),
        completion: .file(), transform: NamedArgument.read)
    var settings: String?

    /// The settings of the file that was named, else of the usual one, else none.
    ///
    /// - Throws: `noSuchInput`, `inputOutput`, `invalidSettings`.
    func read(_ environment: [String: String]) throws -> AthleteSettings {
        try AthleteSettings.read(settings, environment: environment)
    }
}

extension CommonOptions {
    /// Reads one state of the archive with the athlete's settings and prints what `body` prints.
    ///
    /// - Parameter body: returns what is to be said on standard error.
    func print(
        _ option: SettingsOption, _ body: (ArchiveDatabase, AthleteSettings, Output) throws -> String?
    ) throws {
        let settings = try option.read(environment)
        let message = try Output.with { output in try read { db in try body(db, settings, output) } }
        if let message { note(message) }
    }
}
