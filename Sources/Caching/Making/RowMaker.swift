internal import Analysis
internal import ArchiveAggregating
internal import ArchiveComparing
internal import ArchiveFile
internal import ArchiveReading
internal import ArchiveRows
internal import ArchiveSealing
internal import Exporting
internal import Foundation
internal import HealthModel
internal import Reporting
internal import TextFormats

/// The rows of groups, from the answers that the commands give.
struct RowMaker {
    let db: ArchiveDatabase
    let state: ArchiveState

    // MARK: - Health

    func health() throws -> [[CacheValue]] {
        let info = try ArchiveInfo.read(db)
        let log = try RunLog.read(db)
        let check = RunLog.lastCheck(log)
        let failure = RunLog.lastError(log)
        return [
            [
                .of(check.map { Int64($0.loggedAt) }), .of(check?.outcome), .of(failure?.row.outcome),
                failure.map { .blob($0.messageHash.data) } ?? .null,
                .of(info.identity.failedCheck), .integer(info.counts.samples), .integer(info.counts.versions),
                .integer(info.counts.recordVersions), .integer(info.seals), .of(info.headSeal?.sequence),
                .integer(info.byteCount),
            ]
        ]
    }

    // MARK: - Observations

    func observations(_ chain: Chain) throws -> [[CacheValue]] {
        try ObservationReport.timeline(db, chain, all: false).map { entry in
            let (observation, totals) = (entry.observation, entry.totals)
            let runs = try ObservationReport.types(db, observation.id)
            let tracked = Int64(runs.count { $0.status != .excluded })
            return [
                .integer(observation.id), .integer(observation.observedAt), .text(observation.status.rawValue),
                .text("import"), .of(observation.timeZone),
                .integer(tracked), .integer(totals.visible),
                .integer(totals.appeared), .integer(totals.disappeared), .integer(totals.representationChanged),
                state.hash(of: observation.id).map { .blob($0.data) } ?? .null, .integer(totals.quarantined),
                .integer(observation.status == .partial ? 1 : 0), .text(observation.sourceName),
                .of(observation.note),
            ]
        }
    }

    // MARK: - Types

    func types(at observation: Int64) throws -> [[CacheValue]] {
        let facts = try TypeFacts.read(db, observation)
        return try ObservationReport.types(db, observation).map { run in
            let id = state.typeIDs[ExactText(run.type)] ?? 0
            let fact = facts[id] ?? TypeFacts()
            let units = Set(run.sums.map { $0.unit.map(ExactText.init(_:)) })
            let hasOneUnit = units.count == 1
            var sum = ExactSum()
            for part in run.sums { sum.add(part.sum) }
            return [
                .text(run.type), .text(shortIdentifier(run.type)), .integer(run.visible), .integer(run.appeared),
                .integer(run.disappeared), .integer(run.representationChanged), .of(run.earliestStart),
                .of(run.latestEnd), hasOneUnit ? .of(sum.value) : .null, hasOneUnit ? .of(fact.maximum) : .null,
                state.hash(of: id, at: observation).map { .blob($0.data) } ?? .null, .text(run.status.rawValue),
                .integer(run.read), hasOneUnit ? .of(run.sums.first?.unit) : .null,
                .integer(fact.sourceCount),
            ]
        }
    }

    // MARK: - Days and months

    /// The rows of buckets.
    /// - Parameter zone: the name of the chain's zone.
    static func row(_ bucket: AggregateBucket, zone: String, _ sources: SourceHashes) -> [CacheValue] {
        let aggregate = bucket.aggregate
        let isTotal = bucket.overlappingSources != nil
        return [
            .integer(bucket.start), .integer(bucket.end), .text(zone), .integer(aggregate.count),
            .of(aggregate.sum), .of(aggregate.maximum), isTotal ? .null : .text(sources.hash(of: bucket)),
            .text(bucket.label), .of(bucket.sourceName), .of(bucket.unit), .integer(aggregate.numberCount),
            .integer(aggregate.sampleCount), .of(aggregate.minimum), .of(aggregate.mean),
            .integer(aggregate.coveredSeconds), .integer(isTotal ? 1 : 0),
        ]
    }

    // MARK: - Diffs

