/// Compares the workouts of two observations, one after the other.
struct WorkoutImpacts {
    private let sides: Sides
    private let times: ConsolidatedTimes
    private let scripts: PlayedScripts?
    /// The workouts with a difference, in the order of their starts.
    private(set) var impacts: [WorkoutImpact] = []
    /// What the days need: the workouts of each state that count.
    private(set) var loads = Loads()
    /// Why what the workouts of a local day amount to differs beside consolidation: their `tss`, and of rides `eftp`.
    private(set) var dayCauses: [Int64: [DayFigure: Set<ImpactCause>]] = [:]
    /// The local days with a workout whose consolidation can be undone.
    private(set) var consolidatedDays: Set<Int64> = []
    /// The workouts of the later observation with at most one heart rate a minute.
    private(set) var sparsePlaces: [Int] = []
    private var figures: [WorkoutFigure: [ImpactFigure]] = [:]
    /// How many workouts that a change touches have a figure on both sides.
    private var compared: [WorkoutFigure: Int] = [:]
    /// How many of these have consolidation that can be undone.
    private var consolidated: [WorkoutFigure: Int] = [:]

    /// The workouts of the days in three states.
    struct Loads {
        var before: [DailyWorkout] = []
        var after: [DailyWorkout] = []
        var restored: [DailyWorkout] = []
    }

    /// - Parameter scripts: those that are played in workouts of the later observation; nil where nobody asks.
    init(_ sides: Sides, _ times: ConsolidatedTimes, _ scripts: PlayedScripts?) {
        (self.sides, self.times, self.scripts) = (sides, times, scripts)
    }

    mutating func run() throws {
        var seen: Set<Int> = []
        for place in sides.to.index.entries.indices {
            guard let after = try sides.to.workout(place) else { continue }
            let before = try sides.from.place(continuing: sides.to.index.entries[after.place]).flatMap {
                try sides.from.workout($0)
            }
            if let before { seen.insert(before.place) }
            try compare(before, after)
        }
        for place in sides.from.index.entries.indices where !seen.contains(place) {
            if let before = try sides.from.workout(place) { try compareDisappeared(before) }
        }
        impacts.sort { ($0.start, $0.identity) < ($1.start, $1.identity) }
    }

    // MARK: - One workout

    private mutating func compare(_ before: WorkoutReader.Workout?, _ after: WorkoutReader.Workout) throws {
        let groups = times.groups(in: after.facts.interval, Set(WorkoutReader.types(of: after.facts)))
        guard let before, try !isTouched(before, after, groups) else {
            return try compareTouched(before, after, groups)
        }
        // Equal records, statements and parameters give equal figures; the days need the stress.
        let samples = try sides.to.samples(of: after, only: WorkoutStress.types)
        let stress = try WorkoutStress(after.facts, samples, sides.to.athlete(of: after.place))
        noteSparse(after, samples.readings(.heartRate)?.count ?? 0, stress.active)
        note(try count(before, stress, after, stress, restored: stress))
    }

    /// Whether anything that the figures follow from differs.
    private func isTouched(
        _ before: WorkoutReader.Workout, _ after: WorkoutReader.Workout, _ groups: WorkoutImpact.Groups
    ) throws -> Bool {
        try before.facts != after.facts || groups.count > 0 || times.hasChanges(in: after.facts.interval)
            || sides.from.unavailable.keys != sides.to.unavailable.keys
            || sides.from.athlete(of: before.place) != sides.to.athlete(of: after.place)
    }

    /// Notes a workout of the later observation with at most one heart rate a minute.
    private mutating func noteSparse(_ workout: WorkoutReader.Workout, _ count: Int, _ active: ActiveTime) {
        if count > 0, Double(count) <= active.activeSeconds / 60 { sparsePlaces.append(workout.place) }
    }

