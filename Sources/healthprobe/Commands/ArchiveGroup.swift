internal import ArgumentParser

/// Care of the archive.
struct ArchiveGroup: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "archive", abstract: "Shows what the archive is and holds, and makes backups of it.",
        discussion: ExitCodes.all, subcommands: [ArchiveInfoCommand.self, ArchiveBackupCommand.self])
}
