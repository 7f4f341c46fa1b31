internal import ArgumentParser
internal import Evidence
internal import Exporting
internal import Foundation
internal import HealthModel
internal import History
internal import Presentation
internal import Questions
internal import Store

/// Runs one export: the question from the arguments, the files or their preview, the record in the archive.
struct ExportRun {
    let kind: ExportKind
    let common: CommonOptions
    let options: ExportOptions

    init(_ kind: ExportKind, _ common: CommonOptions, _ options: ExportOptions) {
        (self.kind, self.common, self.options) = (kind, common, options)
    }

    /// What an export came to, as far as this command needs it.
    private struct Outcome {
        /// Nil for a copy to share.
        var recording: RecordedExport?
        var items: [RecordedExport.Item]?
        /// What is to be known about the export; empty where the answer itself has it.
        var notes: [String] = []
        /// What is printed; `refusal` says why it was not recorded.
        var answer: (_ refusal: String?) -> Answer
    }

    /// Exports what an observation shows.
    func run(at: String, state: HealthState = .visible, _ format: FormatOptions) throws {
        try runBag(format) {
            var question = try ExportQuestion(kind, to: at, in: $0.chain)
            question.state = state
            return question
        }
    }

    /// Exports what differs between two observations.
    func run(_ sides: SideOptions, _ format: FormatOptions, changes: [ExportChange]) throws {
        try runBag(format) { snapshot in
            var question = try ExportQuestion(kind, from: sides.from, to: sides.to, in: snapshot.chain)
            question.changes = changes
            question.through = sides.through
            return question
        }
    }

    /// Exports records as a Health export.
    ///
    /// - Parameter document: what is told of it; nil for its usual words.
    func runHealth(
        telling document: ((HealthExportManifest) -> Document)? = nil, _ ask: (Snapshot) throws -> ExportQuestion
    ) throws {
        try run(label: "Writing", ask) { snapshot, question, key, settings in
            let manifest =
                options.preview
                ? try HealthExport.preview(
                    snapshot, question, key: key, isCancelled: settings.isCancelled,
                    progress: { settings.progress($0, nil) })
                : try HealthExport.write(snapshot, question, key: key, options: settings)
            return Outcome(
                recording: question.sharing == nil ? manifest.recording : nil,
                notes: options.preview ? [] : manifest.notes
            ) { refusal in
                .of(
                    manifest.line(isRecorded: !options.preview && refusal == nil, notRecorded: refusal),
                    document?(manifest) ?? manifest.document(isPreview: options.preview))
            }
        }
    }

    private func runBag(_ format: FormatOptions, _ ask: (Snapshot) throws -> ExportQuestion) throws {
        try run(label: "Exporting") { snapshot in
            var question = try ask(snapshot)
            question.format = format.format
            return question
        } answer: { snapshot, question, key, settings in
            if options.preview {
                let preview = try BagExport.preview(snapshot, question, key: key)
                return Outcome(recording: preview.recording) { _ in .of(preview.previewLine, preview.previewDocument) }
            }
            let result = try BagExport.write(snapshot, question, key: key, options: settings)
            return Outcome(recording: result.recording, items: result.items, notes: result.notes) { refusal in
                .of(result.line(path: settings.output, notRecorded: refusal), result.document(path: settings.output))
            }
        }
    }

    private func run(
        label: String, _ ask: (Snapshot) throws -> ExportQuestion,
        answer: (Snapshot, ExportQuestion, ArchiveKey?, BagExport.Options) throws -> Outcome
    ) throws {
        if options.isStream, Terminal.isTerminal(STDOUT_FILENO) {
            throw HealthProbeError(
                .usage, "A zip is not written to a terminal.", hint: "Redirect it: --output - > export.zip")
        }
        if let key = options.sign { try InputFile.require(key, hint: "Name a private SSH key with --sign.") }
        let reader = try common.openReader()
        defer { reader.close() }
        let progress = common.progress(label)
        defer { progress.finish() }
        var settings = BagExport.Options(output: options.output ?? "")
        settings.force = options.force
        settings.signingKey = options.sign
        settings.isCancelled = { Interruption.isRequested }
        settings.progress = { done, total in
            progress.update(done: Int(done), total: total.map { Int($0) })
        }
        let found = try reader.read { db in
            let snapshot = try Snapshot(db, chain: common.chain)
            var question = try ask(snapshot)
            question.types = try options.typeIdentifiers(db, common)
            (question.since, question.until) = try options.interval()
            question.provenance = options.provenance ?? question.provenance
            question.include = try options.parts()
            let key = try KeyFile(ArchiveIdentity.read(db), common.keys).key(for: question.provenance)
            do {
                return try answer(snapshot, question, key, settings)
            } catch  where options.isStream {
                throw HealthProbeError(error).ofStream
            }
        }
        progress.finish()
        reader.close()
        // The archive would say when what others have was made, and of what.
        let isShared = found.recording == nil
        let refusal = options.preview ? nil : isShared ? "it is a copy to share" : record(found)
        // Standard output has the zip; --quiet leaves out what is only for people.
        let answer = found.answer(refusal)
        if !options.isStream {
            try common.print(answer)
        } else if common.json || !common.quiet {
            try Output.with(STDERR_FILENO) { try common.print(answer, to: $0) }
        }
        if !common.json { found.notes.forEach(common.note) }
    }

    /// Records an export as far as the archive lets it, once nothing reads from it any more.
    ///
    /// - Returns: why it was not recorded, which a message has said; nil where it was.
    private func record(_ outcome: Outcome) -> String? {
        do {
            let writer = try common.openWriter(mustExist: false)
            defer { writer.close() }
            if let recording = outcome.recording { try writer.record(recording, items: outcome.items) }
            return nil
        } catch {
            let refusal = HealthProbeError(error).message
            common.note("The export is complete, but it was not recorded in the archive: \(refusal)")
            return refusal
        }
    }
}
