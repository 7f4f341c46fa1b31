internal import GRDB
internal import Store

/// Decides which replacement each gone record belongs to, innermost first.
///
/// The replacements that appeared first take their records first: a raw record belongs to the series that took its place,
/// and that series to the one it was condensed into later, so no total is counted twice. At one position of the chain
/// those with the condenser's identifier come before those without.
struct GroupPasses {
    let db: Database
    let scope: ChainScope
    let units: CanonicalUnits

    /// `state` of a replacement in `analysis_records`.
    enum State: Int64 {
        case undecided = 0
        case complete = 1
        case partial = 2
        case none = 3
        case rejected = 4

        /// Some states as a list for SQL.
        static func list(_ states: State...) -> String { states.map { "\($0.rawValue)" }.joined(separator: ", ") }

        init(_ completeness: ConsolidationGroup.Completeness) {
            switch completeness {
            case .complete: self = .complete
            case .partial: self = .partial
            case .none: self = .none
            }
        }
    }

    private static let marked = "mark IS NOT NULL"
    private static let unmarked = """
        mark IS NULL AND end > start AND (appeared = 1 OR (closed IS NOT NULL AND opened > 1))
        """

    func run() throws {
        try WorkingTables.indexReplacements(db)
        try chooseLeads()
        let firstClosed = try Int.fetchOne(db, sql: "SELECT min(closed) FROM temp.analysis_records") ?? .max
        let positions = try Int.fetchAll(
            db,
            sql: """
                SELECT DISTINCT opened FROM temp.analysis_records
                WHERE (\(Self.marked)) OR (\(Self.unmarked)) ORDER BY opened
                """)
        let assignment = IntervalAssignment(db: db, scope: scope)
        let regrouping = SeriesRegrouping(db: db, scope: scope, units: units)
        for position in positions {
            try assignment.run(position: position, where: Self.marked)
            try decide(marked: true)
            try regrouping.run(position: position)
            try db.execute(
                sql: """
                    UPDATE temp.analysis_records SET state = \(State.none.rawValue)
                    WHERE \(Self.marked) AND opened = \(position) AND state = \(State.undecided.rawValue)
                        AND lead IS NULL
                    """)
            // Only what was gone before can be taken late.
            let hasEarly = firstClosed < position
            if hasEarly {
                try takeLate(
                    assignment, position, marked: true, "\(Self.marked) AND state IN (\(State.list(.partial, .none)))")
            }
            try assignment.run(position: position, where: Self.unmarked)
            try decide(marked: false)
            if hasEarly {
                try takeLate(
                    assignment, position, marked: false,
                    "(\(Self.unmarked)) AND state IN (\(State.list(.undecided, .rejected)))")
            }
        }
    }

    /// Gives replacements that lack records those that were gone before they appeared: constituents are sought in all that
    /// the chain ever held. What is taken so never undoes what was found without it.
    private func takeLate(
        _ assignment: IntervalAssignment, _ position: Int, marked: Bool, _ condition: String
    ) throws {
        try assignment.run(position: position, where: condition, isLate: true)
        try db.execute(
            sql: """
                DELETE FROM temp.analysis_trial WHERE parent NOT IN (
                    SELECT t.parent FROM temp.analysis_trial t CROSS JOIN temp.analysis_records c ON c.id = t.child
                    WHERE c.closed < \(position));
                INSERT OR IGNORE INTO temp.analysis_trial
                SELECT l.parent, c.start, l.child FROM temp.analysis_links l
                CROSS JOIN temp.analysis_records c ON c.id = l.child
                WHERE l.parent IN (SELECT parent FROM temp.analysis_trial);
                """)
        try decide(marked: marked, isLate: true)
    }

