internal import Archive
internal import GRDB
internal import HealthModel

/// A question that the archive recorded, of either kind of export.
enum RecordedQuestion {
    case structured(ExportQuestion)
    case health(HealthExportRequest)

    /// Reads a recorded question; nil for what another program recorded.
    ///
    /// - Throws: `unknownChain`, `unknownObservation`.
    init?(_ db: Database, _ json: String) throws {
        if let question = ExportQuestion(json: json) {
            self = .structured(question)
        } else if let request = try HealthExportRequest.read(db, json) {
            self = .health(request)
        } else {
            return nil
        }
    }

    /// Whether the answer has pseudonyms.
    var needsKey: Bool {
        switch self {
        case .structured(let question): question.provenance == .hashed
        case .health(let request): request.provenance == .hashed
        }
    }

    /// Whether another version of the program may write the same content in other words.
    var dependsOnProgram: Bool { if case .health = self { true } else { false } }

    /// The id that the question has now.
    func exportID(_ db: Database) throws -> String {
        switch self {
        case .structured(let question): try StructuredExport.exportID(db, question)
        case .health(let request): try request.exportID(db)
        }
    }

    /// The manifest hash that the answer has now (of a Health export its content hash), and its items where they are recorded one by one; nothing is written.
    func rerun(_ db: Database, key: ArchiveKey?) throws -> (manifestHash: String, items: [RecordedExport.Item]?) {
        switch self {
        case .structured(let question): return try StructuredExport.rerun(db, question, key: key)
        case .health(let request):
            let manifest = try HealthExportJob.rerun(
                db, request, key: key, isCancelled: { false }, progress: { _ in })
            return (manifest.contentHash, nil)
        }
    }
}
