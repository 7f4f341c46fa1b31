internal import ArgumentParser

/// Care of the archive.
struct ArchiveGroup: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "archive",
        abstract: "Shows what the archive is and holds; backs it up, repairs it, moves it aside.",
        discussion: ExitCodes.all,
        subcommands: [
            ArchiveInfoCommand.self, ArchiveLogCommand.self, ArchiveBackupCommand.self, ArchiveMigrateCommand.self,
            ArchiveRepairCommand.self, ArchiveResetCommand.self,
        ])
}
