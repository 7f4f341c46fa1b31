internal import Basics
internal import GRDB
internal import HealthModel
internal import Store

/// The sums of all events and of all ranges, from one pass over the rows that hold both.
///
/// The views give the same row by row, but look up a chain's first observation for each.
struct EventTotals {
    /// Begins, counted, and the multiset of (row, observation) of the ends, without sorting it.
    struct Ends: Equatable {
        private(set) var count = 0
        private var digest = StateDigest()

        /// A begin: one and the same in events and ranges, as the row has both; counting is enough.
        mutating func addBegin() { count += 1 }

        mutating func addEnd(_ rowID: Int64, _ observation: Int64) {
            count += 1
            let key = ByteBuffer(capacity: 64)
            for part in [rowID, observation] { key.append(long: part) }
            digest.add(Digest256(hashing: key.view), Digest256())
        }
    }

    /// Begins and ends as the events state them: a row begins with `appeared` or `representationChanged`, and ends with
    /// `disappeared` or where another row's event names it as the previous one.
    private(set) var events = Ends()
    private(set) var ranges = Ends()
    /// Representation changes, and those of them without a proper previous row.
    private(set) var changed = 0
    private(set) var malformed = 0
    /// Ranges that name a previous row, and ranges that another row continues.
    private(set) var linked = 0
    private(set) var continued = 0

    init(_ scope: CheckScope) throws {
        let firsts = Dictionary(
            try scope.chains().map { ($0.id, $0.finished.first?.id) }, uniquingKeysWith: { first, _ in first })
        let places = try scope.places()
        let rows = try PreparedStatement(
            scope.db,
            """
            SELECT id, device_chain_id, opened_observation_id, closed_observation_id, superseded,
                \(StoredLink.previous()), match_rule FROM record_versions
            UNION ALL
            SELECT p.record_version_id, c.device_chain_id, p.opened_observation_id, p.closed_observation_id, p.superseded,
                p.previous_id, p.match_rule FROM past_ranges p JOIN record_versions c ON c.id = p.record_version_id
            """)
        defer { rows.reset() }
        while try rows.step() {
            // A row that no observation shows any more has an empty range; rows of unfinished imports have none.
            guard let opened = rows.optionalInt(2) ?? firsts[rows.int(1)] ?? nil, rows.optionalInt(2) != rows.int(3),
                places[observation: opened] != nil
            else { continue }
            add(
                rowID: rows.int(0), opened: opened, closed: rows.int(3) > 0 ? rows.int(3) : nil,
                isContinued: rows.int(4) != 0, previous: rows.isNull(6) ? nil : rows.optionalInt(5),
                hasMatchRule: !rows.isNull(6))
        }
    }

    private mutating func add(
        rowID: Int64, opened: Int64, closed: Int64?, isContinued: Bool, previous: Int64?, hasMatchRule: Bool
    ) {
        events.addBegin()
        ranges.addBegin()
        if hasMatchRule {
            changed += 1
            if previous == nil || previous == rowID { malformed += 1 }
        }
        if let previous {
            linked += 1
            events.addEnd(previous, opened)
        }
        if isContinued { continued += 1 }
        guard let closed else { return }
        ranges.addEnd(rowID, closed)
        if !isContinued { events.addEnd(rowID, closed) }
    }
}
