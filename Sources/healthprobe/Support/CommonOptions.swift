internal import Archive
internal import ArgumentParser
internal import Foundation
internal import Presentation
internal import TextFormats

/// The options of every command.
struct CommonOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The archive; else $HEALTHPROBE_ARCHIVE, else HealthProbeArchive.sqlite in the data folder.",
            valueName: "path"),
        completion: .file(), transform: NamedArgument.read)
    var archive: String?

    @Option(help: ArgumentHelp("The device chain: one per phone.", valueName: "name"), transform: NamedArgument.read)
    var chain = "default"

    @Option(
        help: ArgumentHelp("The archive's key, where it does not lie in the data folder.", valueName: "path"),
        completion: .file(), transform: NamedArgument.read)
    var secretFile: String?

    @Flag(help: "Print JSON, one line an object.")
    var json = false

    @Flag(help: "No progress and no messages but errors; an older copy of the archive is told all the same.")
    var quiet = false

    /// The environment, for paths.
    var environment: [String: String] { ProcessInfo.processInfo.environment }

    /// Where the archive lies.
    var archivePath: String {
        if let archive { return archive }
        if let path = environment["HEALTHPROBE_ARCHIVE"], !path.isEmpty { return path }
        return DataFolder.path(environment) + "/HealthProbeArchive.sqlite"
    }

    /// Opens the archive for questions; an older copy of it is told on standard error.
    func openReader() throws -> ArchiveReader {
        let reader = try ArchiveReader(path: archivePath)
        if case .stepBack(let what) = try? reader.headAnswer(environment: environment) { warnOfOlderCopy(what) }
        return reader
    }

    /// One line on standard error, also with `--quiet`: the archive lacks what it had when it was last used here.
    func warnOfOlderCopy(_ what: String) {
        let message = "This is an older copy of the archive than the one last used here: \(what)."
        let hint = "Restore the newer one, or accept this one with healthprobe seal --accept."
        if json { return StandardError.write(code: "olderCopy", message, hint, as: "warning") }
        StandardError.write("warning: \(TerminalText.safe("\(message) \(hint)"))\n")
    }

    /// A message for people on standard error, unless `--quiet`.
    func note(_ text: String) {
        if !quiet { StandardError.write(TerminalText.safe(text) + "\n") }
    }

    /// A progress reporter on standard error.
    func progress(_ label: String) -> ProgressReporter {
        ProgressReporter(label: label, mode: ProgressReporter.mode(quiet: quiet))
    }
}
