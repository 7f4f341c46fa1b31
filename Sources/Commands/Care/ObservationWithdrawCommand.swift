internal import ArgumentParser
internal import History
internal import Presentation
internal import Questions
internal import Reporting

/// What can be done with one observation.
struct ObservationGroup: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "observation", abstract: "Changes one observation of a chain.",
        subcommands: [ObservationWithdrawCommand.self])
}

/// Withdraws a wrong import.
struct ObservationWithdrawCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "withdraw", abstract: "Withdraws a wrong import: its records and names are deleted.",
        discussion: """
            Afterwards every answer is as if the export had never been imported; later observations are compared again. \
            What no other observation shows is deleted and overwritten, with names, devices, side files and the kept \
            copy that nothing else uses; the archive's cache is deleted. The observation's row, the seals and the run \
            log stay, and a new seal has the reason. Exports that were recorded with it become superseded. The export \
            can be imported again.
            """)

    @OptionGroup var common: CommonOptions

    @Argument(help: .observation) var observation: String

    @Option(help: ArgumentHelp("Why; it stays in the seal and in the run log.", valueName: "text"))
    var reason: String

    @Option(help: ArgumentHelp("The name of the archive's file, to confirm that it is meant.", valueName: "name"))
    var confirm: String

    @Flag(help: "Report what would change, and change nothing.")
    var preview = false

    func validate() throws {
        if reason.allSatisfy(\.isWhitespace) { throw ValidationError("--reason is empty.") }
    }

    func run() throws {
        let writer = try common.openWriter()
        let reporter = common.progress("Withdrawing")
        defer {
            writer.close()
            for notice in writer.notices { common.note("note: \(notice)") }
        }
        if let what = writer.olderCopy { common.warnOfOlderCopy(what) }
        Interruption.watch()
        let target = try writer.read { db in
            let chain = try ObservationResolver.chain(db, name: common.chain)
            return try ObservationResolver.resolve(observation, in: chain)
        }
        let withdrawal = try reporter.showElapsed {
            try writer.withdraw(
                target, reason: reason, isPreview: preview, confirm: confirm,
                isCancelled: { Interruption.isRequested }
            ) {
                reporter.begin(label: "Withdrawing: \($0)")
            }
        }
        if !preview { common.deleteCache(of: common.archivePath) }
        try common.print(.of(withdrawal.line, withdrawal.document))
    }
}
