internal import Basics
internal import HealthModel
internal import Questions
internal import Store

/// Where, in time, two observations differ: the consolidation groups between them, and the records that changed.
struct ConsolidatedTimes {
    /// A consolidation group.
    private struct Group {
        var interval: Interval
        var type: SeriesType
        var workout: String?
        var isComplete: Bool
    }

    /// By their start.
    private var groups: [Group] = []
    /// The time of records that only one of the observations shows, or that both show differently; in order.
    private var changed: [Interval] = []
    private static let longestSeconds = 2 * 86_400.0

    /// The records of series that differ between the observations.
    ///
    /// - Complexity: what changed between them.
    mutating func readChanges(_ snapshot: Snapshot, _ question: ConsolidationQuestion) throws {
        let rows = try VersionCursor(snapshot.db)
        let series = SeriesType.always + ActivityTable.shared.distanceTypes
        var found = GatheredIntervals()
        func add(_ row: Int64) throws {
            try rows.seek(row)
            defer { rows.reset() }
            guard let start = try rows.start else { return }
            // An instant touches the second behind it.
            let interval = Interval(Double(start), Double(max(try rows.end ?? start, start + 1)))
            // A workout owns a condensed series of which it covers nine tenths: the series may reach beyond it by a ninth of
            // its length. Where the workout changes, the series may go to a neighbour or come from one.
            let margin = try rows.kind == .workout ? interval.seconds / 9 : 0
            found.append(Interval(interval.start - margin, interval.end + margin))
        }
        _ = try Diff.run(
            snapshot.db, chain: snapshot.chain, from: question.from, to: question.to, through: false,
            types: TypeFilter(series.map(\.rawValue) + [SampleType.workoutRoute, SampleType.workout]), source: nil
        ) { change in
            switch change {
            case .appeared(let row), .disappeared(let row): try add(row)
            case .representationChanged(_, _, let before, let after):
                try add(before)
                try add(after)
            }
        }
        changed = found.united
    }

    /// The groups of an analysis.
    mutating func readGroups(_ answer: ConsolidationAnswer) throws {
        try answer.forEachGroup { group in
            let evidence = group.evidence
            groups.append(
                Group(
                    interval: Interval(Double(evidence.firstStart), Double(evidence.lastEnd)),
                    type: SeriesType(rawValue: group.type), workout: group.workout,
                    isComplete: group.completeness == .complete))
        }
        groups.sort { $0.interval.start < $1.interval.start }
    }

    /// The groups within a workout of the types that belong to it.
    func groups(in workout: Interval, _ types: Set<SeriesType>) -> WorkoutImpact.Groups {
        var found = WorkoutImpact.Groups()
        var names: Set<String> = []
        var index = groups.partitionPoint { $0.interval.start < workout.start - Self.longestSeconds }
        while index < groups.count, groups[index].interval.start < workout.end {
            let group = groups[index]
            index += 1
            guard types.contains(group.type), SampleSelection.touches(group.interval, workout) else { continue }
            found.count += 1
            if group.isComplete { found.restorable += 1 } else { found.incompleteTypes.insert(group.type) }
            if let name = group.workout { names.insert(name) }
        }
        found.workouts = names.sorted()
        return found
    }

    /// Whether any record that changed touches a stretch of time.
    func hasChanges(in interval: Interval) -> Bool {
        let index = changed.partitionPoint { $0.end <= interval.start }
        return index < changed.count && changed[index].start < interval.end
    }
}
