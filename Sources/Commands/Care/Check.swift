internal import ArgumentParser
internal import Care
internal import Evidence
internal import Exporting
internal import HealthModel
internal import History
internal import Importing
internal import Presentation
internal import Reporting
internal import Store

/// The archive's integrity, invariant by invariant.
struct Check: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Checks the archive, invariant by invariant.",
        discussion: """
            Exits with 4 if a check fails. Imports into a damaged archive are refused until a check passes; reading \
            remains possible. An older copy of the archive (S05-rememberedHead) or damaged kept sources (E03, E04) do \
            not stop imports.

            docs/archive-format.md explains each invariant.
            """)

    @OptionGroup var common: CommonOptions
    @OptionGroup var display: DisplayOptions

    @Flag(help: "Also compute every identity and version again from the stored fields, and run large exports again.")
    var deep = false

    @Flag(help: "Also hash the kept sources and read them again (import --keep-source copy).")
    var sources = false

    func run() throws {
        _ = try display.zone()
        let reader = try common.openReader()
        defer { reader.close() }
        let progress = common.progress("Checking")
        let result = try progress.showElapsed { try check(reader, progress) }
        let remembered = try? reader.read { try ArchiveIdentity.read($0).failedCheck }
        if result.healthy { reader.rememberHead(environment: common.environment) }
        reader.close()
        let problem = remember(result, isRefusing: remembered != nil)
        try common.print(.of(result.json, result.document(isDeep: deep)))
        if let problem {
            let failure = HealthProbeError(problem)
            let what =
                result.damage.isEmpty
                ? "This result could not be recorded in the archive, so imports are still refused"
                : "This result could not be recorded in the archive, so imports are not refused"
            common.note("\(what). \(failure.message) \(failure.hint)")
        }
        if !result.healthy { throw ExitCode(ExitCodes.integrity) }
    }

    private func check(_ reader: ArchiveReader, _ progress: ProgressReporter) throws -> CheckResult {
        var result = try reader.check(deep: deep, environment: common.environment) {
            progress.begin(label: "Checking: \($0)")
        }
        progress.begin(label: "Checking: \(ExportReproduction.invariant)")
        // No invariant tests whether the key is there.
        let key = try? reader.read { try KeyFile(ArchiveIdentity.read($0), common.keys).read() }
        result.invariants.append(try ExportReproduction.check(reader, key: key, deep: deep))
        if sources {
            result.invariants += try SourceCheck.run(reader, isCancelled: { Interruption.isRequested }) {
                progress.begin(label: "Checking: \($0)")
            }
        }
        try Interruption.check()
        return result
    }

    /// Stores in the archive whether imports are refused, if it can be written to.
    ///
    /// - Parameter isRefusing: whether the archive says that imports are refused.
    /// - Returns: why what was to be noted was not; nil where it was, or where there was nothing to note.
    private func remember(_ result: CheckResult, isRefusing: Bool) -> (any Error)? {
        // The log is about the archive, and its sources are beside it.
        let failed = result.failed.map(\.id).filter { !ArchiveCheck.sources.contains($0) }
        let damage = result.damage.map(\.id)
        let isToBeNoted = !damage.isEmpty || isRefusing
        do {
            let writer = try common.openWriter(acceptsForeignObjects: true)
            defer { writer.close() }
            try? writer.log(
                .check, outcome: failed.isEmpty ? "healthy" : "failed",
                details: [("deep", deep ? "yes" : "no")]
                    + (failed.isEmpty ? [] : [("failed", failed.joined(separator: ","))]))
            if isToBeNoted { try writer.remember(damaged: damage.isEmpty ? nil : damage) }
            return nil
        } catch {
            return isToBeNoted ? error : nil
        }
    }
}
