internal import GRDB
internal import Store

/// Places an export before observations that its chain has already, or a supplemented one where it was.
///
/// The new observation starts equal to its baseline (the observation before it, or for a new first one the one after it),
/// which costs nothing: ranges name observations, and the new one is between. Then single rows are made visible or not
/// there, and the observations behind it are derived again as far as the states before them have changed.
final class Insertion {
    let db: Database
    let chain: Int64
    let placement: ChainPlacement
    let editor: RangeEditor
    private let insertMoved: PreparedStatement

    /// - Parameter firstRow: the first of the rows that the import adds; nil for a supplement.
    init(_ db: Database, chain: Int64, _ placement: ChainPlacement, firstRow: Int64?) throws {
        self.db = db
        self.chain = chain
        self.placement = placement
        editor = try RangeEditor(db, order: placement.ids, added: firstRow.map { (placement.importID, $0) })
        try db.createTemporary(TemporaryTable.insertion)
        insertMoved = try PreparedStatement(db, "INSERT OR IGNORE INTO temp.moved_rows VALUES (?)")
        // Before anything moves: what the next observation opened and closed against its present predecessor.
        if let successor = placement.successor, placement.predecessor != nil {
            try ChangedRowCandidates.collect(db, into: "temp.candidate_rows", of: [successor.id])
        }
    }

    /// The condition on `alias` that a row is visible at an observation, the new one included.
    func visible(_ alias: String = "c", at id: Int64) -> String {
        Visibility.sql(alias, through: placement.ids(through: id))
    }

    /// The condition on `c` that a row is visible at the baseline.
    var visibleAtBaseline: String { Visibility.sql("c", through: placement.idsThroughBaseline) }

    /// Makes a row visible or not at the new observation.
    func setVisible(_ visible: Bool, rowID: Int64) throws {
        try editor.setVisible(visible, rowID: rowID, at: placement.importID)
        try markMoved(rowID)
    }

    /// Registers a new row, which is visible at the new observation alone.
    func addRow(_ rowID: Int64) throws {
        try markMoved(rowID)
        // What a chain's first observation begins is not marked.
        if placement.predecessor != nil { try editor.insertMovedOpening(of: rowID, at: placement.importID) }
    }

    /// Marks a row as differing from the baseline.
    private func markMoved(_ rowID: Int64) throws {
        try insertMoved.run(binding: [rowID])
    }

    /// The ids of the moved rows that are visible at only one of baseline and new observation.
    func moved(visibleAtBaseline isBefore: Bool) -> String {
        let own = visible(at: placement.importID)
        let condition = isBefore ? "\(visibleAtBaseline) AND NOT \(own)" : "\(own) AND NOT \(visibleAtBaseline)"
        return "SELECT m.id FROM temp.moved_rows m CROSS JOIN record_versions c ON c.id = m.id WHERE \(condition)"
    }

    /// Derives the observations behind the new one again, until one's state stays as it was.
    ///
    /// - Parameters:
    ///   - predecessor: the observation before them with its state's digest; nil where they are the whole chain.
    ///   - report: called with what became of each.
    /// - Returns: those whose changes or state are other ones now.
    func rederive(
        after predecessor: Rederivation.Predecessor?, _ dictionaries: Dictionaries,
        report: (Rederivation.Outcome) throws -> Void
    ) throws -> [Int64] {
        var predecessor = predecessor
        var rederived: [Int64] = []
        try db.execute(sql: "INSERT INTO temp.touched_rows SELECT id FROM temp.moved_rows")
        for (index, observation) in placement.after.enumerated() {
            let rederivation = try Rederivation(
                self, observation: observation, predecessor: predecessor,
                next: placement.after.dropFirst(index + 1).first, dictionaries)
            let outcome = try rederivation.run()
            try report(outcome)
            rederived.append(observation.id)
            predecessor = .init(id: observation.id, digest: outcome.digest)
            if !outcome.hasMoved { break }
        }
        return rederived
    }
}
