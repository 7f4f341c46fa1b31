internal import Archive
internal import ArgumentParser
internal import Foundation
internal import Reporting

/// What the archive is and holds.
struct ArchiveInfoCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "info", abstract: "Shows what the archive is and how much it holds.",
        discussion: ExitCodes.reading())

    @OptionGroup var common: CommonOptions
    @OptionGroup var display: DisplayOptions

    func run() throws {
        let layout = try display.layout()
        let reader = try common.openReader()
        defer { reader.close() }
        let info = try reader.read { try ArchiveInfo.read($0) }
        let wal = try? FileManager.default.attributesOfItem(atPath: reader.path + "-wal")
        let facts = ArchiveFacts(
            path: reader.path, info: info, walByteCount: (wal?[.size] as? NSNumber)?.int64Value ?? 0,
            keyState: KeyFile(common, info.identity).state)
        try Output.with { output in
            if common.json {
                try output.writeLine(ArchiveInfoJSON.line(facts))
            } else {
                try output.write(ArchiveInfoText.page(facts, layout))
            }
        }
    }
}
