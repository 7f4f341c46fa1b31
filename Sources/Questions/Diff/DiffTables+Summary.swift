internal import Days
internal import GRDB
internal import HealthModel
internal import History
package import Store

extension DiffTables {
    /// The counts by type, with what must stay uncertain.
    ///
    /// - Parameter queries: is given the statements that count; nil where nobody asks.
    package func summary(_ queries: (([PrintedQuery]) throws -> Void)? = nil) throws -> DiffSummary {
        try fillChanges()
        let ((before, after, tally), counting) = try queries == nil ? (counts(), []) : PrintedQuery.run(on: db, counts)
        try queries?(counting)
        let days = try changedDays()
        let known = Set(before.keys).union(after.keys).union(tally.types.keys).filter(isWanted)
        var types: [Int64: DiffSummary.TypeDiff] = [:]
        for id in known {
            guard let name = typeNames[id] else { throw HealthProbeError.damagedRow("sample_types", id) }
            var diff = DiffSummary.TypeDiff(type: name, before: before[id] ?? 0, after: after[id] ?? 0)
            let counts = tally[id]
            diff.appeared = counts.appeared
            diff.disappeared = counts.disappeared
            diff.representationChanged = counts.changed
            diff.matchRules = MatchRule.allCases.compactMap { kind in
                counts.matchRules[kind.name].map { (kind.name, $0) }
            }
            diff.changedFields = counts.fields.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
            diff.days = days[id] ?? ChangedDays()
            types[id] = diff
        }
        return try DiffSummary(db, span, types, asked: filter, withoutLinks: typesWithoutLinks)
    }

    /// The local days whose aggregate changed, by type; only those of rows visible at one side alone can have.
    ///
    /// The earlier side of several observations has rows that `from` does not show: then any day that an observation
    /// behind `from` changed can have.
    private func changedDays() throws -> [Int64: ChangedDays] {
        guard let clock = try ChainZone.recorded(db, chain: span.chain.id)?.clock else { return [:] }
        let days =
            try span.inner.isEmpty
            ? DaySet(
                db, rows: "SELECT ref FROM temp.diff_before UNION ALL SELECT ref FROM temp.diff_after", clock: clock)
            : DaySet(db, changedAt: span.behindFrom, types: typeNames.keys.filter(isWanted))
        return try ChangedDays.read(
            db, span.chain, clock, from: span.from, to: span.to, days: days, source: source, typeNames: typeNames)
    }
}
