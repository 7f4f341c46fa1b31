internal import GRDB
internal import HealthModel

/// The placing of an export before observations that its chain has already, or of a supplemented one where it was.
///
/// The new observation starts as a twin of its baseline (the observation before it, or for a new first one the one after
/// it), which costs nothing: ranges name observations, and the new one lies between. Then single copies are made visible
/// or not there, and the observations behind it are derived again as far as what they stand on has changed.
final class Insertion {
    let db: Database
    let placement: ChainPlacement
    let editor: RangeEditor
    private let noteMoved: UnsafeStatement

    /// Temporary tables of one insertion: the copies whose visibility at the newest examined observation changed, those
    /// that the next one may have opened or closed, those that the one behind that may have, and all of these together;
    /// and those that a supplemented observation may have opened or closed before.
    static let tables = ["moved", "candidates", "next_candidates", "touched_copies", "withdrawn"]

    /// - Parameter firstCopyID: the first of the rows that the import adds; nil for a supplement.
    init(_ db: Database, placement: ChainPlacement, firstCopyID: Int64?) throws {
        self.db = db
        self.placement = placement
        editor = try RangeEditor(
            db, order: placement.ids, added: firstCopyID.map { (placement.importID, $0) })
        for table in Self.tables { try db.execute(sql: "CREATE TEMP TABLE \(table) (id INTEGER PRIMARY KEY)") }
        noteMoved = try UnsafeStatement(db, "INSERT OR IGNORE INTO temp.moved VALUES (?)")
        // Before anything moves: what the next observation opened and closed against its present predecessor.
        if let successor = placement.successor, placement.predecessor != nil {
            try TouchedCopies.collect(db, into: "temp.candidates", of: [successor.id])
        }
    }

    static func drop(_ db: Database) throws {
        for table in tables + Rederivation.tables { try db.execute(sql: "DROP TABLE IF EXISTS temp.\(table)") }
    }

    /// The condition on `c` that a copy is visible at an observation, the new one included.
    func visible(_ alias: String = "c", at id: Int64) -> String {
        Visibility.sql(alias, through: placement.ids(through: id))
    }

    /// The condition on `c` that a copy is visible at the baseline.
    var visibleAtBaseline: String { Visibility.sql("c", through: placement.idsThroughBaseline) }

    /// Makes a copy visible or not at the new observation.
    func set(_ visible: Bool, copy: Int64) throws {
        try editor.set(visible, copy: copy, at: placement.importID)
        try note(copy)
    }

    /// Notes a new row, which is visible at the new observation alone.
    func added(_ copy: Int64) throws {
        try note(copy)
        // What a chain's first observation begins is not marked.
        if placement.predecessor != nil { try editor.noteOpening(of: copy, at: placement.importID) }
    }

    /// Notes a copy as differing from the baseline.
    private func note(_ copy: Int64) throws {
        noteMoved.bind(1, copy)
        try noteMoved.run()
    }

    /// The ids of the moved copies that are visible at only one of baseline and new observation.
    func moved(visibleAtBaseline isBefore: Bool) -> String {
        let own = visible(at: placement.importID)
        let condition = isBefore ? "\(visibleAtBaseline) AND NOT \(own)" : "\(own) AND NOT \(visibleAtBaseline)"
        return "SELECT m.id FROM temp.moved m CROSS JOIN record_versions c ON c.id = m.id WHERE \(condition)"
    }

    /// Derives the observations behind the new one again, until one's state stays as it was.
    ///
    /// - Returns: those whose changes or state are other ones now.
    func rederive(
        after state: StateDigest, dictionaries: Dictionaries, chain: Int64, tell: (Rederivation.Outcome) throws -> Void
    ) throws -> [Int64] {
        var predecessor = (id: placement.importID, digest: state)
        var rederived: [Int64] = []
        try db.execute(sql: "INSERT INTO temp.touched_copies SELECT id FROM temp.moved")
        for (index, observation) in placement.after.enumerated() {
            let next = index + 1 < placement.after.count ? placement.after[index + 1] : nil
            let rederivation = try Rederivation(
                self, observation: observation, predecessor: predecessor, next: next, dictionaries: dictionaries,
                chain: chain)
            let outcome = try rederivation.run()
            try tell(outcome)
            rederived.append(observation.id)
            predecessor = (observation.id, outcome.digest)
            if !outcome.hasMoved { break }
        }
        return rederived
    }
}
