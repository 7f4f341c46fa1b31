internal import ArchiveFile
internal import ArgumentParser
internal import Caching
internal import Foundation
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

extension CommonOptions {
    /// Prints what `body` prints, or what it printed when the same was asked of the same archive with the same settings;
    /// statements are never kept.
    ///
    /// - Parameters:
    ///   - isKept: false where more than arguments, settings and archive decides what is printed.
    ///   - body: prints, and returns what is to be said on standard error.
    func printKept(
        _ option: SettingsOption, _ sql: ShowSQL, isKept: Bool = true,
        _ body: (ArchiveDatabase, AthleteSettings, Output) throws -> String?
    ) throws {
        let settings = try option.read(environment)
        let archive = try openReader()
        defer { archive.close() }
        let question = CommandLine.arguments.dropFirst() + [settings.sha256] + Output.form
        let cache =
            isKept && !sql.showSql && !option.noCache
            ? try CacheFile.ofArchive(archive.path, named: nil, environment: environment) : nil
        let results = cache.map { KeptResults($0, of: archive, question: Array(question), keys) }
        let (result, place) = try archive.read { db -> (KeptResult, KeptResults.Place?) in
            let place = results?.place(db)
            if let kept = place.flatMap({ results?.result(at: $0) }) { return (kept, nil) }
            var note: String?
            let output = try Output.collected { note = try body(db, settings, $0) }
            return (KeptResult(output: output, note: note), place)
        }
        try Output.with { try $0.write(result.output) }
        if let note = result.note { self.note(note) }
        if let place { results?.keep(result, at: place) }
    }
}
