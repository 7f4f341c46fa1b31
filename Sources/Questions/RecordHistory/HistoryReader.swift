internal import GRDB
internal import HealthModel
internal import Store

/// Puts the history of one sample together from the ranges of its rows.
struct HistoryReader {
    private let db: Database
    private let chain: Chain
    private let rows: RecordReader
    private let observations: [Int64: Observation]
    private var versions: [History.Version] = []
    private var events: [History.Event] = []
    private var links: [History.Link] = []

    /// Where a row was continued.
    private struct RowEnd: Hashable {
        let row: Int64
        let observation: Int64
    }

    init(_ db: Database, chain: Chain) throws {
        self.db = db
        self.chain = chain
        rows = try RecordReader(db)
        observations = Dictionary(chain.finished.map { ($0.id, $0) }) { first, _ in first }
    }

    mutating func history(of sample: Int64, identity: Digest256) throws -> History {
        let ownRows = try History.rows(db, of: sample, chain: chain)
        // A version that another one of the same sample continues needs no search among all rows.
        let continued = Set(
            ownRows.flatMap(\.ranges).compactMap { range in
                range.previous.map { RowEnd(row: $0, observation: range.opened) }
            })
        for (id, ranges) in ownRows {
            let record = try rows.fetch(id)
            versions.append(History.Version(record: record, ranges: ranges.compactMap(range)))
            for range in ranges {
                try begin(range, record, identity)
                if let closed = range.closed, continued.contains(RowEnd(row: id, observation: closed)) { continue }
                try end(range, record, identity)
            }
        }
        versions.sort { first, second in
            let (a, b) = (first.ranges.first?.first.order ?? 0, second.ranges.first?.first.order ?? 0)
            return (a, first.record.version, first.record.ordinal) < (b, second.record.version, second.record.ordinal)
        }
        // By content, not by row: rows come in the order of importing, which says nothing.
        func content(_ place: Int, _ row: RecordRow) -> (Int, Digest256, Digest256, Int64) {
            (place, row.identity, row.version, row.ordinal)
        }
        events.sort { content($0.observation.order, $0.record) < content($1.observation.order, $1.record) }
        links.sort { content($0.observation.order, $0.other) < content($1.observation.order, $1.other) }
        return History(chain: chain.name, identity: identity, versions: versions, events: events, links: links)
    }

    private func range(_ range: RowRange) -> History.Range? {
        observations[range.opened].map { History.Range(first: $0, last: range.closed.flatMap { observations[$0] }) }
    }

    /// The event and the link with which a range begins.
    private mutating func begin(_ range: RowRange, _ record: RecordRow, _ identity: Digest256) throws {
        guard let observation = observations[range.opened] else { return }
        let previous = try range.previous.map { try rows.fetch($0) }
        let isSame = previous?.identity == identity
        events.append(
            History.Event(
                observation: observation, change: range.rule == nil ? .appeared : .representationChanged,
                matchRule: range.rule, record: record, previous: isSame ? previous : nil))
        if let previous, !isSame, let rule = range.rule {
            links.append(
                History.Link(
                    observation: observation, matchRule: rule, isPrevious: true, own: record, other: previous))
        }
    }

    /// What the end of a range means: a disappearance, or another sample that goes on; a new version of the same
    /// sample has its own beginning.
    private mutating func end(_ range: RowRange, _ record: RecordRow, _ identity: Digest256) throws {
        guard let closed = range.closed, let observation = observations[closed] else { return }
        guard range.superseded else {
            events.append(
                History.Event(observation: observation, change: .disappeared, matchRule: nil, record: record))
            return
        }
        guard let successor = try RowRanges.successor(db, of: record.rowID, at: closed, chain: chain) else { return }
        let other = try rows.fetch(successor.rowID)
        guard other.identity != identity else { return }
        let matchRule = successor.rule
        events.append(
            History.Event(
                observation: observation, change: .representationChanged, matchRule: matchRule, record: record))
        links.append(
            History.Link(observation: observation, matchRule: matchRule, isPrevious: false, own: record, other: other))
    }
}
