internal import ArgumentParser
internal import ExportReading
internal import HealthModel
internal import History
internal import Importing
internal import Presentation
internal import Questions
internal import Reporting
internal import Store

/// The bytes of an export that have a sample.
struct Locate: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "locate",
        abstract: "Shows where an export has a sample: file, line, bytes and raw text.",
        discussion: """
            Without --in, the copies that import --keep-source copy kept are searched: that of the observation --at, or \
            of the latest observation that shows the sample.

            --in names an export. It must be the file that an observation was read from, or have the same XML; an ECG or \
            a track must be the same file, too. Otherwise nothing is shown and the exit code is 4.

            A record inside another element is shown with the whole element.
            """)

    @OptionGroup var common: CommonOptions

    @Argument(help: .identity) var identity: String

    @Option(help: ArgumentHelp("The export to search.", valueName: "path"), completion: .file())
    var `in`: String?

    @Option(help: .observation) var at: String?

    func run() throws {
        let reader = try common.openReader()
        defer { reader.close() }
        let (chain, wanted, candidates, digest) = try reader.read { db in
            let chain = try ObservationResolver.chain(db, name: common.chain)
            let wanted = try at.map { try ObservationResolver.resolve($0, in: chain) }
            let digest = try History.identity(db, chain: chain, prefix: identity)
            return (chain, wanted, try keptCopies(db, chain, wanted, digest), digest)
        }
        let store = SourceStore(archive: reader.path)
        let count = try Output.with { output in
            if let path = `in` {
                let container = try ExportContainer(path: path)
                let observation = try SourceSearch.observation(of: container, in: chain, wanted: wanted)
                return try search(container, observation, chain, digest, reader, output)
            }
            for (observation, kept) in candidates {
                let container = try SourceSearch.kept(kept, of: observation, in: store)
                let count = try search(container, observation, chain, digest, reader, output)
                if count > 0 { return count }
            }
            return 0
        }
        if count == 0 { common.note("The export does not show this sample.") }
    }

    /// The kept copies to be searched, in order.
    private func keptCopies(
        _ db: ArchiveDatabase, _ chain: Chain, _ wanted: Observation?, _ digest: Digest256
    ) throws -> [(observation: Observation, kept: KeptSource?)] {
        guard `in` == nil else { return [] }
        if let wanted { return [(wanted, try KeptSource.read(db, observation: wanted.id))] }
        let found = try KeptSource.observations(db, showing: digest.hex, in: chain)
        guard !found.isEmpty else { throw SourceSearch.notKept("No copy of a source that shows this sample") }
        return found.map { ($0.observation, $0.kept) }
    }

    /// Prints the places of a sample in one export.
    /// - Returns: how many there are.
    private func search(
        _ container: ExportContainer, _ observation: Observation, _ chain: Chain, _ digest: Digest256,
        _ reader: ArchiveReader, _ output: Output
    ) throws -> Int {
        let files = try reader.read {
            Dictionary(try StoredSideFiles.files($0, of: observation.id).map { ($0.path, $0.content) }) { _, last in
                last
            }
        }
        let progress = common.progress("Reading \(container.name)")
        defer { progress.finish() }
        var count = 0
        try SourceSearch.run(container, identity: digest, known: files) { done in
            try Interruption.check()
            progress.update(done: Int(done), total: Int(container.mainByteCount), items: 0)
        } report: { place in
            count += 1
            try common.print(.of(place.line(digest, observation), place.document(observation)), to: output)
        }
        return count
    }
}
