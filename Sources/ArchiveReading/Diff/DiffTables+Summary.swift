internal import ArchiveAggregating
internal import ArchiveComparing
internal import ArchiveFile
internal import ArchiveRows
internal import GRDB
internal import HealthModel

extension DiffTables {
    /// The counts by type, with what must stay uncertain.
    package func summary() throws -> DiffSummary {
        try fillChanges()
        let (before, after, tally) = try counts()
        let earlier = try span.earlierSide.map { try TypeStates(db, at: $0) }
        let closing = try span.behindFrom.map { try TypeStates(db, at: $0) }
        let days = try changedDays()
        let known = Set(before.keys).union(after.keys).union(tally.types.keys).filter(isWanted)
        let types = try known.map { id in
            guard let name = typeNames[id] else { throw HealthProbeError.damagedRow("sample_types", id) }
            var diff = DiffSummary.TypeDiff(type: name, before: before[id] ?? 0, after: after[id] ?? 0)
            let counts = tally[id]
            diff.appeared = counts.appeared
            diff.disappeared = counts.disappeared
            diff.representationChanged = counts.changed
            diff.evidence = MatchRule.allCases.compactMap { kind in counts.evidence[kind.name].map { (kind.name, $0) } }
            diff.changedFields = counts.fields.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
            diff.days = days[id] ?? ChangedDays()
            let states = Set(earlier.map { $0.status(of: id, name) })
            if diff.appeared > 0 {
                for status in [TypeStatus.excluded, .incomplete] where states.contains(status) {
                    diff.uncertainty.append("appearancesAfter:\(status.rawValue)")
                }
            }
            // What the last observation that took the type says is what counts: one without it knows nothing new.
            let last = closing.last { ($0.stored[id] ?? .excluded) != .excluded }
            if diff.disappeared > 0, last?.stored[id] == .incomplete {
                diff.uncertainty.append("disappearancesTowards:incomplete")
            }
            diff.labels = [
                ("appeared", diff.appeared > 0), ("disappeared", diff.disappeared > 0),
                ("representationChanged", diff.representationChanged > 0), ("aggregateChanged", diff.days.known > 0),
                ("uncertain", !diff.uncertainty.isEmpty),
            ].filter(\.1).map(\.0)
            return diff
        }
        return DiffSummary(
            from: span.from, to: span.to, through: span.through,
            zone: try ChainZone.recorded(db, chain: span.chain.id)?.zone,
            types: types.sorted { $0.type.utf8.lexicographicallyPrecedes($1.type.utf8) })
    }

    /// The local days whose aggregate changed, by type; only those of rows visible at one side alone can have.
    private func changedDays() throws -> [Int64: ChangedDays] {
        guard let clock = try ChainZone.recorded(db, chain: span.chain.id)?.clock else { return [:] }
        var days = DaySet()
        try days.insert(
            db, copies: "SELECT ref FROM temp.diff_before UNION ALL SELECT ref FROM temp.diff_after", clock: clock)
        return try ChangedDays.read(
            db, span.chain, clock, from: span.from, to: span.to, days: days, source: source, typeNames: typeNames)
    }
}

/// How completely an observation knows each type, also those of which it has no row.
private struct TypeStates {
    /// The statuses that are stored, by type.
    let stored: [Int64: TypeStatus]
    private let account: ObservationAccount

    init(_ db: Database, at observation: Observation) throws {
        stored = try TypeRunRow.read(db, importID: observation.id).mapValues(\.status)
        account = try ObservationAccount(db, observation)
    }

    /// The status of a type that may be unknown to the observation: whether its export had such items was not looked at.
    func status(of type: Int64, _ name: String) -> TypeStatus {
        stored[type] ?? account.status(of: name, read: 0)
    }
}
