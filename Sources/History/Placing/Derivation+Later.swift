internal import GRDB
internal import HealthModel
internal import Store

extension Derivation {
    /// What became of an observation that was derived again.
    struct Outcome {
        var observation: Observation
        /// How many items of each type its file and the state before it have both.
        var shared: [Int64: Int64]
    }

    /// Derives observations again in chain order, until one's state stays as it was.
    ///
    /// - Parameters:
    ///   - before: the state before them; nil if they are the whole chain.
    ///   - report: called with what became of each.
    /// - Returns: those whose changes or state are other ones now.
    func rederive(
        _ db: Database, _ observations: [Observation], after before: State?, _ dictionaries: Dictionaries,
        report: (Outcome) throws -> Void
    ) throws -> [Int64] {
        var before = before
        var rederived: [Int64] = []
        for observation in observations {
            let later = try LaterObservation(db, observation, dictionaries)
            let former = try State(db, observation)
            let (state, shared) = try later.derive(by: self, after: before, former: former)
            try report(Outcome(observation: observation, shared: shared))
            rederived.append(observation.id)
            if state.visible == former.visible { break }
            before = state
        }
        return rederived
    }
}

/// A finished observation whose predecessor is another one now, or has another state.
private struct LaterObservation {
    let db: Database
    let observation: Observation
    let dictionaries: Dictionaries
    let account: ObservationAccount
    /// The rows of `type_runs` as they were.
    let former: [Int64: TypeRunRow]

    init(_ db: Database, _ observation: Observation, _ dictionaries: Dictionaries) throws {
        self.db = db
        self.observation = observation
        self.dictionaries = dictionaries
        account = try ObservationAccount(db, observation)
        former = try TypeRunRow.read(db, importID: observation.id)
    }

    func derive(
        by derivation: Derivation, after before: Derivation.State?, former state: Derivation.State
    ) throws -> (Derivation.State, shared: [Int64: Int64]) {
        guard let stream = observation.streamDigest else { throw HealthProbeError.stateMismatch }
        let shown = try ShownSet(db, importID: observation.id).shown
        var moved: Set<Int64> = []
        var sums = StateSummary()
        let (derived, tally) = try derivation.derive(
            .init(id: observation.id, account: account, shown: shown, stream: stream), after: before,
            former: state.visible, reference: before ?? state
        ) { carried in
            try VersionRow.forEach(db, shown.union(carried).symmetricDifference(state.visible)) {
                moved.insert($0.type)
            }
            sums = try rewriteSums(moved, visible: derivation.visible("f", at: observation.id))
        }
        let read = former.filter { $0.value.read > 0 }.mapValues(\.read)
        let known = try before.map { try TypeRunRow.read(db, importID: $0.id).filter { $0.value.visible > 0 } } ?? [:]
        let changes = tally ?? ChangeTally(appeared: read)
        try rewriteTypeRuns(changes, before: known, moved: moved, sums)
        try db.execute(
            sql: "UPDATE imports SET state_digest = ? WHERE id = ?", arguments: [derived.digest, observation.id])
        guard tally != nil else { return (derived, [:]) }
        return (derived, former.filter { $0.value.read > 0 }.mapValues { $0.read - changes[$0.type].appeared })
    }

    private func rewriteSums(_ types: Set<Int64>, visible: String) throws -> StateSummary {
        guard !types.isEmpty else { return StateSummary() }
        let totals = try StateSummary(db, chain: observation.chainID, types: types, visible: visible)
        try db.execute(
            sql: "DELETE FROM type_sums WHERE import_id = ? AND sample_type_id IN (\(types.sorted().sqlList))",
            arguments: [observation.id])
        try totals.insertSums(db, importID: observation.id, dictionaries) { _ in true }
        return totals
    }

    private func rewriteTypeRuns(
        _ tally: ChangeTally, before: [Int64: TypeRunRow], moved: Set<Int64>, _ totals: StateSummary
    ) throws {
        let names = try SampleTypeNames.read(db)
        let known = Set(before.keys).union(tally.types.keys).union(
            former.values.filter { $0.read > 0 || $0.status == .excluded }.map(\.type))
        let types = totals.types()
        try db.execute(sql: "DELETE FROM type_runs WHERE import_id = ?", arguments: [observation.id])
        try TypeRunRow.insert(
            db, importID: observation.id,
            types: names.filter { known.contains($0.key) || account.quarantined.contains(ExactText($0.value)) },
            account, leftOut: Set(former.values.filter(\.isLeftOut).map(\.type)),
            read: { former[$0]?.read ?? 0 }, before: before, tally
        ) { type in
            guard moved.contains(type) else { return (former[type]?.earliestStart, former[type]?.latestEnd) }
            return (types[type]?.earliestStart, types[type]?.latestEnd)
        }
        try AggregateHash.store(db, importID: observation.id)
    }
}
