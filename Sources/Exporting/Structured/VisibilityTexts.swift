internal import Archive
internal import GRDB
internal import TextFormats

/// When a copy was visible, as JSON, told from what was known at the last observation that the export speaks of.
///
/// Later observations do not show, so that an export says the same whenever it is made.
final class VisibilityTexts {
    private let db: Database
    private let observations: [Observation]
    private let positions: [Int64: Int]
    /// By type: the places of the observations that verified the whole type.
    private var verified: [Int64: [Int]] = [:]
    private var known: [Key: [UInt8]] = [:]
    /// The copy before, which the next one mostly equals in this.
    private var last: (type: Int64, opened: Int64?, closed: Int64) = (.min, nil, 0)
    private var lastText: [UInt8] = []
    /// The rows that have earlier ranges: few, in most archives none.
    private let past: SparseBitmap
    private let readRuns: [Int64: Bool]
    private static let maximumKnown = 20_000

    private struct Key: Hashable {
        var verified: Int
        var opened: Int
        var closed: Int
    }

    /// - Parameter observation: the last one that counts.
    init(_ db: Database, chain: Chain, through observation: Observation) throws {
        self.db = db
        observations = chain.finished.filter { ($0.position ?? 0) <= (observation.position ?? 0) }
        positions = Dictionary(observations.enumerated().map { ($1.id, $0) }) { first, _ in first }
        past = try .rowsWithPastRanges(db)
        readRuns = Dictionary(observations.map { ($0.id, $0.status == .partial) }) { first, _ in first }
    }

    /// Appends the member's value.
    func append(_ copy: HeldVersion, type: Int64, to out: ByteBuffer) throws {
        let hasPast = past.contains(copy.rowID)
        if type == last.type, copy.opened == last.opened, copy.closed == last.closed, !hasPast {
            out.append(lastText)
            return
        }
        let text = try text(copy, type: type, hasPast)
        out.append(text)
        // Where a partial observation decides, neighbours may differ.
        if hasPast || verified[type]?.contains(2) == true {
            last.type = .min
        } else {
            last = (type, copy.opened, copy.closed)
            lastText = text
        }
    }

    private func text(_ copy: HeldVersion, type: Int64, _ hasPast: Bool) throws -> [UInt8] {
        var opened = copy.opened.map { positions[$0] ?? observations.count } ?? 0
        var closed = positions[copy.closed] ?? observations.count
        if hasPast { (opened, closed) = try range(with: copy, opened, closed) }
        // A copy that is shown although no range of it has begun has only ranges that began later; it cannot be.
        opened = min(opened, observations.count - 1)
        let verifiedAt = try lastVerified(copy.rowID, type, from: opened, before: closed)
        let key = Key(verified: verifiedAt, opened: opened, closed: closed)
        if let text = known[key] { return text }
        let json = JSON.object([
            ("first_seen", place(opened)), ("last_verified", verifiedAt < 0 ? .null : place(verifiedAt)),
            ("disappeared", closed < observations.count ? place(closed) : .null),
        ])
        let text = Array(json.canonicalText.utf8)
        if known.count >= Self.maximumKnown { known.removeAll() }
        known[key] = text
        return text
    }

    private func place(_ index: Int) -> JSON {
        .object([
            ("observation_id", .int(observations[index].id)),
            ("observed_at", .instant(observations[index].observedAt)),
        ])
    }

    /// The first begin and the last end, of those ranges that begin in time.
    private func range(with copy: HeldVersion, _ opened: Int, _ closed: Int) throws -> (Int, Int) {
        var ranges = opened < observations.count ? [(opened, closed)] : []
        let rows = try Row.fetchAll(
            db,
            sql:
                "SELECT opened_observation_id AS o, closed_observation_id AS c FROM past_ranges WHERE record_version_id = ?",
            arguments: [copy.rowID])
        for row in rows {
            guard let begin = try (row.get("o") as Int64?).map({ positions[$0] }) ?? 0 else { continue }
            try ranges.append((begin, positions[row.get("c") as Int64] ?? observations.count))
        }
        return (ranges.map(\.0).min() ?? 0, ranges.map(\.1).max() ?? observations.count)
    }

    /// The last observation that verified the copy's type while the copy was visible, or showed the copy itself; -1
    /// where none did.
    private func lastVerified(_ copy: Int64, _ type: Int64, from opened: Int, before closed: Int) throws -> Int {
        let places = try verified(type)
        var place = min(closed, observations.count) - 1
        while place >= opened {
            if places[place] == 1 { return place }
            if places[place] == 2 {
                let isRead =
                    try Bool.fetchOne(
                        db,
                        sql: """
                            SELECT EXISTS (SELECT 1 FROM (SELECT last_record_version_id FROM read_runs
                                WHERE import_id = ?1 AND first_record_version_id <= ?2 ORDER BY first_record_version_id DESC LIMIT 1)
                                WHERE last_record_version_id >= ?2)
                            """,
                        arguments: [observations[place].id, copy]) ?? false
                if isRead { return place }
            }
            place -= 1
        }
        return -1
    }

    /// By place: 1 where the type was read completely, 2 where some copies of it may have been, 0 where none was.
    private func verified(_ type: Int64) throws -> [Int] {
        if let known = verified[type] { return known }
        let rows = try Row.fetchAll(
            db, sql: "SELECT import_id, status FROM type_runs WHERE sample_type_id = ?", arguments: [type])
        var places = [Int](repeating: 0, count: observations.count)
        for row in rows {
            guard let place = try positions[row.get("import_id") as Int64] else { continue }
            switch try TypeStatus(row) {
            case .completed: places[place] = 1
            case .incomplete: try places[place] = readRuns[row.get("import_id") as Int64] == true ? 2 : 0
            case .excluded, .absent: break
            }
        }
        verified[type] = places
        return places
    }
}
