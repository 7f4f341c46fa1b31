internal import Foundation
internal import GRDB
internal import Store

/// Makes the groups that a question shows from the links between gone records and replacements.
///
/// A group is shown under a replacement that the later observation shows, or with `through` under one that the earlier
/// side shows (and that was condensed again since); with `through` every condensed series that the later observation shows
/// is one, even if nothing of it is known. A replacement that neither shows hands its records on: where it is
/// complete and not itself among the disappeared ones, its records are in its place; else they are nested beside it.
struct GroupAssembly {
    let db: Database
    let units: CanonicalUnits
    let question: ConsolidationQuestion

    private var isThrough: String { question.through ? "1" : "0" }

    private func isShown(_ alias: String) -> String {
        "(\(alias).closed IS NULL OR (\(isThrough) AND \(alias).disappeared IS NOT NULL))"
    }

    private func isReplacedByItsRecords(_ alias: String) -> String {
        """
        (NOT \(isShown(alias)) AND \(alias).disappeared IS NULL
            AND \(alias).state = \(GroupPasses.State.complete.rawValue))
        """
    }

    /// Fills the tables of results.
    ///
    /// - Returns: what the records of the groups with constituents say together, by type.
    func run() throws -> [Int64: MemberStatistics] {
        try handOn()
        let fromPosition = question.from.order
        let groups = try PreparedStatement(
            db,
            """
            SELECT r.id, r.type, r.mark, r.workout, r.state FROM temp.analysis_records r
            JOIN sample_types t ON t.id = r.type CROSS JOIN full_record_versions f ON f.id = r.id
            WHERE r.lead IS NULL AND \(isShown("r"))
                AND (r.state IN (\(GroupPasses.State.list(.complete, .partial, .none)))
                    AND (EXISTS (SELECT 1 FROM \(members("r.id")) AND c.disappeared IS NOT NULL)
                        OR (r.mark IS NOT NULL AND (r.appeared = 1
                            OR (r.disappeared IS NOT NULL AND \(isThrough) AND r.opened > \(fromPosition)))))
                    OR r.mark IS NOT NULL AND r.closed IS NULL AND \(isThrough))
            ORDER BY t.type_identifier, r.start, r.end, f.identity, f.version, f.ordinal
            """)
        defer { groups.reset() }
        let views = try ReplacementViews(db, units: units)
        let insert = try db.makeStatement(
            sql: "INSERT INTO temp.analysis_groups VALUES (0, ?, ?, ?, ?, ?, ?, ?)")
        let constituents = try PreparedStatement(
            db,
            """
            SELECT \(GroupTally.Member.columns), c.descriptor, c.opened FROM \(members("?"))
                AND m.nested = 0 ORDER BY c.start, c.end, c.value, c.id
            """)
        // Equal replacements are numbered: only as many add their value as the group's own sum counts.
        let replacements = try PreparedStatement(
            db,
            """
            SELECT r.end - r.start, r.value, r.descriptor, row_number() OVER (
                PARTITION BY \(ReplacementViews.equal) ORDER BY s.name, d.source_version) > ?2, r.start, r.end, r.opened
            FROM temp.analysis_records r CROSS JOIN descriptors d ON d.id = r.descriptor
            LEFT JOIN sources s ON s.id = d.source_id WHERE r.id = ?1 OR r.lead = ?1
            """)
        var statistics: [Int64: MemberStatistics] = [:]
        var number: Int64 = 0
        while try groups.step() {
            number += 1
            let id = groups.int(0)
            let type = groups.int(1)
            let mark = groups.text(2)
            let view = try views.view(id, marked: mark != nil)
            let completeness: ConsolidationGroup.Completeness =
                switch GroupPasses.State(rawValue: groups.int(4)) {
                case .complete: .complete
                case .partial: .partial
                default: .none
                }
            var members = try statistics.removeValue(forKey: type) ?? MemberStatistics(db)
            let (found, declared, copies) = try self.evidence(of: view, type: type, constituents, &members)
            var evidence = found
            replacements.bind(1, id)
            replacements.bind(2, copies)
            while try replacements.step() {
                evidence.addTime(replacements.int(4), replacements.int(5))
                if replacements.int(6) <= fromPosition { evidence.isBetweenStates = false }
                guard completeness != .none else { continue }
                let isFurtherCopy = replacements.int(3) != 0
                try members.add(
                    isFurtherCopy ? 0 : replacements.double(1), length: replacements.int(0), isBefore: false,
                    descriptor: replacements.int(2))
            }
            replacements.reset()
            statistics[type] = members
            let basis: ConsolidationGroup.Basis = mark == nil ? .intervalAndSum : .condenserIdentifier
            try insert.execute(arguments: [
                number, type, basis.rawValue, completeness.rawValue, groups.text(3), declared,
                try StoredText.encode(evidence),
            ])
            try addMembers(of: id, number: number)
        }
        try WorkingTables.indexMembers(db)
        return statistics
    }

