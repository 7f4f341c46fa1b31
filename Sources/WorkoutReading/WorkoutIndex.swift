package import ArchiveReading
package import ArchiveRows
package import HealthMetrics
package import HealthModel
internal import TextFormats

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
