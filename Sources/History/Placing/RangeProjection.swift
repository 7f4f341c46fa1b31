package import GRDB
internal import Store

/// Writes states and what changed between them as the ranges and links of rows.
package final class RangeProjection {
    private let db: Database
    private let order: [Int64]
    private let editor: RangeEditor

    /// - Parameter order: the observations of a chain, a new or withdrawn one among them.
    package init(_ db: Database, order: [Int64]) throws {
        self.db = db
        self.order = order
        editor = try RangeEditor(db, order: order)
    }

    /// The condition on `alias` that the ranges of a row say that it is visible at an observation.
    package func visible(_ alias: String, at id: Int64) -> String {
        Visibility.sql(alias, through: order.prefix { $0 != id } + [id])
    }

    /// Makes rows visible at an observation, and no others.
    ///
    /// - Parameter former: the rows that the ranges say are visible there.
    /// - Returns: the rows whose ranges were edited.
    package func move(to visible: Bitmap, from former: Bitmap, at observation: Int64) throws -> Bitmap {
        let moved = visible.symmetricDifference(former)
        try moved.forEach { try editor.setVisible(visible.contains($0), rowID: $0, at: observation) }
        return moved
    }

    /// Writes which rows an observation's rows continue.
    ///
    /// - Parameter transition: the comparison of the state before with that of the observation.
    package func link(_ transition: StateTransition, at observation: Int64) throws {
        let closed = try PreparedStatement(db, "SELECT ref FROM \(transition.before)")
        while try closed.step() {
            try editor.setSuperseded(
                transition.isMatched(before: closed.int(0)), row: closed.int(0), at: observation)
        }
        let opened = try PreparedStatement(
            db,
            """
            SELECT a.ref, p.before_ref, p.match_rule FROM \(transition.after) a
            LEFT JOIN \(transition.pairs) p ON p.after_ref = a.ref
            """)
        while try opened.step() {
            try editor.setPredecessor(
                opened.optionalInt(1), opened.optionalInt(2).flatMap(MatchRule.init(rawValue:)), of: opened.int(0),
                at: observation)
        }
    }
}
