package import ArgumentParser
internal import Basics
internal import Foundation
internal import HealthModel

/// The command `healthprobe`: successive Apple Health exports in one archive, compared with evidence.
package struct HealthProbe: ParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "healthprobe",
        abstract: "Imports successive Apple Health exports into one archive and shows what changed between them.",
        discussion: """
            Data goes to standard output, progress and messages to standard error. Every command that prints data has \
            --json: one line an object, dates as 2024-05-01T10:00:00.000Z.

            An observation is an id, first, latest, latest~1, or a day: @2024-05-01 is the last observation at or \
            before the end of that day.

            Health merges old records into longer ones; recover writes the originals.

            The exit codes are listed in the manual: man healthprobe.
            """,
        version: HealthModel.program,
        groupedSubcommands: [
            CommandGroup(
                name: "Import and look",
                subcommands: [
                    Import.self, Serve.self, Inspect.self, Timeline.self, Show.self, Records.self,
                    AggregatesCommand.self, DayCommand.self, ECGCommand.self, SourcesCommand.self, HistoryCommand.self,
                    Locate.self, MCPCommand.self,
                ]),
            CommandGroup(
                name: "What changed",
                subcommands: [
                    DiffCommand.self, Report.self, ConsolidationCommand.self, ImpactCommand.self, SurveyCommand.self,
                ]),
            CommandGroup(
                name: "Workouts and days",
                subcommands: [WorkoutsCommand.self, WorkoutCommand.self, MetricsGroup.self]),
            CommandGroup(
                name: "Hand on", subcommands: [Recover.self, ExportGroup.self, VerifyExport.self, ExportsCommand.self]),
            CommandGroup(
                name: "Care of the archive",
                subcommands: [
                    Check.self, SealCommand.self, ArchiveGroup.self, KeyGroup.self, ObservationGroup.self,
                    CacheGroupCommand.self, SettingsGroup.self,
                ]),
            CommandGroup(name: "Apps' scripts", subcommands: [CompanionGroup.self, ReplayCommand.self]),
        ])

    package init() {}

    /// Parses and runs; every error leaves through `Failure`.
    package static func main() {
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
