internal import GRDB

extension StateComparison {
    /// Has every linked pair of stored copies written to a table and told.
    ///
    /// - Parameters:
    ///   - table: of the columns after, before and evidence, in this order.
    ///   - copies: fetches the copies of both sides.
    func recordPairs(
        _ db: Database, in table: String, _ copies: CandidateReader,
        tell: @escaping (_ old: Candidate, _ new: Candidate, MatchRule) throws -> Void
    ) throws {
        let insert = try UnsafeStatement(db, "INSERT INTO \(table) VALUES (?, ?, ?)")
        paired = { before, after, rule in
            insert.bind(1, after)
            insert.bind(2, before)
            insert.bind(3, rule.rawValue)
            try insert.run()
            guard let old = try copies.fetch(before), let new = try copies.fetch(after) else { return }
            try tell(old, new, rule)
        }
    }
}
