internal import GRDB
internal import HealthModel
internal import History
internal import Store

/// The summaries of every observation follow from the rows visible there.
enum SummaryInvariants {
    static let all = [
        InvariantCheck("D01-typeSummaries") { try eachObservation($0, types) },
        InvariantCheck("D02-typeSums") { try eachObservation($0, sums) },
        InvariantCheck("D03-readCounts") { try eachObservation($0, readCounts) },
    ]

    private static func eachObservation(
        _ scope: CheckScope, _ test: (CheckScope, Chain, Observation, Int) throws -> String?
    ) throws -> String? {
        for (chain, observation, position) in try scope.observations() {
            if let detail = try test(scope, chain, observation, position) { return detail }
        }
        return nil
    }

    private static func types(_ scope: CheckScope, _ chain: Chain, _ observation: Observation, _ position: Int) throws
        -> String?
    {
        var states = try scope.totals().types(chain: chain.id, position: position)
        let hashes = try AggregateHash.compute(scope.db, importID: observation.id)
        var violations = Violations()
        let rows = try Row.fetchAll(
            scope.db, sql: "SELECT * FROM type_runs WHERE import_id = ?", arguments: [observation.id])
        for row in rows {
            let type: Int64 = try row.get("sample_type_id")
            let state = states.removeValue(forKey: type)?.rows ?? RowTotals()
            let stored: [Int64?] = try [row.get("visible_count"), row.get("earliest_start"), row.get("latest_end")]
            let hash: Digest256? = try row.get("aggregate_hash")
            if stored != [state.count, state.earliestStart, state.latestEnd] || hash != hashes[type] {
                violations.add(type)
            }
        }
        for type in states.keys.sorted() { violations.add(type) }
        return violations.detail("types of observation \(observation.id) whose summary does not follow")
    }

    /// Sums must be equal to the last bit: both are exact sums, rounded once.
    private static func sums(_ scope: CheckScope, _ chain: Chain, _ observation: Observation, _ position: Int) throws
        -> String?
    {
        var states = try scope.totals().state(chain: chain.id, position: position)
        var violations = Violations()
        let rows = try Row.fetchAll(
            scope.db, sql: "SELECT * FROM type_sums WHERE import_id = ?", arguments: [observation.id])
        for row in rows {
            let type: Int64 = try row.get("sample_type_id")
            let key = try RangeTotals.Key(
                chain: chain.id, type: type, source: row.get("source_id"), unit: row.get("unit_id"), from: 0, to: 0)
            let state = states.removeValue(forKey: key)?.rows ?? RowTotals()
            let counts: [Int64] = try [row.get("visible_count"), row.get("number_count")]
            let sum: Double = try row.get("value_sum")
            let maximum: Double? = try row.get("value_max")
            if counts != [state.count, state.numbers] || sum != state.sum.value || maximum != state.maximum {
                violations.add(type)
            }
        }
        for key in states.keys.sorted(by: { $0.type < $1.type }) { violations.add(key.type) }
        return violations.detail("types of observation \(observation.id) whose sums do not follow")
    }

    /// What an export showed, where that follows.
    private static func readCounts(
        _ scope: CheckScope, _: Chain, _ observation: Observation, _ position: Int
    ) throws -> String? {
        let shown = try ShownCounts(scope, observation, position)
        let runs = try TypeRunRow.read(scope.db, importID: observation.id)
        var violations = Violations()
        for (type, run) in runs.sorted(by: { $0.key < $1.key }) {
            if (run.status, run.read) != shown.fitting(run, visible: run.visible) { violations.add(type) }
        }
        for type in shown.types where runs[type] == nil { violations.add(type) }
        return violations.detail("types of observation \(observation.id) whose status or read count does not follow")
    }
}