    /// The rows of a diff.
    ///
    /// - Parameter verdicts: what the analysis found whose labels are in it, so that a page can be made of the rows; nil
    ///   without one.
    static func rows(_ diff: DiffSummary, _ verdicts: [ConsolidationVerdict]?) throws -> [[CacheValue]] {
        let byType = verdicts.map { Dictionary($0.map { (ExactText($0.type), $0) }) { first, _ in first } }
        return try diff.types.map { type in
            let isLikely = byType == nil ? nil : type.labels.contains(.consolidationLikely)
            return [
                .text(type.type), .integer(type.appeared), .integer(type.disappeared),
                .integer(type.representationChanged), isLikely.map { .integer($0 ? 1 : 0) } ?? .null,
                .text(type.uncertainty.map(\.rawValue).joined(separator: ",")), .integer(type.before),
                .integer(type.after),
                .text(JSON.object(type.matchRules.map { ($0.0, .int($0.1)) }).canonicalText),
                .text(JSON.object(type.changedFields.map { ($0.0, .int($0.1)) }).canonicalText),
                .text(JSON.array(type.labels.map { .string($0.rawValue) }).canonicalText),
                .text(JSON.array(type.uncertainty.map { .string($0.rawValue) }).canonicalText),
                .integer(Int64(type.days.count)), .text(type.days.largest.json.canonicalText),
                .of(try byType.map { _ in try StoredText.encode(type.days) }),
                .of(try byType?[ExactText(type.type)].map(StoredText.encode)),
            ]
        }
    }

    /// The row of a change.
    static func row(_ change: DiffChange, typeOf: (Int64) throws -> String) throws -> [CacheValue] {
        let kind = CacheValue.text(change.kind.rawValue)
        switch change {
        case .appeared(let id): return [kind, .integer(id), .null, .null, .text(try typeOf(id)), .null]
        case .disappeared(let id): return [kind, .null, .integer(id), .null, .text(try typeOf(id)), .null]
        case .representationChanged(let matchRule, _, let steps, let before, let after):
            let path = steps.isEmpty ? nil : JSON.array(steps.map(\.json)).canonicalText
            return [
                kind, .integer(after), .integer(before), .text(matchRule.name), .text(try typeOf(after)), .of(path),
            ]
        }
    }

    // MARK: - Exports

    func exports() throws -> [[CacheValue]] {
        try RecordedExport.all(db).map { export in
            let status = try ExportReproduction.status(db, export, hasKey: state.hasKey)
            return [
                .text(export.exportID), .text(export.kind), .integer(Int64(export.createdAt)),
                .of(export.fromObservation), .of(export.toObservation), .text(Self.summary(export)),
                .integer(export.recordCount), .text(export.manifestHash), .null, .text(status.rawValue),
                .integer(Int64(export.recordedAt)), .integer(export.id),
            ]
        }
    }

    /// What was exported in one sentence, without a name from an export.
    private static func summary(_ export: RecordedExport) -> String {
        let kind = export.kind.replacingOccurrences(of: "_", with: " ")
        let sides = [export.fromObservation, export.toObservation].compactMap(\.self).map { "\($0)" }
        let span =
            sides.isEmpty ? "" : " of observation\(sides.count > 1 ? "s" : "") \(sides.joined(separator: " to "))"
        guard let question = ExportQuestion(json: export.question) else { return "A \(kind)\(span)." }
        let types = question.types.map { "\($0.count) chosen type\($0.count == 1 ? "" : "s")" } ?? "all types"
        let days = question.since != nil || question.until != nil ? ", a chosen interval" : ""
        return "\(kind)\(span), \(types)\(days), provenance \(question.provenance.rawValue)."
    }
}

/// Stable keys of sources with their versions, for colours; each is hashed once.
final class SourceHashes {
    private struct Source: Hashable {
        var name: ExactText?
        var versions: [ExactText]
    }

    private var known: [Source: String] = [:]

    /// The key of the source of a bucket.
    func hash(of bucket: AggregateBucket) -> String {
        let source = Source(
            name: bucket.sourceName.map(ExactText.init(_:)), versions: bucket.sourceVersions.map(ExactText.init(_:)))
        if let hash = known[source] { return hash }
        let json = JSON.array([.optional(bucket.sourceName)] + bucket.sourceVersions.map { .string($0) })
        let hash = Digest256(hashing: "hp:cache:1:source:" + json.canonicalText).hex
        known[source] = hash
        return hash
    }
}
