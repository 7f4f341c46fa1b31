internal import Foundation
internal import GRDB
internal import HealthModel

/// The summaries of every observation follow from the copies visible there.
enum SummaryInvariants {
    static let all = [
        InvariantCheck("D01-typeSummaries") { try eachObservation($0, types) },
        InvariantCheck("D02-typeSums") { try eachObservation($0, sums) },
        InvariantCheck("D03-readCounts") {
            try eachObservation($0) { scope, _, observation, position in try readCounts(scope, observation, position) }
        },
    ]

    private static func eachObservation(
        _ scope: CheckScope, _ test: (CheckScope, Chain, Observation, Int) throws -> String?
    ) throws -> String? {
        for chain in try scope.chains() {
            for (index, observation) in chain.finished.enumerated() {
                if let detail = try test(scope, chain, observation, index + 1) { return detail }
            }
        }
        return nil
    }

    private static func types(_ scope: CheckScope, _ chain: Chain, _ observation: Observation, _ position: Int) throws
        -> String?
    {
        let states = try scope.totals().types(chain: chain.id, position: position)
        let hashes = try AggregateHash.compute(scope.db, importID: observation.id)
        var offenders = Offenders()
        var known = Set<Int64>()
        let rows = try Row.fetchAll(
            scope.db, sql: "SELECT * FROM type_runs WHERE import_id = ?", arguments: [observation.id])
        for row in rows {
            let type: Int64 = try row.get("sample_type_id")
            let state = states[type] ?? RangeTotals.Totals()
            known.insert(type)
            let stored: [Int64?] = try [row.get("visible_count"), row.get("earliest_start"), row.get("latest_end")]
            let hash: Data? = try row.get("aggregate_hash")
            if stored != [state.count, state.earliestStart, state.latestEnd]
                || hash.map(Array.init) != hashes[type]?.data
            {
                offenders.add(type)
            }
        }
        for type in states.keys.sorted() where !known.contains(type) { offenders.add(type) }
        return offenders.detail("types of observation \(observation.id) whose summary does not follow")
    }

    /// Sums must be equal to the last bit: both are exact sums, rounded once.
    private static func sums(_ scope: CheckScope, _ chain: Chain, _ observation: Observation, _ position: Int) throws
        -> String?
    {
        var states: [RangeTotals.Key: RangeTotals.Totals] = [:]
        for (key, totals) in try scope.totals().state(chain: chain.id, position: position) { states[key] = totals }
        var offenders = Offenders()
        let rows = try Row.fetchAll(
            scope.db, sql: "SELECT * FROM type_sums WHERE import_id = ?", arguments: [observation.id])
        for row in rows {
            let type: Int64 = try row.get("sample_type_id")
            let key = try RangeTotals.Key(
                chain: chain.id, type: type, source: row.get("source_id"), unit: row.get("unit_id"), from: 0, to: 0)
            let state = states.removeValue(forKey: key) ?? RangeTotals.Totals()
            let counts: [Int64] = try [row.get("visible_count"), row.get("number_count")]
            let sum: Double = try row.get("value_sum")
            let maximum: Double? = try row.get("value_max")
            if counts != [state.count, state.numbers] || sum != state.sum?.value ?? 0 || maximum != state.maximum {
                offenders.add(type)
            }
        }
        for key in states.keys.sorted(by: { $0.type < $1.type }) { offenders.add(key.type) }
        return offenders.detail("types of observation \(observation.id) whose sums do not follow")
    }

    /// What an export showed, where that follows: all of the state, or nothing of a type that was left out, or the
    /// copies that a partial observation noted.
    private static func readCounts(_ scope: CheckScope, _ observation: Observation, _ position: Int) throws -> String? {
        let isPartial = observation.status == .partial
        let read = isPartial && position > 1 ? try ReadCopies(scope.db, observation: observation.id).counts : nil
        var offenders = Offenders()
        let rows = try Row.fetchAll(
            scope.db,
            sql: """
                SELECT r.sample_type_id, r.status, r.read_count, r.visible_count, t.type_identifier
                FROM type_runs r JOIN sample_types t ON t.id = r.sample_type_id WHERE r.import_id = ?
                """,
            arguments: [observation.id])
        var known = Set<Int64>()
        for row in rows {
            let type: Int64 = try row.get("sample_type_id")
            let status = try TypeStatus(row)
            let count: Int64 = try row.get("read_count")
            let visible: Int64 = try row.get("visible_count")
            let identifier: String = try row.get("type_identifier")
            known.insert(type)
            let fits: Bool
            if status == .excluded {
                fits = count == 0
            } else if isPartial {
                fits = status == .incomplete && count == read.map { $0[type] ?? 0 } ?? visible
            } else if CarriedTypes.isCarried(identifier, status: status, read: count) {
                fits = true
            } else {
                fits = count == visible && (status == .incomplete || status == (count > 0 ? .completed : .absent))
            }
            if !fits { offenders.add(type) }
        }
        for type in read?.keys.sorted() ?? [] where !known.contains(type) { offenders.add(type) }
        return offenders.detail("types of observation \(observation.id) whose status or read count does not follow")
    }
}
