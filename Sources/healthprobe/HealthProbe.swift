internal import ArgumentParser
internal import Foundation
internal import HealthModel
internal import SystemCalls

/// The command `healthprobe`: successive Apple Health exports in one archive, compared with evidence.
@main
struct HealthProbe: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "healthprobe",
        abstract: "Imports successive Apple Health exports into one archive and shows what changed between them.",
        discussion: """
            Data goes to standard output, progress and messages to standard error. Every command that prints data has \
            --json: one line an object, dates as 2024-05-01T10:00:00.000Z.

            An observation is an id, first, latest, latest~1, or a day: @2024-05-01 is the last observation at or \
            before the end of that day.

            Health merges old records into longer ones. export xml --state finest writes the originals that the \
            archive has instead.

            The exit codes are listed in the manual: man healthprobe.
            """,
        version: HealthModel.program,
        subcommands: [
            Inspect.self, Import.self, Timeline.self, Show.self, Records.self, SourcesCommand.self, HistoryCommand.self,
            DiffCommand.self,
            WorkoutsCommand.self, WorkoutCommand.self,
            AggregatesCommand.self, MetricsGroup.self, ImpactCommand.self, ConsolidationCommand.self, ExportGroup.self,
            ExportsCommand.self,
            VerifyExport.self,
            Report.self, SurveyCommand.self, Locate.self, Check.self, SealCommand.self, ObservationGroup.self,
            ArchiveGroup.self, CompanionGroup.self, ReplayCommand.self, KeyGroup.self, CacheGroupCommand.self,
            Serve.self,
            SettingsGroup.self,
        ])

    /// Parses and runs; every error leaves through `Failure`.
    static func main() {
        occupyStandardStreams()
        signal(SIGPIPE, SIG_IGN)
        Parent.watch()
        do {
            try CommandName.check(Array(CommandLine.arguments.dropFirst()))
            var command = try parseAsRoot()
            try command.run()
        } catch {
            Failure.exit(with: error)
        }
    }
}