    private mutating func compareTouched(
        _ before: WorkoutReader.Workout?, _ after: WorkoutReader.Workout, _ groups: WorkoutImpact.Groups
    ) throws {
        let truth = try sides.to.truth(of: after)
        let earlier = try before.map { try sides.from.truth(of: $0) }
        let restored = groups.restorable > 0 ? try sides.restored.truth(of: after) : truth
        let share = try count(before, earlier?.load, after, truth.load, restored: restored.load)
        note(
            share, stress: share.stressDiffers ? sides.causes(of: .tss, before, after, earlier, restored, groups) : [],
            power: share.powerDiffers
                ? sides.causes(of: .best20minPower, before, after, earlier, restored, groups) : [])
        if groups.restorable > 0 { consolidatedDays.insert(Int64(sides.to.day(of: after.place))) }
        noteSparse(after, truth.samples.readings(.heartRate)?.count ?? 0, truth.active)
        var found: [ImpactFigure] = []
        for figure in allFigures {
            guard
                var value = figure == .triggers
                    ? try triggers(after, earlier, truth, restored)
                    : figure.figure(earlier, truth, restored: restored)
            else { continue }
            value.isUncertain = sides.isPartial
            if value.before != nil, value.after != nil {
                compared[figure, default: 0] += 1
                if groups.restorable > 0 { consolidated[figure, default: 0] += 1 }
            }
            if value.isChanged {
                if value.differsOtherwise {
                    value.causes = sides.causes(of: figure, before, after, earlier, restored, groups)
                }
                figures[figure, default: []].append(value)
            }
            found.append(value)
        }
        guard !found.changed.isEmpty else { return }
        impacts.append(
            WorkoutImpact(
                identity: after.identity, start: after.facts.interval.start, activity: after.facts.activity,
                groups: groups, figures: found))
    }

    private mutating func compareDisappeared(_ before: WorkoutReader.Workout) throws {
        let truth = try sides.from.truth(of: before)
        note(try count(before, truth.load, nil, nil, restored: nil))
        let found = WorkoutFigure.ofWorkouts.map { figure in
            var value = figure.figure(truth, nil, restored: nil)
            if value.isChanged { value.causes = sides.disappearance }
            value.isUncertain = sides.isPartial
            return value
        }
        impacts.append(
            WorkoutImpact(
                identity: before.identity, start: before.facts.interval.start, activity: before.facts.activity,
                groups: .init(), figures: found))
    }

    private var allFigures: [WorkoutFigure] { scripts == nil ? WorkoutFigure.ofWorkouts : WorkoutFigure.allCases }

    /// How many messages of the workout's script fire otherwise; nil without a script, and for a new workout.
    private func triggers(
        _ after: WorkoutReader.Workout, _ earlier: WorkoutTruth?, _ truth: WorkoutTruth, _ restored: WorkoutTruth
    ) throws -> ImpactFigure? {
        guard let earlier else { return nil }
        return scripts?.figure(after.place, earlier, truth, restored: restored, timeZone: sides.to.zone(of: after).zone)
    }

    // MARK: - Its day

    /// What a workout adds to its day on both sides; nil where it is not there, or a duplicate counts in its stead.
    private struct Share {
        var before: DailyWorkout?
        var restored: DailyWorkout?

        var stressDiffers: Bool {
            before?.day != restored?.day || before?.stress.value != restored?.stress.value
        }
        var powerDiffers: Bool { before?.bestPower != restored?.bestPower }
    }

    /// Counts a workout among those of its day on both sides.
    private mutating func count(
        _ before: WorkoutReader.Workout?, _ earlier: WorkoutStress?, _ after: WorkoutReader.Workout?,
        _ later: WorkoutStress?, restored: WorkoutStress?
    ) throws -> Share {
        var share = Share()
        if let before, let earlier, try sides.from.primary(of: before) == nil {
            let load = try WorkoutLoads.load(of: before, earlier, sides.from)
            loads.before.append(load)
            share.before = load
        }
        guard let after, let later, let restored, try sides.to.primary(of: after) == nil else { return share }
        loads.after.append(try WorkoutLoads.load(of: after, later, sides.to))
        let load = try WorkoutLoads.load(of: after, restored, sides.to)
        loads.restored.append(load)
        share.restored = load
        return share
    }

    /// Notes why what a workout adds to its day differs; the causes are those of a workout that both sides count.
    private mutating func note(_ share: Share, stress: Set<ImpactCause> = [], power: Set<ImpactCause> = []) {
        for day in Set([share.before?.day, share.restored?.day].compactMap(\.self)) {
            for (figure, differs, causes) in [
                (DayFigure.tss, share.stressDiffers, stress), (.eftp, share.powerDiffers, power),
            ] where differs {
                let found =
                    share.before == nil ? sides.appearance : share.restored == nil ? sides.disappearance : causes
                dayCauses[day, default: [:]][figure, default: []].formUnion(found)
            }
        }
    }

    // MARK: - All workouts

    /// What consolidation did to each figure.
    var summary: [ImpactSummary] {
        allFigures.map { figure in
            ImpactSummary(
                figure.rawValue, of: .workouts, figures[figure] ?? [], compared: compared[figure] ?? 0,
                consolidated: consolidated[figure] ?? 0, isResolution: figure.isResolution)
        }
    }
}
