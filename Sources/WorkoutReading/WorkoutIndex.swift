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
        package var interval: Interval
        package var descriptorID: Int64
        /// How many equal rows there are.
        package var copies: Int
    }

    /// By start, end and identity.
    package let entries: [Entry]

    /// - Complexity: the rows of all workouts of the chain.
    package init(_ snapshot: Snapshot, at observation: Observation) throws {
        guard let type = try snapshot.sampleTypes().first(where: { $0.identifier == SampleType.workout })?.id else {
            entries = []
            return
        }
        let set = RecordSet.visible(snapshot.chain, at: observation)
        let rows = try VersionCursor.page(snapshot.db, of: set, type: type, behind: nil, limit: .max)
        var found: [Entry] = []
        while try rows.next() {
            let identity = try rows.identity
            if let last = found.indices.last, found[last].identity == identity {
                found[last].copies += 1
                continue
            }
            guard let start = try rows.start, let end = try rows.end else { continue }
            try found.append(
                Entry(
                    rowID: rows.rowID, sampleID: rows.sampleID, identity: identity,
                    interval: Interval(Double(start), Double(end)), descriptorID: rows.descriptorID, copies: 1))
        }
        entries = found
    }

    /// The places of the entries that overlap an interval for more than 0 s.
    package func overlapping(_ interval: Interval) -> [Int] {
        entries.indices.filter { entries[$0].interval.overlap(interval) > 0 }
    }
}
