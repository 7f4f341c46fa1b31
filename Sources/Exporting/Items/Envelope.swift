internal import Basics
internal import HealthModel
internal import Store

/// The envelope of an export: what was asked of which state, what came of it, and the hash over all of it.
struct Envelope {
    static let formatVersion: Int64 = 1
    static let hashAlgorithm = "sha256"

    /// What the items came to.
    struct Content {
        var itemsHash: Digest256
        var count: Int64
        var guardedCount: Int64
        var tally: ExportTally
        /// The types asked for, as they are printed; nil for all.
        var types: [String]?
        var warnings: [ExportWarnings.Warning]
    }

    /// The canonical JSON, and the manifest hash in it: SHA-256 of that JSON without the hash.
    let text: String
    let manifestHash: String

    init(_ context: ExportContext, _ content: Content) {
        let envelope = Self.envelope(context, content)
        let manifest = Self.manifest(context.question, content)
        manifestHash = Digest256(hashing: envelope.adding(["manifest": manifest]).canonicalText).hex
        text = envelope.adding(["manifest": manifest.adding(["manifest_hash": manifestHash])]).canonicalText
    }

    /// All but the manifest.
    private static func envelope(_ context: ExportContext, _ content: Content) -> JSON {
        let question = context.question
        let program = question.program.split(separator: " ", maxSplits: 1).map(String.init)
        let hasDates = question.since != nil || question.until != nil
        return .row([
            "export_format_version": formatVersion, "export_id": context.exportID,
            "export_kind": question.kind.name(question.format), "created_at": JSON.instant(context.createdAt),
            "app": JSON.row(["name": program.first ?? "", "version": program.count > 1 ? program[1] : ""]),
            "archive": JSON.row([
                "schema_version": context.identity.schemaVersion, "device_chain_hash": context.chainHash,
                "from_observation_id": context.from?.id, "to_observation_id": context.to.id,
                "from": context.from.map(json), "to": json(context.to),
            ]),
            "filters": JSON.row([
                "sample_type_identifiers": content.types,
                "date_range": hasDates
                    ? JSON.row(["since": JSON.instant(question.since), "until": JSON.instant(question.until)]) : nil,
                "include_relationships": true, "through": question.through, "change": question.changes.map(\.rawValue),
            ]),
            "provenance": JSON.row([
                "profile": question.provenance.rawValue, "include": question.include.map(\.rawValue),
                "key_id": question.provenance == .hashed ? context.identity.keyID : nil,
            ]),
            "items": JSON.row(["file": question.format.fileName, "format": question.format.rawValue]),
            "warnings": content.warnings,
        ])
    }

    /// An observation as the envelope has it.
    private static func json(_ observation: Observation) -> JSON {
        .row([
            "observation_id": observation.id, "observed_at": JSON.instant(observation.observedAt),
            "status": observation.status.rawValue, "offset_seconds": observation.offsetSeconds,
            "time_zone": observation.timeZone, "xml_sha256": observation.xmlSHA256?.hex,
            "state_digest": observation.stateDigest?.hex,
        ])
    }

    private static func manifest(_ question: ExportQuestion, _ content: Content) -> JSON {
        let tally = content.tally
        let manifest = JSON.row([
            "record_count": content.count, "item_hash_algorithm": hashAlgorithm,
            "manifest_hash_algorithm": hashAlgorithm, "items_hash": content.itemsHash.hex,
            "type_counts": JSON.object(tally.types.map { ($0.key.text, .int($0.value.count)) }),
            "role_counts": JSON.object(tally.roles.map { ($0.key.name, .int($0.value)) }),
            "left_out": JSON.counts(tally.leftOut),
        ])
        guard question.format == .csv else { return manifest }
        return manifest.adding(["csv_guarded_cells": content.guardedCount])
    }
}
