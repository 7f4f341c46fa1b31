internal import ArgumentParser
internal import Basics
internal import Evidence
internal import Foundation
internal import Presentation
internal import Questions
internal import Reporting
internal import Store

/// Care of the archive.
struct ArchiveGroup: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "archive",
        abstract: "Shows the archive's content and log; backs it up, repairs it, moves it aside.",
        subcommands: [
            ArchiveInfoCommand.self, ArchiveLogCommand.self, ArchiveBackupCommand.self, ArchiveMigrateCommand.self,
            ArchiveRepairCommand.self, ArchiveResetCommand.self,
        ])
}

/// What the archive is and holds.
struct ArchiveInfoCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "info", abstract: "Shows what the archive is and how much it holds.")

    @OptionGroup var common: CommonOptions
    @OptionGroup var display: DisplayOptions

    func run() throws {
        let zone = try display.zone()
        let info = try common.read { try ArchiveInfo.read($0) }
        let path = common.archivePath
        let walByteCount = Int64(status(path + "-wal")?.st_size ?? 0)
        let key = KeyFile(info.identity, common.keys).state
        try common.print(
            .of(
                info.line(path: path, walByteCount: walByteCount, key: key),
                info.document(path: path, walByteCount: walByteCount, key: key, zone)))
    }
}

/// The archive's run log.
struct ArchiveLogCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "log",
        abstract: "Lists what was done with the archive: imports, checks, repairs, new keys.",
        discussion: """
            Refused and failed imports are listed, too. The log holds no health values. Nothing is ever removed from \
            it.
            """)

    @OptionGroup var common: CommonOptions
    @OptionGroup var display: DisplayOptions

    func run() throws {
        let zone = try display.zone()
        let rows = try common.read { try RunLog.read($0) }
        try Output.with { output in
            guard common.json else { return try output.write(RunLog.document(rows, zone)) }
            for row in rows { try output.writeLine(row.json) }
        }
    }
}

/// A verified copy of the archive.
struct ArchiveBackupCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup", abstract: "Copies the archive into one compact file and verifies it.",
        discussion: """
            Only the owner can read the copy. It gets its name when it is complete. An import may run meanwhile; the \
            copy shows what was visible when it began. It does not contain the key: see key export.
            """)

    @OptionGroup var common: CommonOptions

    @Argument(help: .destination, completion: .file()) var destination: String

    func run() throws {
        common.reportOlderCopy()
        let progress = common.progress("Copying")
        let byteCount = try progress.showElapsed {
            try ArchiveBackup.run(
                archive: common.archivePath, to: destination, isCancelled: { Interruption.isRequested }
            ) {
                progress.begin(label: $0)
            }
        }
        try common.print(
            .row(["path": destination, "byteCount": byteCount]),
            "\(destination): \(Bytes.text(byteCount)), verified.")
    }
}
