package import Archive
internal import Foundation
package import GRDB
internal import HealthModel
internal import TextFormats

/// Structured exports: a question asked of an archive, answered as a BagIt bag of canonical items.
package enum StructuredExport {
    /// How an export is written beside what is asked.
    package struct Options {
        /// Where the bag goes.
        package var output: String
        /// Whether an earlier export in the place may be replaced.
        package var force = false
        /// A private SSH key that signs the bag.
        package var signingKey: String?
        package var isCancelled: () -> Bool = { false }
        /// Told how many items of how many are done.
        package var progress: (_ done: Int64, _ total: Int64?) -> Void = { _, _ in }

        package init(output: String) { self.output = output }
    }

    /// The items that a preview measures of each type.
    private static let measured: Int64 = 100

    /// Writes an export.
    ///
    /// - Parameter key: the archive's key, for pseudonyms.
    /// - Throws: `usage`, `unknownObservation`, `keyUnreadable`, `cannotCreate`, `diskFull`, `interrupted`.
    /// - Complexity: one pass over what is exported, in bounded memory.
    package static func write(
        _ db: Database, _ question: ExportQuestion, key: ArchiveKey?, options: Options
    ) throws -> ExportResult {
        let context = try ExportContext(db, question)
        let filter = try ProvenanceFilter(question.provenance, key: key)
        let folder = try OutputFolder(options.output, OutputGuard(db), force: options.force)
        let file = try BagFile("\(folder.temporary)/data/\(question.format.fileName)")
        let (envelope, outcome, items, files) = try run(
            db, context, filter, key: key, isCancelled: options.isCancelled, progress: options.progress
        ) { try file.write($0.output.bytes) }
        let itemsHash = try file.close()
        let written = try files?.write(into: folder.temporary + "/data", isCancelled: options.isCancelled) ?? []
        try Bag.write(envelope.text + "\n", to: folder.temporary + "/data/envelope.json")
        let envelopeBytes = Array((envelope.text + "\n").utf8)
        try Bag.finish(
            folder.temporary,
            [
                .init(
                    path: "data/envelope.json", sha256: envelopeBytes.withUnsafeBytes { Digest256(hashing: $0) },
                    byteCount: Int64(envelopeBytes.count)),
                .init(path: "data/\(question.format.fileName)", sha256: itemsHash, byteCount: file.byteCount),
            ] + written,
            .init(
                identifier: "\(context.identity.uuid)/\(context.exportID)",
                date: String(ISO8601.string(unixSeconds: context.createdAt).prefix { $0 != "T" }),
                program: question.program))
        if let signingKey = options.signingKey {
            try SSHSignature.sign("\(folder.temporary)/\(Bag.tagManifest)", key: signingKey)
        }
        if options.isCancelled() { throw interrupted }
        try folder.finish()
        return result(context, envelope, outcome, items: items, byteCount: file.byteCount)
    }

    /// What an export would hold, and its size as estimated from the first items of each type.
    package static func preview(_ db: Database, _ question: ExportQuestion, key: ArchiveKey?) throws -> ExportPreview {
        let context = try ExportContext(db, question)
        let filter = try ProvenanceFilter(question.provenance, key: key)
        let meter = ByteMeter()
        let (_, outcome, _, _) = try run(
            db, context, filter, key: key, measuring: measured, isCancelled: { false }, progress: { _, _ in }
        ) { meter.add($0.output.count) }
        let total = question.kind == .manifest ? outcome.count : outcome.tally.types.values.reduce(0, +)
        let average = outcome.count > 0 ? Double(meter.count) / Double(outcome.count) : 0
        return ExportPreview(
            kind: question.kind.name(question.format), exportID: context.exportID, recordCount: total,
            types: outcome.tally.types.sorted { $0.key < $1.key }.map { (type: $0.key.text, count: $0.value) },
            roles: outcome.tally.roles.sorted { $0.key.rawValue < $1.key.rawValue }.map {
                (role: $0.key.name, count: $0.value)
            },
            estimatedByteCount: Int64(average * Double(total)), leftOut: leftOut(outcome), warnings: warnings(outcome))
    }

    /// The manifest hash and the items that a question has now; nothing is written.
    static func rerun(
        _ db: Database, _ question: ExportQuestion, key: ArchiveKey?
    ) throws -> (manifestHash: String, items: [RecordedExport.Item]?) {
        let context = try ExportContext(db, question)
        let filter = try ProvenanceFilter(question.provenance, key: key)
        let (envelope, _, items, _) = try run(
            db, context, filter, key: key, isCancelled: { false }, progress: { _, _ in }, write: nil)
        return (envelope.manifestHash, items)
    }

    /// The id that a question has now.
    static func exportID(_ db: Database, _ question: ExportQuestion) throws -> String {
        try ExportContext(db, question).exportID
    }

    static let interrupted = ArchiveError(
        .interrupted, "Interrupted; nothing was left behind.", hint: "Run the same command again.")

    private static func run(
        _ db: Database, _ context: ExportContext, _ filter: ProvenanceFilter, key: ArchiveKey?, measuring: Int64? = nil,
        isCancelled: @escaping () -> Bool, progress: @escaping (Int64, Int64?) -> Void,
        write: (@Sendable (ItemBlock) throws -> Void)?
    ) throws -> (Envelope, Envelope.Outcome, [RecordedExport.Item]?, ItemFiles?) {
        let question = context.question
        let columns = ExportColumn.all(question.kind, withFiles: !question.include.isEmpty)
        let source = try ItemSource(db, context, filter: filter)
        defer { source.close() }
        let total = try source.expectedCount()
        let finisher = ItemFinisher(
            pseudonyms: filter.profile == .hashed ? key?.pseudonyms(domain: "payload_version") : nil,
            rows: question.format == .csv ? CSVRows(columns, guardsFormulas: question.guardsFormulas) : nil)
        let pipeline = ItemPipeline(finisher, write: write)
        do {
            let sink = try ItemSink(
                question.format, columns: columns, pipeline: pipeline, isCancelled: isCancelled
            ) { progress($0, total) }
            try source.write(to: sink, measuring: measuring)
            try sink.finish()
            try pipeline.finish()
        } catch {
            pipeline.abandon()
            throw error
        }
        let outcome = Envelope.Outcome(
            itemsHash: finisher.itemsHash(), count: finisher.count, guardedCount: finisher.guardedCount,
            tally: source.tally, types: question.types?.map(source.names.printed),
            warnings: try ExportWarnings.all(
                db, context, types: source.tally.types.keys.sorted().map(\.text), names: source.names))
        return (Envelope(context, outcome), outcome, finisher.recorded, source.files)
    }

    private static func result(
        _ context: ExportContext, _ envelope: Envelope, _ outcome: Envelope.Outcome, items: [RecordedExport.Item]?,
        byteCount: Int64
    ) -> ExportResult {
        let question = context.question
        let kind = question.kind.name(question.format)
        return ExportResult(
            kind: kind, exportID: context.exportID, manifestHash: envelope.manifestHash, recordCount: outcome.count,
            byteCount: byteCount, leftOut: leftOut(outcome), warnings: warnings(outcome),
            recording: RecordedExport(
                exportID: context.exportID, createdAt: context.createdAt, kind: kind, fromObservation: context.from?.id,
                toObservation: context.to.id, question: question.json.canonicalText,
                manifestHash: envelope.manifestHash,
                recordCount: outcome.count, program: question.program),
            items: items)
    }

    private static func leftOut(_ outcome: Envelope.Outcome) -> [(name: String, count: Int64)] {
        outcome.tally.leftOut.sorted { $0.key < $1.key }.map { (name: $0.key, count: $0.value) }
    }

    private static func warnings(_ outcome: Envelope.Outcome) -> [(code: String, message: String)] {
        outcome.warnings.map { (code: $0.code, message: $0.message) }
    }
}
