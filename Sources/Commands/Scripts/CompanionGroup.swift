internal import ArgumentParser
internal import Foundation
internal import HealthModel
internal import Presentation
internal import Reporting
internal import Training

/// Files of apps beside HealthKit.
struct CompanionGroup: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "companion",
        abstract: "Reads what an app stored beside HealthKit about workouts: runs, scripts, races.",
        discussion: """
            A companion file is JSON of the schema healthprobe.companion/1. It is read each time and never stored.
            """,
        subcommands: [CompanionCheckCommand.self, CompanionJoin.self, CompanionDrift.self])
}

/// Everything that is wrong with a companion file.
struct CompanionCheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check", abstract: "Lists the errors and warnings of a companion file.",
        discussion: """
            Prints the first 100 errors, each with its code and its place in the file (a JSON pointer); a syntax error \
            has line and column, an error in an expression the column in its text. A file with errors exits 65.
            """)

    @OptionGroup var common: CommonOptions
    @OptionGroup var sql: ShowSQL
    @OptionGroup var settings: SettingsOption

    @Argument(help: .companion, completion: .file(), transform: CompanionInput.init(path:))
    var file: CompanionInput

    func run() throws {
        _ = try settings.read(common.environment)
        let check = try file.check()
        // The archive is not asked.
        try common.print(sql.showSql ? .queries([]) : .of(check.json, check.document(file.path)))
        if check.file == nil { throw file.refusal(check) }
    }
}

extension ArgumentHelp {
    static let companion = ArgumentHelp("A companion file: JSON, healthprobe.companion/1.", valueName: "file")
}

/// A companion file that a command was given.
struct CompanionInput {
    let path: String

    /// The file's content and what is wrong with it.
    /// - Throws: `noSuchInput`, `inputOutput`.
    func check() throws -> CompanionCheck {
        let hint = "Name a JSON file of the schema healthprobe.companion/1."
        try InputFile.requireReadable(path, hint: hint)
        // One byte more than a file may have is enough to refuse it.
        guard let handle = FileHandle(forReadingAtPath: path),
            let data = try? handle.read(upToCount: CompanionCheck.longestFile + 1) ?? Data()
        else { throw HealthProbeError(.inputOutput, "\(path) cannot be read.", hint: hint) }
        return CompanionCheck(Array(data))
    }

    /// The file's content; what is wrong with it is printed before the error.
    /// - Throws: `noSuchInput`, `inputOutput`, `invalidCompanion`.
    func read(_ common: CommonOptions) throws -> CompanionFile {
        let check = try check()
        if let file = check.file { return file }
        try common.print(.of(check.json, check.document(path)))
        throw refusal(check)
    }

    func refusal(_ check: CompanionCheck) -> HealthProbeError {
        HealthProbeError(
            .invalidCompanion, "The companion file has \(Counts.of(check.errorCount, "error")).",
            hint: "Correct what is listed; docs/metrics.md describes the file.", place: .file(path))
    }
}
