internal import Basics
package import HealthModel
package import Questions
package import Store

/// The workouts that an observation shows, by their start: what lists and look-ups need, without their contents.
package struct WorkoutIndex {
    package struct Entry: Sendable {
        package var rowID: Int64
        /// The row with the strict key.
        package var sampleID: Int64
        package var identity: Digest256
        package var version: Digest256
        package var interval: Interval
        package var descriptorID: Int64
        /// How many equal rows there are.
        package var copies: Int
    }

    /// By start, end, identity and version.
    package let entries: [Entry]
    /// For each entry the latest end of it and of those before it.
    private let latestEnds: [Double]
    private let places: [Digest256: [Int]]

    /// - Complexity: the rows of all workouts of the chain.
    package init(_ snapshot: Snapshot, at observation: Observation) throws {
        guard let type = try snapshot.sampleTypeIDs()[SampleType.workout] else {
            (entries, latestEnds, places) = ([], [], [:])
            return
        }
        let set = RecordSet.visible(snapshot.chain, at: observation)
        let rows = try VersionCursor.page(snapshot.db, of: set, type: type, behind: nil, limit: .max)
        var found: [Entry] = []
        while try rows.next() {
            let (identity, version) = try (rows.identity, rows.version)
            if let last = found.indices.last, found[last].identity == identity, found[last].version == version {
                found[last].copies += 1
                continue
            }
            guard let start = try rows.start, let end = try rows.end else { continue }
            try found.append(
                Entry(
                    rowID: rows.rowID, sampleID: rows.sampleID, identity: identity, version: version,
                    interval: Interval(Double(start), Double(end)), descriptorID: rows.descriptorID, copies: 1))
        }
        entries = found
        var latest = -Double.infinity
        latestEnds = found.map { entry in
            latest = max(latest, entry.interval.end)
            return latest
        }
        places = Dictionary(grouping: found.indices) { found[$0].identity }
    }

    /// The places of the workouts with an identity: several where apps recorded one activity at the same time.
    package func places(of identity: Digest256) -> [Int] { places[identity] ?? [] }

    /// What names an entry alone: its identity, or where others have that too, its version.
    package func name(of place: Int) -> Digest256 {
        let entry = entries[place]
        return places(of: entry.identity).count > 1 ? entry.version : entry.identity
    }

    /// The places around one that are linked with it by overlaps: neighbours in time, since entries are by their starts.
    package func cluster(around place: Int) -> Range<Int> {
        var (first, end) = (place, place + 1)
        while first > 0, latestEnds[first - 1] > entries[first].interval.start { first -= 1 }
        while end < entries.count, entries[end].interval.start < latestEnds[end - 1] { end += 1 }
        return first..<end
    }

    /// From the first start to the last end of an interval and of the entries that overlap it.
    ///
    /// - Complexity: O(log n).
    package func span(overlapping interval: Interval) -> Interval {
        let behind = entries.partitionPoint { $0.interval.start < interval.end }
        guard behind > 0, latestEnds[behind - 1] > interval.start else { return interval }
        let first = latestEnds.partitionPoint { $0 <= interval.start }
        return Interval(
            min(interval.start, entries[first].interval.start), max(interval.end, latestEnds[behind - 1]))
    }

    /// The parts of an entry's interval that lie in others of some places, if they share more than 60 s with it.
    ///
    /// - Parameter places: in order.
    /// - Complexity: the neighbours in time until the interval is covered.
    func shared(with place: Int, among places: [Int]) -> [Interval] {
        let own = entries[place].interval
        guard own.seconds > Self.leastShared else { return [] }
        var covered: [Interval] = []
        /// Adds an entry; whether the whole interval is covered now.
        func add(_ other: Int) -> Bool {
            guard other != place, let part = entries[other].interval.intersection(own), part.seconds > Self.leastShared
            else { return false }
            covered.append(part)
            if covered.count > 16 { covered = covered.united }
            return part == own || covered.count == 1 && covered[0] == own
        }
        let here = places.partitionPoint { $0 < place }
        var (left, right) = (here - 1, here)
        while true {
            let hasLeft = left >= 0 && latestEnds[places[left]] > own.start
            let hasRight = right < places.count && entries[places[right]].interval.start < own.end
            if !hasLeft, !hasRight { return covered.united }
            if hasLeft {
                if add(places[left]) { return [own] }
                left -= 1
            }
            if hasRight {
                if add(places[right]) { return [own] }
                right += 1
            }
        }
    }

    /// Seconds that two workouts must share for a record to count as one of both.
    private static let leastShared = 60.0

    /// The places of the entries that overlap an interval for more than 0 s, in order.
    package func overlapping(_ interval: Interval) -> [Int] {
        var found: [Int] = []
        var place = entries.partitionPoint { $0.interval.start < interval.end }
        while place > 0, latestEnds[place - 1] > interval.start {
            place -= 1
            if entries[place].interval.overlap(interval) > 0 { found.append(place) }
        }
        return found.reversed()
    }
}
