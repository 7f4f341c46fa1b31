internal import GRDB
internal import Store

/// Makes single rows visible or not at single observations, anywhere in a chain, by splitting, joining, extending and
/// shortening their ranges.
///
/// What a range's ends said of links is forgotten where an end moves; `setPredecessor` and `setSuperseded` set it again.
final class RangeEditor {
    /// Positions in the chain, half-open; `Int.max` as end: still visible.
    private struct Range {
        var from: Int
        var to: Int
        var previous: Int64?
        var rule: Int64?
        var superseded: Int64 = 0
    }

    private let order: [Int64]
    private var positions: [Int64: Int] = [:]
    private let readCurrent: PreparedStatement
    private let readPast: PreparedStatement
    private let write: PreparedStatement
    private let deletePast: PreparedStatement
    private let insertPast: PreparedStatement
    private let updateOpeningOfCurrent: PreparedStatement
    private let updateOpeningOfPast: PreparedStatement
    private let updateEndOfCurrent: PreparedStatement
    private let updateEndOfPast: PreparedStatement

    /// - Parameter order: the observations of the chain, a new or withdrawn one among them.
    init(_ db: Database, order: [Int64]) throws {
        self.order = order
        for (position, id) in order.enumerated() { positions[id] = position }
        let columns = "opened_observation_id, closed_observation_id, superseded"
        readCurrent = try PreparedStatement(
            db,
            """
            SELECT \(columns), iif(match_rule IS NULL, NULL, \(StoredLink.previous())), match_rule
            FROM record_versions WHERE id = ?
            """)
        readPast = try PreparedStatement(
            db, "SELECT \(columns), previous_id, match_rule FROM past_ranges WHERE record_version_id = ?")
        write = try PreparedStatement(
            db,
            """
            UPDATE record_versions SET opened_observation_id = ?2, closed_observation_id = ?3, superseded = ?4,
                previous_id = nullif(?5, coalesce(sample_id, payload_id)), match_rule = ?6 WHERE id = ?1
            """)
        deletePast = try PreparedStatement(db, "DELETE FROM past_ranges WHERE record_version_id = ?")
        insertPast = try PreparedStatement(
            db,
            "INSERT INTO past_ranges (record_version_id, \(columns), previous_id, match_rule) VALUES (?, ?, ?, ?, ?, ?)"
        )
        updateOpeningOfCurrent = try PreparedStatement(
            db,
            """
            UPDATE record_versions SET previous_id = nullif(?3, coalesce(sample_id, payload_id)), match_rule = ?4
            WHERE id = ?1 AND opened_observation_id = ?2 AND (match_rule IS NOT ?4
                OR iif(match_rule IS NULL, NULL, \(StoredLink.previous())) IS NOT ?3)
            """)
        updateOpeningOfPast = try PreparedStatement(
            db,
            "UPDATE past_ranges SET previous_id = ?3, match_rule = ?4 WHERE record_version_id = ?1 AND opened_observation_id = ?2"
        )
        updateEndOfCurrent = try PreparedStatement(
            db,
            "UPDATE record_versions SET superseded = ?3 WHERE id = ?1 AND closed_observation_id = ?2 AND superseded <> ?3"
        )
        updateEndOfPast = try PreparedStatement(
            db, "UPDATE past_ranges SET superseded = ?3 WHERE record_version_id = ?1 AND closed_observation_id = ?2")
    }

    /// Makes a row visible or not at one observation and nowhere else.
    ///
    /// A row that no observation shows any more is kept with an empty range (opened and closed by the same
    /// observation): other rows may take columns from it, and it may come back.
    func setVisible(_ visible: Bool, rowID: Int64, at observation: Int64) throws {
        guard let place = positions[observation] else { return }
        let (ranges, hasPast) = try read(rowID)
        var edited: [Range] = []
        if visible {
            var own = Range(from: place, to: place + 1)
            for range in ranges {
                if range.from <= place, place < range.to { return }
                if range.to == place {
                    own.from = range.from
                    own.previous = range.previous
                    own.rule = range.rule
                } else if range.from == place + 1 {
                    own.to = range.to
                    own.superseded = range.superseded
                } else {
                    edited.append(range)
                }
            }
            if own.to == order.count { own.to = .max }
            edited.append(own)
        } else {
            for range in ranges {
                guard range.from <= place, place < range.to else {
                    edited.append(range)
                    continue
                }
                if range.from < place {
                    edited.append(
                        Range(from: range.from, to: place, previous: range.previous, rule: range.rule))
                }
                if place + 1 < min(range.to, order.count) {
                    edited.append(Range(from: place + 1, to: range.to, superseded: range.superseded))
                }
            }
        }
        try store(edited.sorted { $0.from < $1.from }, rowID, hasPast: hasPast, at: observation)
    }

    /// Sets which row a row supersedes that an observation opened; nil where it appeared.
    func setPredecessor(_ previous: Int64?, _ rule: MatchRule?, of row: Int64, at observation: Int64) throws {
        let values = [row, observation, previous, rule?.rawValue]
        try updateOpeningOfCurrent.run(binding: values)
        try updateOpeningOfPast.run(binding: values)
    }

    /// Sets whether another row supersedes one that an observation closed.
    func setSuperseded(_ isSuperseded: Bool, row: Int64, at observation: Int64) throws {
        let values: [Int64?] = [row, observation, isSuperseded ? 1 : 0]
        try updateEndOfCurrent.run(binding: values)
        try updateEndOfPast.run(binding: values)
    }

    private func read(_ rowID: Int64) throws -> (ranges: [Range], hasPast: Bool) {
        var ranges: [Range] = []
        func append(_ row: PreparedStatement) {
            let closed = row.int(1)
            if let opened = row.optionalInt(0), opened == closed { return }
            ranges.append(
                Range(
                    from: row.optionalInt(0).flatMap { positions[$0] } ?? 0,
                    to: closed == ArchiveFormat.open ? .max : positions[closed] ?? .max, previous: row.optionalInt(3),
                    rule: row.optionalInt(4), superseded: row.int(2)))
        }
        readCurrent.bind(1, rowID)
        defer { readCurrent.reset() }
        guard try readCurrent.step() else { return ([], false) }
        append(readCurrent)
        readPast.bind(1, rowID)
        defer { readPast.reset() }
        var hasPast = false
        while try readPast.step() {
            hasPast = true
            append(readPast)
        }
        return (ranges, hasPast)
    }

    private func store(_ ranges: [Range], _ rowID: Int64, hasPast: Bool, at observation: Int64) throws {
        if hasPast { try deletePast.run(binding: [rowID]) }
        for range in ranges.dropLast() { try bind(range, rowID, insertPast) }
        if let last = ranges.last {
            try bind(last, rowID, write)
        } else {
            try write.run(binding: [rowID, observation, observation, 0, nil, nil])
        }
    }

    private func bind(_ range: Range, _ rowID: Int64, _ statement: PreparedStatement) throws {
        try statement.run(binding: [
            rowID, range.from == 0 ? nil : order[range.from],
            range.to >= order.count ? ArchiveFormat.open : order[range.to], range.superseded, range.previous,
            range.rule,
        ])
    }
}
