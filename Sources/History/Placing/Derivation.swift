internal import GRDB
internal import HealthModel
internal import Store

/// Derives states of a chain from what each file showed: of an export placed before others, of one that got what it
/// lacked, and of the observations behind these or behind a withdrawn one.
///
/// A state is what the file showed, and the rows of the state before of which the file says nothing: those of types that a
/// complete export leaves out, and those that nothing in a partial one replaces. The ranges of rows are a projection of
/// these states: a row is edited only where its visibility at an observation changes.
final class Derivation {
    /// What is visible at an observation, with the digest of these rows.
    struct State {
        var id: Int64
        var visible: Bitmap
        var digest: StateDigest

        /// The state of a finished observation, as stored.
        init(_ db: Database, _ observation: Observation) throws {
            guard let digest = observation.stateDigest else { throw HealthProbeError.stateMismatch }
            try self.init(id: observation.id, visible: ShownSet(db, importID: observation.id).visible, digest: digest)
        }

        init(id: Int64, visible: Bitmap, digest: StateDigest) {
            self.id = id
            self.visible = visible
            self.digest = digest
        }
    }

    /// What an observation's export showed: from this and the state before its own state follows.
    struct Source {
        var id: Int64
        var account: ObservationAccount
        var shown: Bitmap
        /// The digest of the shown items, as counted while they were read.
        var stream: StateDigest
    }

    private let db: Database
    private let chain: Int64
    private let projection: RangeProjection
    /// The rows whose visibility changed at any observation.
    private(set) var touched = Bitmap()

    /// - Parameter order: the observations of the chain, a new or withdrawn one among them.
    init(_ db: Database, chain: Int64, order: [Int64]) throws {
        self.db = db
        self.chain = chain
        projection = try RangeProjection(db, order: order)
    }

    /// The condition on `alias` that the ranges of a row say that it is visible at an observation.
    func visible(_ alias: String, at id: Int64) -> String { projection.visible(alias, at: id) }

    /// Fills `temp.touched_rows`, from which the days to aggregate again follow.
    func storeTouched() throws {
        try db.createTemporary([.touchedRows])
        try touched.insert(db, into: "temp.touched_rows")
    }

    // MARK: - One state

    /// Derives a state, stores it and moves the ranges of rows to it.
    ///
    /// - Parameters:
    ///   - before: the state before; nil for a chain's first.
    ///   - former: the rows that ranges say are visible at the observation.
    ///   - reference: a state near the new one whose digest is known, for a self-check that reads few rows.
    ///   - prepare: called with the rows that the file did not show when the ranges say the new state; stores its sums by
    ///     source, whose names the comparison reads.
    /// - Returns: the state, and what changed from the state before; nil for a chain's first.
    /// - Throws: `integrityFailure` if the rows that are visible now are not what was read.
    func derive(
        _ source: Source, after before: State?, former: Bitmap, reference: State,
        _ prepare: (_ carried: Bitmap) throws -> Void
    ) throws -> (state: State, tally: ChangeTally?) {
        let transition = try StateTransition(db, .rederiving)
        defer { try? transition.drop() }
        let carried = try before.map { try carriedRows(source, after: $0, transition) } ?? Bitmap()
        let visible = source.shown.union(carried)
        var (stored, expected) = (reference.digest, source.stream)
        try stored.fold(db, reference.visible.subtracting(visible), add: false)
        try stored.fold(db, visible.subtracting(reference.visible), add: true)
        try expected.fold(db, carried, add: true)
        guard stored == expected else { throw HealthProbeError.stateMismatch }
        try ShownSet(shown: source.shown, visible: visible).write(db, importID: source.id)
        try project(visible, former: former, at: source.id)
        try prepare(carried)
        let state = State(id: source.id, visible: visible, digest: stored)
        return (state, try before.map { try link(state, after: $0, transition) })
    }

    /// Makes the rows visible at an observation that belong to a state, and no others.
    func project(_ visible: Bitmap, former: Bitmap, at observation: Int64) throws {
        touched = touched.union(try projection.move(to: visible, from: former, at: observation))
    }

    /// Counts rows as touched that were written with their range.
    func add(_ rows: Bitmap) { touched = touched.union(rows) }

    /// The rows of the state before that stay although the file did not show them.
    private func carriedRows(_ source: Source, after before: State, _ transition: StateTransition) throws -> Bitmap {
        var carried = before.visible.subtracting(source.shown)
        guard !source.account.isComplete else { return try carriedRows(carried, source.account) }
        try transition.addRows(carried, to: transition.before)
        try transition.addRows(source.shown.subtracting(before.visible), to: transition.after)
        // What a partial export did not show is not gone, so no old name is either.
        try transition.compare(SourceNames(db, before: [before.id], after: before.id), equal: refuseEqual)
        let replaced = carried
        replaced.forEach { if transition.isMatched(before: $0) { carried.remove($0) } }
        return carried
    }

    /// The rows among some whose types a complete export leaves out.
    private func carriedRows(_ rows: Bitmap, _ account: ObservationAccount) throws -> Bitmap {
        let types = account.carriedTypes(of: try SampleTypeNames.read(db))
        guard !types.isEmpty, !rows.isEmpty else { return Bitmap() }
        let ofTypes = try Bitmap(
            db,
            """
            SELECT c.id FROM record_versions c LEFT JOIN record_versions k ON k.id = c.sample_id
            WHERE c.device_chain_id = \(chain) AND \(VersionColumns.key("sample_type_id", "c")) IN (\(types.sorted().sqlList))
            """)
        return rows.intersection(ofTypes)
    }

    /// Compares two states, and writes which rows continue others; returns the counts of changes.
    private func link(_ state: State, after before: State, _ transition: StateTransition) throws -> ChangeTally {
        try transition.clear()
        try transition.addRows(before.visible.subtracting(state.visible), to: transition.before)
        try transition.addRows(state.visible.subtracting(before.visible), to: transition.after)
        try transition.compare(SourceNames(db, before: [before.id], after: state.id), equal: refuseEqual)
        try projection.link(transition, at: state.id)
        return try transition.changes()
    }

    /// A row that both states have is on neither side.
    private func refuseEqual(_ before: Int64, _ after: Int64) throws { throw HealthProbeError.stateMismatch }
}