    /// The records under a replacement that is shown; more conditions may follow.
    private func members(_ top: String) -> String {
        """
        temp.analysis_tops m CROSS JOIN temp.analysis_records c ON c.id = m.child
        WHERE m.top = \(top) AND NOT \(isReplacedByItsRecords("c"))
        """
    }

    /// Finds where the records of replacements go that are not shown.
    private func handOn() throws {
        try db.execute(
            sql: """
                INSERT INTO temp.analysis_handed
                WITH RECURSIVE handed(child, top, nested) AS (
                    SELECT q.id, l.parent, 0 FROM temp.analysis_records q
                        CROSS JOIN temp.analysis_links l ON l.child = q.id
                        CROSS JOIN temp.analysis_records p ON p.id = l.parent
                        WHERE q.state <> \(GroupPasses.State.undecided.rawValue) AND NOT \(isShown("q")) AND \(isShown("p"))
                            AND EXISTS (SELECT 1 FROM temp.analysis_links k WHERE k.parent = q.id)
                    UNION ALL
                    SELECT l.child, h.top, h.nested OR NOT \(isReplacedByItsRecords("q")) FROM handed h
                        CROSS JOIN temp.analysis_records q ON q.id = h.child
                        CROSS JOIN temp.analysis_links l ON l.parent = h.child
                    WHERE NOT \(isShown("q")))
                SELECT h.top, h.child, h.nested FROM handed h CROSS JOIN temp.analysis_records c ON c.id = h.child
                WHERE (h.nested = 0 OR c.disappeared IS NOT NULL)
                    AND NOT EXISTS (SELECT 1 FROM temp.analysis_links l WHERE l.child = h.child AND l.parent = h.top)
                """)
    }

    private func addMembers(of id: Int64, number: Int64) throws {
        try db.executeCached(
            """
            INSERT INTO temp.analysis_members
            SELECT 0, ?1, 0, id, disappeared, last_import, 0 FROM temp.analysis_records WHERE id = ?2 OR lead = ?2
            """, [number, id])
        try db.executeCached(
            """
            INSERT INTO temp.analysis_members
            SELECT 0, ?1, 1, c.id, c.disappeared, c.last_import, m.nested FROM \(members("?2"))
            """, [number, id])
    }

    /// What speaks for a group, how many originals its replacements declare, and how many of equal ones count.
    private func evidence(
        of view: ReplacementView, type: Int64, _ constituents: PreparedStatement, _ members: inout MemberStatistics
    ) throws -> (GroupEvidence, declared: Int64?, copies: Int64) {
        var tally = GroupTally(low: view.low, high: view.high)
        var evidence = GroupEvidence()
        evidence.isBetweenStates = true
        constituents.bind(1, view.id)
        while try constituents.step() {
            let member = GroupTally.Member(constituents)
            tally.add(member)
            evidence.addTime(member.start, member.end)
            if constituents.int(8) > question.from.order || member.closed <= question.from.order {
                evidence.isBetweenStates = false
            }
            try members.add(
                member.value, length: member.end - member.start, isBefore: true, descriptor: constituents.int(7))
        }
        constituents.reset()
        let countsCopies = tally.weight > view.declaredCount ?? .max
        let copies = countsCopies ? view.copies : 1
        let view = countsCopies ? view.countingCopies : view
        evidence.constituentCount = tally.count
        evidence.foundCount = tally.weight
        evidence.unit = try units.type(type).unit
        evidence.isCumulative = view.isCumulative
        evidence.sumBefore = tally.sum
        evidence.sumAfter = view.value
        evidence.sumTolerance = tally.tolerance + view.tolerance
        if tally.count > 0 {
            evidence.minimumBefore = tally.minimum
            evidence.maximumBefore = tally.maximum
            evidence.meanBefore = tally.mean
            evidence.timeWeightedMeanBefore = tally.timeWeightedMean
        }
        evidence.spanSeconds = Double(max(1, view.high - view.low))
        evidence.coveredSeconds = tally.covered
        evidence.overlapSeconds = min(tally.overlap, tally.covered)
        return (evidence, view.declaredCount, copies)
    }
}
