internal import ArchiveAggregating
internal import ArchiveFile
package import ArchiveRows
package import GRDB

/// The local days whose aggregate consolidation may have changed.
///
/// A complete, marked group within one day, all of whose constituents the earlier state shows and none of whose
/// replacements, leaves the day's sum, and its mean by samples, as they were. Other groups do not: those whose records start
/// on several days, those of which not all constituents were seen, and unmarked ones.
package struct ConsolidationDays {
    private let days: [String: DisjointSpans]
    private let clock: ZoneClock?

    /// The days of all groups of an analysis, whatever they left as it was.
    package init(_ db: Database, _ chain: Chain, of answer: ConsolidationAnswer) throws {
        try self.init(db, chain, from: nil, answer.reader)
    }

    /// - Parameter from: the earlier state; nil for the days of all groups.
    /// - Complexity: one pass over the members of the answer's groups.
    init(_ db: Database, _ chain: Chain, from: Observation?, _ reader: GroupReader) throws {
        var found: [String: DisjointSpans] = [:]
        guard var clock = try ChainZone.recorded(db, chain: chain.id)?.clock else {
            (days, self.clock) = ([:], nil)
            return
        }
        let isBefore = from.map { Visibility.sql("c", through: chain.ids(through: $0)) }
        let groups = try PreparedStatement(
            db,
            """
            SELECT t.type_identifier, g.basis = 'condenserIdentifier' AND g.completeness = 'complete'
                    AND min(\(isBefore.map { "m.nested = 1 OR (\($0)) = (m.role = 1)" } ?? "0")),
                min(f.start_seconds), max(f.start_seconds), max(max(f.start_seconds, ifnull(f.end_seconds, f.start_seconds) - 1))
            FROM \(reader.schema).analysis_groups g
            CROSS JOIN \(reader.schema).analysis_members m ON m.run_id = g.run_id AND m.number = g.number
            CROSS JOIN full_record_versions f ON f.id = m.record_version_id
            CROSS JOIN record_versions c ON c.id = ifnull(m.disappeared_record_version_id, m.record_version_id)
            JOIN sample_types t ON t.id = g.sample_type_id
            WHERE g.run_id = \(reader.run) GROUP BY g.number
            """)
        while try groups.step() {
            guard let type = groups.text(0), let first = try groups.instant(2) else { continue }
            let isWhole = groups.int(1) == 1
            let last = try groups.instant(isWhole ? 3 : 4) ?? first
            let (firstDay, lastDay) = (clock.day(of: first), clock.day(of: max(first, last)))
            if isWhole, firstDay == lastDay { continue }
            found[type, default: DisjointSpans()].insert(firstDay..<lastDay + 1)
        }
        days = found
        self.clock = clock
    }

    /// Labels those of a type's changed days that a group touches.
    func label(_ changed: inout [ChangedDays.Day], of type: String) {
        guard days[type] != nil, var clock else { return }
        for index in changed.indices where contains(clock.day(of: changed[index].start), of: [type]) {
            changed[index].labels = [.consolidationLikely]
        }
    }

    /// Whether a group of one of these types touches a day, counted from 1970-01-01.
    package func contains(_ day: Int64, of types: [String]) -> Bool {
        types.contains { days[$0]?.overlaps(day..<day + 1) ?? false }
    }
}
