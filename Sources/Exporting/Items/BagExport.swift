internal import Basics
package import Evidence
internal import Foundation
package import Questions
package import Store

/// Exports as BagIt bags of canonical items.
package enum BagExport {
    /// How an export is written beside what is asked.
    package struct Options {
        /// Where the export goes: a path, or ``standardOutput``.
        package var output: String
        /// The output that is a zip on standard output.
        package static let standardOutput = "-"
        /// Whether an earlier export in the place may be replaced.
        package var force = false
        /// A private SSH key that signs the export.
        package var signingKey: String?
        package var isCancelled: () -> Bool = { false }
        /// Called with the number of items done, and of how many.
        package var progress: (_ done: Int64, _ total: Int64?) -> Void = { _, _ in }

        package init(output: String) { self.output = output }

        /// Whether the export goes to standard output, as one zip.
        package var isStream: Bool { output == Self.standardOutput }
    }

    /// What an export came to, or would come to.
    package struct Outcome {
        package var kind: String
        package var provenance: Provenance
        package var exportID: String
        package var manifestHash: String
        package var recordCount: Int64
        /// Bytes of the items' file; of a preview estimated from the first items of each type.
        package var byteCount: Int64
        /// Items by type, in byte order of the identifiers.
        package var types: [(type: String, count: Int64)]
        /// Items by role.
        package var roles: [(role: String, count: Int64)]
        /// What the provenance profile left out or blanked, by name.
        package var leftOut: [(name: String, count: Int64)]
        package var warnings: [(code: String, message: String)]
        /// What is to be recorded in the archive.
        package var recording: RecordedExport
        /// The items one by one; nil where there are too many, or where they are no records.
        package var items: [RecordedExport.Item]?

        init(
            _ context: ExportContext, _ envelope: Envelope, _ content: Envelope.Content, recordCount: Int64,
            byteCount: Int64, items: [RecordedExport.Item]?
        ) {
            kind = context.question.kindName
            provenance = context.question.provenance
            exportID = context.exportID
            manifestHash = envelope.manifestHash
            self.recordCount = recordCount
            self.byteCount = byteCount
            types = content.tally.sortedTypes.map { (type: $0.type, count: $0.counts.count) }
            roles = content.tally.roles.sorted { $0.key.rawValue < $1.key.rawValue }.map {
                (role: $0.key.name, count: $0.value)
            }
            leftOut = content.tally.sortedLeftOut
            warnings = content.warnings.map { (code: $0.code, message: $0.message) }
            recording = context.recording(manifestHash: envelope.manifestHash, recordCount: recordCount)
            self.items = items
        }
    }

    /// The items that a preview measures of each type.
    private static let measured: Int64 = 100

    /// Writes an export.
    ///
    /// - Parameter key: the archive's key, for pseudonyms.
    /// - Throws: `usage`, `unknownObservation`, `keyUnreadable`, `cannotCreate`, `diskFull`, `interrupted`.
    /// - Complexity: one pass over what is exported, in bounded memory.
    package static func write(
        _ snapshot: Snapshot, _ question: ExportQuestion, key: ArchiveKey?, options: Options
    ) throws -> Outcome {
        let context = try ExportContext(snapshot, question)
        let filter = try ProvenanceFilter(question.provenance, key: key)
        let permission = OutputGuard(archive: try snapshot.archivePath())
        let sink: any MemberSink =
            options.isStream
            ? try ZippedFolder(
                context.folderName, UnsafeZipWriter(.standardOutput(permission), context.zipTime, .fast))
            : try OutputFolder(options.output, permission, force: options.force)
        try sink.begin("data/\(question.format.fileName)")
        let run = try run(
            context, filter, key: key, isCancelled: options.isCancelled, progress: options.progress
        ) { try sink.append($0.output.view) }
        let items = try sink.end()
        let sideFiles = try run.files?.write(to: sink, isCancelled: options.isCancelled) ?? []
        let envelope = try sink.write(run.envelope.text + "\n", as: EnvelopeReader.file)
        let info = Bag.Info(
            identifier: "\(context.identity.uuid)/\(context.exportID)",
            date: String(ISO8601.string(unixSeconds: context.createdAt).prefix { $0 != "T" }),
            program: question.program)
        try Bag.write(
            [envelope, items] + sideFiles, info, signingKey: options.signingKey, to: sink,
            isCancelled: options.isCancelled)
        if options.isCancelled() { throw FileFailure.interrupted }
        try sink.finish()
        return Outcome(
            context, run.envelope, run.content, recordCount: run.content.count, byteCount: items.file.byteCount,
            items: run.items)
    }

    /// What an export would hold, and its size as estimated from the first items of each type.
    package static func preview(
        _ snapshot: Snapshot, _ question: ExportQuestion, key: ArchiveKey?
    ) throws -> Outcome {
        let context = try ExportContext(snapshot, question)
        let filter = try ProvenanceFilter(question.provenance, key: key)
        let meter = ByteMeter()
        let run = try run(context, filter, key: key, measuring: measured) { meter.count += $0.output.count }
        let content = run.content
        let total =
            question.kind == .manifest ? content.count : content.tally.types.values.reduce(0) { $0 + $1.count }
        let average = content.count > 0 ? Double(meter.count) / Double(content.count) : 0
        return Outcome(
            context, run.envelope, content, recordCount: total, byteCount: Int64(average * Double(total)), items: nil)
    }

    /// Counts bytes that another thread writes.
    ///
    /// `@unchecked Sendable`: it is read only after the thread that adds has ended.
    private final class ByteMeter: @unchecked Sendable {
        var count = 0
    }

    /// The manifest hash and the items that a question has now; nothing is written.
    static func rerun(
        _ context: ExportContext, key: ArchiveKey?
    ) throws -> (manifestHash: String, items: [RecordedExport.Item]?) {
        let filter = try ProvenanceFilter(context.question.provenance, key: key)
        let run = try run(context, filter, key: key, write: nil)
        return (run.envelope.manifestHash, run.items)
    }

    private struct Run {
        var envelope: Envelope
        var content: Envelope.Content
        var items: [RecordedExport.Item]?
        var files: ItemFiles?
    }

    private static func run(
        _ context: ExportContext, _ filter: ProvenanceFilter, key: ArchiveKey?, measuring: Int64? = nil,
        isCancelled: @escaping () -> Bool = { false }, progress: @escaping (Int64, Int64?) -> Void = { _, _ in },
        write: ItemSink.Write?
    ) throws -> Run {
        let question = context.question
        let columns = ExportColumn.all(question.kind, withFiles: !question.include.isEmpty)
        let source = try ItemSource(context, filter)
        defer { source.close() }
        let total = try source.expectedCount()
        let finisher = ItemFinisher(
            pseudonyms: filter.profile == .hashed ? key?.pseudonyms(domain: "payload_version") : nil,
            rows: question.format == .csv ? CSVRows(columns) : nil)
        let sink = ItemSink(
            question.format, columns: columns, finisher: finisher, isCancelled: isCancelled,
            progress: { progress($0, total) }, write: write)
        do {
            try source.write(to: sink, measuring: measuring)
            try sink.finish()
        } catch {
            sink.abandon()
            throw error
        }
        let content = Envelope.Content(
            itemsHash: finisher.itemsHash(), count: finisher.count, guardedCount: finisher.guardedCount,
            tally: source.tally, types: question.types?.map(source.names.printed),
            warnings: try ExportWarnings.all(
                context, types: source.tally.sortedTypes.map(\.type), names: source.names))
        return Run(
            envelope: Envelope(context, content), content: content, items: finisher.recorded, files: source.files)
    }
}
