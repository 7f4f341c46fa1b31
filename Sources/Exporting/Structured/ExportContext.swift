internal import Archive
internal import Foundation
internal import GRDB
internal import HealthModel
internal import TextFormats

/// The state that a question is asked of: the chain up to its last observation, and the archive around it.
struct ExportContext {
    let question: ExportQuestion
    let chain: Chain
    let from: Observation?
    let to: Observation
    let identity: ArchiveInfo.Identity
    let chainHash: String?
    /// The chain's finished observations up to the last one that the export speaks of.
    let history: [Observation]
    /// What the answer depends on beside the states: how many side files there are, and for a manifest warnings and seals.
    private let surroundings: [Int64]

    /// - Throws: `unknownChain`, `unknownObservation`, `usage` where the first observation is the later one.
    init(_ db: Database, _ question: ExportQuestion) throws {
        self.question = question
        chain = try ObservationResolver.chain(db, name: question.chain)
        to = try ObservationResolver.resolve("\(question.to)", in: chain)
        let chain = chain
        from = try question.from.map { try ObservationResolver.resolve("\($0)", in: chain) }
        if let from, (from.position ?? 0) > (to.position ?? 0) {
            throw ArchiveError(
                .usage, "The first observation must not be later than the second.",
                hint: "Exchange --from and --to; healthprobe timeline shows the order.")
        }
        identity = try ArchiveInfo.identity(db)
        chainHash = try String.fetchOne(
            db, sql: "SELECT device_chain_hash FROM device_chains WHERE id = ?", arguments: [chain.id])
        let last = to.position ?? 0
        history = chain.finished.filter { ($0.position ?? 0) <= last }
        var counted: [Int64] = []
        let tables: [String] =
            if question.kind == .manifest {
                ["import_side_files", "import_warnings", "seals"]
            } else {
                question.include.isEmpty ? [] : ["import_side_files"]
            }
        if !tables.isEmpty {
            let ids = history.map { String($0.id) }.joined(separator: ", ")
            for table in tables where try db.tableExists(table) {
                counted.append(
                    try Int64.fetchOne(db, sql: "SELECT count(*) FROM \(table) WHERE import_id IN (\(ids))") ?? 0)
            }
        }
        surroundings = counted
    }

    /// When the last observation was completed, as Unix seconds.
    var createdAt: Double { to.endedAt ?? Double(to.observedAt) }

    /// The id that the question has now.
    var exportID: String {
        ExportIdentifier.make(
            question.json, chainHash: chainHash, history: history,
            surroundings: surroundings.isEmpty ? nil : surroundings,
            keyID: question.provenance == .hashed ? identity.keyID : nil)
    }

    /// An observation as the envelope speaks of it.
    static func json(_ observation: Observation?) -> JSON {
        guard let observation else { return .null }
        return .object([
            ("observation_id", .int(observation.id)), ("observed_at", .instant(observation.observedAt)),
            ("status", .string(observation.status.rawValue)),
            ("offset_seconds", .optional(observation.offsetSeconds)),
            ("time_zone", .optional(observation.timeZone)),
            ("xml_sha256", observation.xmlSHA256.map { .string($0.hex) } ?? .null),
            ("state_digest", observation.stateDigest.map { .string($0.hex) } ?? .null),
        ])
    }
}
