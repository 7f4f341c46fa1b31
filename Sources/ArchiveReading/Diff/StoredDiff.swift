package import ArchiveAggregating
internal import ArchiveComparing
package import ArchiveRows
package import GRDB
internal import HealthModel

/// The diff of two neighbours from the counts that the import of the later one stored; no row is compared.
package enum StoredDiff {
    /// Reads what `Diff.run` finds about all types.
    ///
    /// - Parameters:
    ///   - later: an observation with another one before it.
    ///   - days: the days that changed between the two, by type id.
    /// - Returns: nil for a chain's first observation.
    package static func read(
        _ db: Database, _ chain: Chain, at later: Observation, days: [Int64: ChangedDays]
    ) throws -> DiffSummary? {
        guard let before = chain.previous(of: later) else { return nil }
        let names = try SampleTypeNames.read(db)
        let certainty = try DiffCertainty(db, DiffSpan(chain: chain, from: before, to: later, through: false))
        let ids = Dictionary(names.map { (ExactText($0.value), $0.key) }) { first, _ in first }
        var types: [ExactText: DiffSummary.TypeDiff] = [:]
        for run in try ObservationReport.types(db, later.id) {
            var diff = DiffSummary.TypeDiff(type: run.type, before: 0, after: run.visible)
            diff.appeared = run.appeared
            diff.disappeared = run.disappeared
            diff.representationChanged = run.representationChanged
            diff.matchRules = run.matchRules.map { ($0.name, $0.count) }
            diff.changedFields = run.changedFields.map { ($0.name, $0.count) }
            diff.days = ids[ExactText(run.type)].flatMap { days[$0] } ?? ChangedDays()
            types[ExactText(run.type)] = diff
        }
        for run in try ObservationReport.types(db, before.id) {
            types[ExactText(run.type), default: .init(type: run.type, before: 0, after: 0)].before = run.visible
        }
        for (id, name) in names {
            guard let diff = types[ExactText(name)] else { continue }
            types[ExactText(name)]?.settleLabels(
                certainty.codes(id, name, appeared: diff.appeared, disappeared: diff.disappeared))
        }
        let known = types.values.filter {
            $0.before + $0.after + $0.appeared + $0.disappeared + $0.representationChanged > 0
        }
        return DiffSummary(
            from: before, to: later, zone: try ChainZone.recorded(db, chain: chain.id)?.zone,
            types: known.sorted { $0.type.utf8.lexicographicallyPrecedes($1.type.utf8) })
    }
}
