internal import History
internal import Store

/// What an observation's export showed of each type, as far as that follows from the rows.
struct ShownCounts {
    private let account: ObservationAccount
    private let names: [Int64: String]
    /// The counts of a partial observation behind others; nil for one that showed all of its state.
    private let read: [Int64: Int64]?

    init(_ scope: CheckScope, _ observation: Observation, _ position: Int) throws {
        account = try ObservationAccount(scope.db, observation)
        names = try SampleTypeNames.read(scope.db)
        read =
            account.isComplete || position == 1
            ? nil : try ShownState.readRows(scope.db, ShownSet(scope.db, importID: observation.id).shown).counts
    }

    /// The types of the rows that a partial observation showed.
    var types: [Int64] { (read ?? [:]).keys.sorted() }

    /// The status and the number of items read that fit what is visible: all of it, or nothing of a type that was left out,
    /// or the rows that a partial observation noted.
    ///
    /// A repair counts what was lost as not read, and a type of which that changes whether there is anything is `incomplete`.
    func fitting(_ run: TypeRunRow, visible: Int64) -> (status: TypeStatus, read: Int64) {
        if run.status == .excluded { return (.excluded, 0) }
        guard account.isComplete else { return (.incomplete, read.map { $0[run.type] ?? 0 } ?? visible) }
        if run.read == 0, account.carriesOver(names[run.type] ?? "") { return (run.status, 0) }
        let isAsBefore = run.status == (visible > 0 ? .completed : .absent)
        return (isAsBefore ? run.status : .incomplete, visible)
    }
}
