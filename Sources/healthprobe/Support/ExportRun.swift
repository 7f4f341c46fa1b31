internal import Archive
internal import ArgumentParser
internal import Exporting
internal import HealthModel
internal import Presentation
internal import Reporting
internal import TextFormats

/// Runs one structured export: the question from the arguments, the bag or its preview, the record in the archive.
struct ExportRun {
    private let kind: ExportKind
    private let common: CommonOptions
    private let options: ExportOptions
    private let format: FormatOptions

    init(_ kind: ExportKind, _ common: CommonOptions, _ options: ExportOptions, _ format: FormatOptions) {
        self.kind = kind
        self.common = common
        self.options = options
        self.format = format
    }

    /// Exports what an observation says.
    func run(at: String) throws {
        try run { db, chain in try question(db, chain, from: nil, to: ObservationResolver.resolve(at, in: chain)) }
    }

    /// Exports what lies between two observations.
    func run(_ sides: SideOptions, changes: [ExportChange] = []) throws {
        try run { db, chain in
            let (from, to) = try ObservationArguments.pair([], from: sides.from, to: sides.to, in: chain)
            var question = try question(db, chain, from: from, to: to)
            question.changes = changes
            question.through = sides.through
            return question
        }
    }

    private func question(
        _ db: ArchiveDatabase, _ chain: Chain, from: Observation?, to: Observation
    ) throws -> ExportQuestion {
        var question = ExportQuestion(kind: kind, format: format.chosen, chain: chain.name, from: from?.id, to: to.id)
        question.types = try options.typeIdentifiers(db, common)
        (question.since, question.until) = try options.interval()
        question.provenance = try options.profile(default: .hashed)
        question.include = try options.parts()
        question.guardsFormulas = format.csvProfile != "lossless"
        return question
    }

    private func run(_ make: (ArchiveDatabase, Chain) throws -> ExportQuestion) throws {
        let reader = try common.openReader()
        defer { reader.close() }
        let preview = options.preview
        Interruption.watch()
        let progress = common.progress("Exporting")
        defer { progress.finish() }
        var result: ExportResult?
        try reader.read { db in
            let chain = try ObservationResolver.chain(db, name: common.chain)
            let question = try make(db, chain)
            let key = try KeyFile.read(common, db, for: question.provenance)
            if preview {
                let preview = try StructuredExport.preview(db, question, key: key)
                progress.finish()
                try Output.with { try ExportPrinter.print(preview, to: $0, asJSON: common.json) }
                return
            }
            var settings = StructuredExport.Options(output: options.output ?? "")
            settings.force = options.force
            settings.signingKey = options.sign
            settings.isCancelled = { Interruption.isRequested }
            settings.progress = { done, total in
                progress.update(done: Int(done), total: total.map { Int($0) }, items: Int(done))
            }
            result = try StructuredExport.write(db, question, key: key, options: settings)
        }
        progress.finish()
        reader.close()
        guard let result else { return }
        let refusal = ExportRecording.record(result.recording, items: result.items, common)
        try Output.with {
            try ExportPrinter.print(
                result, path: options.output ?? "", notRecorded: refusal, to: $0, asJSON: common.json)
        }
    }
}
