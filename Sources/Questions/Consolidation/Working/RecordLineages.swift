internal import GRDB
internal import Store

/// When rows were visible up to the later observation, and where their lineage began.
final class RecordLineages {
    /// A row's last range that began at or before the later observation, as chain positions.
    struct Span {
        var opened: Int
        /// The position at which it was no longer there; nil where the later observation shows it.
        var closed: Int?
        /// Whether another row continues it since it was closed.
        var isContinued: Bool
    }

    private let db: Database
    private let scope: ChainScope
    private let hasPastRanges: Bool
    private let previous: PreparedStatement
    /// Longer chains of representations than observations there are cannot be.
    private static let maximumLength = 40_000

    init(_ db: Database, scope: ChainScope) throws {
        self.db = db
        self.scope = scope
        hasPastRanges = try Bool.fetchOne(db, sql: "SELECT EXISTS (SELECT 1 FROM past_ranges)") ?? false
        previous = try PreparedStatement(
            db,
            """
            SELECT opened_observation_id, match_rule, \(StoredLink.previous()), descriptor_id
            FROM record_versions WHERE id = ?
            """)
    }

    /// The last range of a row; nil where the chain had none of it by then.
    func span(rowID: Int64, opened: Int64?, closed: Int64, superseded: Bool) throws -> Span? {
        func range(_ opened: Int64?, _ closed: Int64, _ superseded: Bool) -> Span? {
            // A range that begins where it ends is empty: no observation shows it.
            guard let begin = opened.map({ scope.position($0) }) ?? 1, opened != closed else { return nil }
            let end = scope.position(closed)
            return Span(opened: begin, closed: end, isContinued: end != nil && superseded)
        }
        if let last = range(opened, closed, superseded) { return last }
        // It came back after the later observation: what was before is among the past ranges.
        guard hasPastRanges else { return nil }
        let rows = try Row.fetchAll(
            db,
            sql: """
                SELECT opened_observation_id AS opened, closed_observation_id AS closed, superseded
                FROM past_ranges WHERE record_version_id = ?
                """,
            arguments: [rowID])
        return try rows.compactMap { row in
            try range(row.get("opened"), row.get("closed"), row.get("superseded") == 1)
        }.max { $0.opened < $1.opened }
    }

    /// The position at which a row's lineage began, and the descriptor of its first row.
    func begin(previous id: Int64, position: Int, descriptor: Int64) throws -> (position: Int, descriptor: Int64) {
        var result = (position: position, descriptor: descriptor)
        try walk(from: id) { _, opened, descriptor in
            guard let opened = opened.map({ scope.position($0) }) ?? 1 else { return true }
            result = (min(result.position, opened), descriptor)
            return false
        }
        return result
    }

    /// A row and those that it continues, the nearest first, until `body` says that it was found.
    func walk(
        from id: Int64, until body: (_ row: Int64, _ opened: Int64?, _ descriptor: Int64) throws -> Bool
    ) throws {
        var next: Int64? = id
        var steps = 0
        while let id = next, steps < Self.maximumLength {
            previous.bind(1, id)
            defer { previous.reset() }
            guard try previous.step(), try !body(id, previous.optionalInt(0), previous.int(3)) else { return }
            next = previous.isNull(1) ? nil : previous.optionalInt(2)
            steps += 1
        }
    }
}
