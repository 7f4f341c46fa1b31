internal import Archive
internal import ArgumentParser
internal import ExportReading
internal import Importing
internal import Presentation
internal import Reporting
internal import TextFormats

/// The bytes of an export that carry a sample.
struct Locate: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "locate",
        abstract: "Shows where an export says of a sample what the archive holds: member, line, bytes, raw text.",
        discussion: """
            --in names the export; it must be the file that an observation of the chain was read from (by its hash), or have
            the same XML, and then also the same file where an ECG or a track is shown; else nothing is shown (exit code 4). --at names an observation; without --in, its source must have been kept
            (import --keep-source copy). A record inside another element is shown with the whole element.

            \(ExitCodes.all)
            """)

    @OptionGroup var common: CommonOptions

    @Argument(help: ArgumentHelp("The identity, or its first digits: at least four.", valueName: "identity"))
    var identity: String

    @Option(help: ArgumentHelp("The export to look in.", valueName: "path"), completion: .file())
    var `in`: String?

    @Option(help: ArgumentHelp("The observation: id, first, latest, latest~N, @2024-05-01.", valueName: "observation"))
    var at: String?

    func validate() throws {
        if `in` == nil, at == nil { throw ValidationError("Name the export with --in, or an observation with --at.") }
    }

    func run() throws {
        let reader = try common.openReader()
        defer { reader.close() }
        let (chain, wanted, kept, digest) = try reader.read { db in
            let chain = try ObservationResolver.chain(db, name: common.chain)
            let wanted = try at.map { try ObservationResolver.resolve($0, in: chain) }
            let kept = try wanted.flatMap { try KeptSource.read(db, observation: $0.id) }
            return (chain, wanted, kept, try History.identity(db, chain: chain, prefix: identity))
        }
        let (container, observation) = try source(reader, chain, wanted, kept)
        let evidence = try reader.read {
            try SampleEvidence.read($0, chain: chain, observation: observation, identity: digest)
        }
        let progress = common.progress("Reading \(container.name)")
        defer { progress.finish() }
        Interruption.watch()
        var count = 0
        try Output.with { output in
            try SourceSearch.run(container, identity: digest, evidence: evidence) { done in
                if Interruption.isRequested {
                    throw ArchiveError(.interrupted, "Interrupted.", hint: "Run the same command again.")
                }
                progress.update(done: Int(done), total: Int(container.mainByteCount), items: 0)
            } report: { place in
                count += 1
                try common.print(.of(place.line(digest, observation), place.document), to: output)
            }
        }
        progress.finish()
        if count == 0 { common.note("The export of observation \(observation.id) does not show this sample.") }
    }

    private func source(
        _ reader: ArchiveReader, _ chain: Chain, _ wanted: Observation?, _ kept: KeptSource?
    ) throws -> (ExportContainer, Observation) {
        if let wanted, `in` == nil {
            return (try SourceSearch.kept(kept, of: wanted, in: SourceStore(archive: reader.path)), wanted)
        }
        let container = try ExportContainer(path: `in` ?? "")
        return (container, try SourceSearch.observation(of: container, in: chain, wanted: wanted))
    }
}
