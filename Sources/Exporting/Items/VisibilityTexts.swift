internal import Basics
internal import History
internal import Questions
internal import Store

/// When a row was visible, as JSON, by what was known at the last observation that the export is about.
///
/// Later observations do not show, so that an export says the same whenever it is made.
final class VisibilityTexts {
    private let snapshot: Snapshot
    private let observations: [Observation]
    private let positions: [Int64: Int]
    /// By type: how far each observation read it, by its place.
    private var readings: [Int64: [Snapshot.TypeReading?]] = [:]
    /// The rows that partial observations showed, by their ids.
    private var shown: [Int64: Bitmap] = [:]
    private var known: [Key: [UInt8]] = [:]
    /// The row before, which the next one mostly equals in this.
    private var last: (type: Int64, opened: Int64?, closed: Int64) = (.min, nil, 0)
    private var lastText: [UInt8] = []
    /// The rows that have earlier ranges: few, in most archives none.
    private let past: SparseBitmap
    private static let maximumKnown = 20_000

    private struct Key: Hashable {
        var verified: Int
        var opened: Int
        var closed: Int
    }

    /// - Parameter observation: the last one that counts.
    init(_ snapshot: Snapshot, through observation: Observation) throws {
        self.snapshot = snapshot
        observations = snapshot.chain.finished.filter { $0.order <= observation.order }
        positions = Dictionary(observations.enumerated().map { ($1.id, $0) }) { first, _ in first }
        past = try .rowsWithPastRanges(snapshot.db)
    }

    /// Appends the member's value.
    func append(_ record: HeldVersion, type: Int64, to out: ByteBuffer) throws {
        let hasPast = past.contains(record.rowID)
        if type == last.type, record.opened == last.opened, record.closed == last.closed, !hasPast {
            out.append(lastText)
            return
        }
        let text = try text(record, type: type, hasPast)
        out.append(text)
        // Where a partial observation decides, neighbours may differ.
        if hasPast || readings[type]?.contains(.partial) == true {
            last.type = .min
        } else {
            last = (type, record.opened, record.closed)
            lastText = text
        }
    }

    private func text(_ record: HeldVersion, type: Int64, _ hasPast: Bool) throws -> [UInt8] {
        var opened = record.opened.map { positions[$0] ?? observations.count } ?? 0
        var closed = positions[record.closed] ?? observations.count
        if hasPast { (opened, closed) = try range(with: record, opened, closed) }
        // A row that is shown although no range of it has begun has only ranges that began later; it cannot be.
        opened = min(opened, observations.count - 1)
        let verifiedAt = try lastVerified(record.rowID, type, from: opened, before: closed)
        let key = Key(verified: verifiedAt, opened: opened, closed: closed)
        if let text = known[key] { return text }
        let json = JSON.row([
            "first_seen": place(opened), "last_verified": verifiedAt < 0 ? nil : place(verifiedAt),
            "disappeared": closed < observations.count ? place(closed) : nil,
        ])
        let text = Array(json.canonicalText.utf8)
        if known.count >= Self.maximumKnown { known.removeAll() }
        known[key] = text
        return text
    }

    private func place(_ index: Int) -> JSON {
        .row([
            "observation_id": observations[index].id, "observed_at": JSON.instant(observations[index].observedAt),
        ])
    }

    /// The first begin and the last end, of those ranges that begin in time.
    private func range(with record: HeldVersion, _ opened: Int, _ closed: Int) throws -> (Int, Int) {
        var ranges = opened < observations.count ? [(opened, closed)] : []
        for past in try snapshot.pastRanges(of: record.rowID) {
            guard let begin = past.opened.map({ positions[$0] }) ?? 0 else { continue }
            ranges.append((begin, positions[past.closed] ?? observations.count))
        }
        return (ranges.map(\.0).min() ?? 0, ranges.map(\.1).max() ?? observations.count)
    }

    /// The last observation that verified the row's type while the row was visible, or showed the row itself; -1
    /// where none did.
    private func lastVerified(_ rowID: Int64, _ type: Int64, from opened: Int, before closed: Int) throws -> Int {
        let places = try readings(of: type)
        var place = min(closed, observations.count) - 1
        while place >= opened {
            switch places[place] {
            case .complete: return place
            case .partial: if try wasRead(rowID, at: place) { return place }
            case nil: break
            }
            place -= 1
        }
        return -1
    }

    private func wasRead(_ rowID: Int64, at place: Int) throws -> Bool {
        let id = observations[place].id
        let rows = try shown[id] ?? snapshot.shownRows(at: id)
        shown[id] = rows
        return rows.contains(rowID)
    }

    private func readings(of type: Int64) throws -> [Snapshot.TypeReading?] {
        if let known = readings[type] { return known }
        let found = try snapshot.readings(of: type)
        let places = observations.map { found[$0.id] }
        readings[type] = places
        return places
    }
}