    /// Of several replacements with one identifier the first leads the group.
    private func chooseLeads() throws {
        try db.execute(
            sql: """
                UPDATE temp.analysis_records SET lead = w.lead
                FROM (SELECT id, min(id) OVER (PARTITION BY type, mark, source, device, version, closed IS NULL) AS lead
                    FROM temp.analysis_records WHERE mark IS NOT NULL) w
                WHERE w.id = analysis_records.id AND w.lead <> w.id
                """)
    }

    /// Judges every replacement that has a record in `analysis_trial`.
    private func decide(marked: Bool, isLate: Bool = false) throws {
        let rows = try PreparedStatement(
            db,
            """
            SELECT t.parent, \(GroupTally.Member.columns)
            FROM temp.analysis_trial t CROSS JOIN temp.analysis_records c ON c.id = t.child
            ORDER BY t.parent, t.start, t.child
            """)
        defer { rows.reset() }
        let views = try ReplacementViews(db, units: units)
        var open: (view: ReplacementView, tally: GroupTally, members: [GroupTally.Member])?
        while try rows.step() {
            if open?.view.id != rows.int(0) {
                if let open { try judge(open.view, open.tally, open.members, marked: marked, isLate: isLate) }
                let view = try views.view(rows.int(0), marked: marked)
                open = (view, GroupTally(low: view.low, high: view.high), [])
            }
            let member = GroupTally.Member(rows, from: 1)
            open?.tally.add(member)
            if open?.members.count ?? 0 <= CondenserIdentifierHeuristic.largestSearched { open?.members.append(member) }
        }
        if let open { try judge(open.view, open.tally, open.members, marked: marked, isLate: isLate) }
    }

    private func judge(
        _ view: ReplacementView, _ tally: GroupTally, _ members: [GroupTally.Member], marked: Bool, isLate: Bool
    ) throws {
        let known = members.count == tally.count ? members : []
        var judgement =
            marked
            ? CondenserIdentifierHeuristic.judge(view, tally, members: known)
            : IntervalAndSumHeuristic.judge(view, tally)
        if judgement == .totalsDiffer, view.copies > 1 {
            // Originals that a phone has twice are condensed into a series that it has twice.
            let each = CondenserIdentifierHeuristic.judge(view.countingCopies, tally, members: known)
            if case .accepted(.complete, _) = each { judgement = each }
        }
        if isLate {
            // More than declared, or another total: somebody deleted them before.
            guard case .accepted(_, let without) = judgement, without.isEmpty,
                tally.weight <= view.declaredCount ?? .max
            else { return }
        }
        switch judgement {
        case .nothing: return
        case .accepted(let completeness, let without):
            try db.executeCached(
                "INSERT OR IGNORE INTO temp.analysis_links SELECT child, parent FROM temp.analysis_trial WHERE parent = ?",
                [view.id])
            for id in without { try db.executeCached("DELETE FROM temp.analysis_links WHERE child = ?", [id]) }
            try set(.init(completeness), view.id)
            if isLate { try db.executeCached("DELETE FROM temp.analysis_rejected WHERE replacement = ?", [view.id]) }
            // A coalesced record counts for the records that it replaced.
            if !marked {
                try db.executeCached(
                    "UPDATE temp.analysis_records SET weight = ? WHERE id = ?", [tally.weight, view.id])
            }
        case .totalsDiffer:
            try set(.rejected, view.id)
            let reason = tally.weight > view.declaredCount ?? .max ? "moreThanDeclared" : "totalsDiffer"
            let isSum = view.isCumulative
            try db.executeCached(
                "INSERT OR REPLACE INTO temp.analysis_rejected VALUES (?, ?, ?, ?, ?, ?)",
                [
                    view.id, tally.count, isSum ? tally.sum : tally.mean, view.value,
                    isSum ? tally.tolerance + view.tolerance : view.tolerance, reason,
                ])
        }
    }

    private func set(_ state: State, _ id: Int64) throws {
        try db.executeCached("UPDATE temp.analysis_records SET state = ? WHERE id = ?", [state.rawValue, id])
    }
}
