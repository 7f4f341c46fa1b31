package import Days
package import GRDB
internal import HealthModel
internal import History
package import Store

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
        let ids = Dictionary(names.map { (ExactText($0.value), $0.key) }) { first, _ in first }
        var types: [Int64: DiffSummary.TypeDiff] = [:]
        for run in try ObservationReport.types(db, later.id) {
            guard let id = ids[ExactText(run.type)] else { continue }
            var diff = DiffSummary.TypeDiff(type: run.type, before: 0, after: run.visible)
            diff.appeared = run.appeared
            diff.disappeared = run.disappeared
            diff.representationChanged = run.representationChanged
            diff.matchRules = run.matchRules.map { ($0.name, $0.count) }
            diff.changedFields = run.changedFields.map { ($0.name, $0.count) }
            diff.days = days[id] ?? ChangedDays()
            types[id] = diff
        }
        for run in try ObservationReport.types(db, before.id) {
            guard let id = ids[ExactText(run.type)] else { continue }
            types[id, default: .init(type: run.type, before: 0, after: 0)].before = run.visible
        }
        let known = types.filter { $1.before + $1.after + $1.changes > 0 }
        return try DiffSummary(db, DiffSpan(chain: chain, from: before, to: later, through: false), known, asked: nil)
    }
}
