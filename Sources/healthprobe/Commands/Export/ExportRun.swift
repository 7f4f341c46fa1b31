internal import ArchiveChecking
internal import ArchiveFile
internal import ArchiveReading
internal import ArchiveRows
internal import ArchiveSealing
internal import ArchiveWriting
internal import ArgumentParser
internal import Exporting
internal import Foundation
internal import HealthModel
internal import Presentation
internal import Reporting

/// Runs one export: the question from the arguments, the files or their preview, the record in the archive.
struct ExportRun {
    let kind: ExportKind
    let common: CommonOptions
    let options: ExportOptions

    init(_ kind: ExportKind, _ common: CommonOptions, _ options: ExportOptions) {
        self.kind = kind
        self.common = common
        self.options = options
    }

    /// What an export came to, as far as this command needs it.
    private struct Answer {
        var recording: RecordedExport
        var items: [RecordedExport.Item]?
        /// What is to be known about the export; empty where the answer itself has it.
        var notes: [String] = []
        /// Prints it; `refusal` says why it was not recorded.
        var print: (_ output: Output, _ refusal: String?) throws -> Void
    }

    /// Exports what an observation shows.
    func run(at: String, _ format: FormatOptions) throws {
        try runBag(format) { snapshot in
            ExportQuestion(kind: kind, chain: common.chain, to: try snapshot.observation(at).id)
        }
    }

    /// Exports what differs between two observations.
    func run(_ sides: SideOptions, _ format: FormatOptions, changes: [ExportChange]) throws {
        try runBag(format) { snapshot in
            let (from, to) = try ObservationResolver.pair(from: sides.from, to: sides.to, in: snapshot.chain)
            var question = ExportQuestion(kind: kind, chain: common.chain, from: from.id, to: to.id)
            question.changes = changes
            question.through = sides.through
            return question
        }
    }

    /// Exports a Health export.
    func runHealth(_ ask: (Snapshot) throws -> ExportQuestion) throws {
        try run(label: "Writing", ask) { snapshot, question, key, settings in
            let manifest =
                options.preview
                ? try HealthExport.preview(
                    snapshot, question, key: key, isCancelled: settings.isCancelled,
                    progress: { settings.progress($0, nil) })
                : try HealthExport.write(snapshot, question, key: key, options: settings)
            let notes = options.preview ? [] : manifest.notes
            return Answer(recording: manifest.recording, notes: notes) { output, refusal in
                try ExportPrinter.print(
                    manifest, isPreview: options.preview, notRecorded: refusal, to: output, asJSON: common.json)
            }
        }
    }

    private func runBag(_ format: FormatOptions, _ ask: (Snapshot) throws -> ExportQuestion) throws {
        try run(label: "Exporting") { snapshot in
            var question = try ask(snapshot)
            question.format = format.chosen
            question.guardsFormulas = format.csvProfile != "lossless"
            return question
        } answer: { snapshot, question, key, settings in
            if options.preview {
                let preview = try BagExport.preview(snapshot, question, key: key)
                return Answer(recording: preview.recording) { output, _ in
                    try ExportPrinter.print(preview: preview, to: output, asJSON: common.json)
                }
            }
            let result = try BagExport.write(snapshot, question, key: key, options: settings)
            return Answer(recording: result.recording, items: result.items, notes: result.notes) { output, refusal in
                try ExportPrinter.print(
                    result, path: settings.output, notRecorded: refusal, to: output, asJSON: common.json)
            }
        }
    }

    private func run(
        label: String, _ ask: (Snapshot) throws -> ExportQuestion,
        answer: (Snapshot, ExportQuestion, ArchiveKey?, BagExport.Options) throws -> Answer
    ) throws {
        if options.isStream, Terminal.isTerminal(STDOUT_FILENO) {
            throw HealthProbeError(
                .usage, "A zip is not written to a terminal.", hint: "Redirect it: --output - > export.zip")
        }
        let reader = try common.openReader()
        defer { reader.close() }
        Interruption.watch()
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
            question.provenance = try options.profile(default: question.provenance)
            question.include = try options.parts()
            let key = try KeyFile.read(common, db, for: question.provenance)
            do {
                return try answer(snapshot, question, key, settings)
            } catch let error as HealthProbeError where options.isStream {
                throw error.ofStream
            }
        }
        progress.finish()
        reader.close()
        let refusal = options.preview ? nil : record(found)
        // Standard output has the zip; --quiet leaves out what is only for people.
        if !options.isStream {
            try Output.with { try found.print($0, refusal) }
        } else if common.json || !common.quiet {
            try Output.with(STDERR_FILENO) { try found.print($0, refusal) }
        }
        if !common.json { found.notes.forEach(common.note) }
    }

    /// Records an export as far as the archive lets it, once nothing reads from it any more.
    ///
    /// - Returns: why it was not recorded, which a message has said; nil where it was.
    private func record(_ answer: Answer) -> String? {
        do {
            let writer = try ArchiveWriter(
                path: common.archivePath, secretFile: common.secretFile, environment: common.environment)
            defer { writer.close() }
            try writer.record(answer.recording, items: answer.items)
            return nil
        } catch {
            let refusal = HealthProbeError(error).message
            common.note("The export is complete, but it was not recorded in the archive: \(refusal)")
            return refusal
        }
    }
}
