internal import Archive
internal import ArgumentParser
internal import Foundation
internal import Reporting
internal import Presentation
internal import TextFormats

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

/// What the archive is and holds.
struct ArchiveInfoCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "info", abstract: "Shows what the archive is and how much it holds.",
        discussion: ExitCodes.reading())

    @OptionGroup var common: CommonOptions
    @OptionGroup var display: DisplayOptions

    func run() throws {
        let zone = try display.zone()
        let info = try common.read { try ArchiveInfo.read($0) }
        let path = common.archivePath
        let wal = try? FileManager.default.attributesOfItem(atPath: path + "-wal")
        let walByteCount = (wal?[.size] as? NSNumber)?.int64Value ?? 0
        let key = KeyFile(common, info.identity).state
        try common.print(
            .of(
                info.line(path: path, walByteCount: walByteCount, key: key),
                info.document(path: path, walByteCount: walByteCount, key: key, zone)))
    }
}
