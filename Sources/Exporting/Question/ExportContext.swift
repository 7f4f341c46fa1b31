internal import Basics
internal import Evidence
internal import Foundation
internal import HealthModel
internal import Questions
internal import Store

/// A question with the state that it is asked of: the chain up to its last observation, and the archive around it.
struct ExportContext {
    let snapshot: Snapshot
    let question: ExportQuestion
    let from: Observation?
    let to: Observation
    let identity: ArchiveIdentity
    let chainHash: String?
    /// The chain's finished observations up to the last one that the export is about.
    let history: [Observation]
    /// What the answer depends on beside the states: how many side files there are, and for a manifest warnings and seals.
    private let surroundings: [Int64]

    /// - Throws: `unknownObservation`, `usage` where the first observation is the later one.
    init(_ snapshot: Snapshot, _ question: ExportQuestion) throws {
        self.snapshot = snapshot
        self.question = question
        to = try snapshot.observation("\(question.to)")
        from = try question.from.map { try snapshot.observation("\($0)") }
        let last = to.order
        if let from, from.order > last { throw HealthProbeError.swappedSides }
        identity = try snapshot.identity()
        chainHash = try snapshot.chainHash()
        history = snapshot.chain.finished.filter { $0.order <= last }
        let ids = history.map(\.id)
        surroundings = try Self.tables(question).map { try snapshot.count($0, of: ids) }
    }

    private static func tables(_ question: ExportQuestion) -> [Snapshot.ImportTable] {
        switch question.kind {
        case .manifest: [.sideFiles, .warnings, .seals]
        // The same export imported again may have brought side files that belong to no item.
        case .health: question.isZip ? [.sideFiles] : []
        case .records, .diff, .selection, .types: question.include.isEmpty ? [] : [.sideFiles]
        }
    }

    var chain: Chain { snapshot.chain }

    /// The types asked for; nil for all.
    var types: TypeFilter? { question.types.map { TypeFilter($0, matchesWhenEmpty: false) } }

    /// The observations asked about, the earlier one first.
    var observations: [Observation] { [from, to].compactMap { $0 } }

    /// When the last observation was completed, as Unix seconds.
    var createdAt: Double { to.endedAt ?? Double(to.observedAt) }

    /// The folder in the zip of a structured export: kind and observations, `diff-2-3`.
    var folderName: String {
        ([question.kind.rawValue] + observations.map { "\($0.id)" }).joined(separator: "-")
    }

    /// The time of all files in a zip: the last observation's, in the offset of its dates.
    var zipTime: ZipTime {
        let offset = question.offsetSeconds ?? Int32(clamping: to.offsetSeconds ?? 0)
        return ZipTime(local: (question.sharing?.shifted(to.observedAt) ?? to.observedAt) + Int64(offset))
    }

    /// SHA-256 of what is asked and of the states that it is asked of, in hexadecimal.
    ///
    /// The program that answers is no part of it.
    var exportID: String { exportID(ofKey: identity.keyID) }

    /// Whether an export has the id that this one had with an earlier key, whose pseudonyms were others.
    func isOfEarlierKey(_ id: String) -> Bool {
        question.provenance == .hashed && identity.epochs.keys.contains { exportID(ofKey: $0) == id }
    }

    private func exportID(ofKey keyID: String) -> String {
        let asked = JSON.row([
            "question": JSON.object(question.json.members.filter { $0.0 != "program" }), "chain": chainHash,
            "history": history.map {
                JSON.row(["id": $0.id, "state": $0.stateDigest?.hex, "stream": $0.streamDigest?.hex])
            },
        ])
        .adding(surroundings.isEmpty ? [:] : ["surroundings": surroundings])
        .adding(question.provenance == .hashed ? ["key": keyID] : [:])
        return Digest256(hashing: "hp:v2:export:" + asked.canonicalText).hex
    }

    /// What the archive records of the export.
    func recording(manifestHash: String, recordCount: Int64) -> RecordedExport {
        RecordedExport(
            exportID: exportID, createdAt: createdAt, kind: question.kindName, fromObservation: from?.id,
            toObservation: to.id, question: question.json.canonicalText, manifestHash: manifestHash,
            recordCount: recordCount,
            program: question.program)
    }
}
