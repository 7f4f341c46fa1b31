/// What a workout of an observation offers to be recognised by.
package struct LinkableWorkout: Equatable, Sendable {
    package var identity: String
    package var interval: Interval
    /// The values that the workout and its activities have for each link key, in the order of the keys.
    package var linkValues: [Set<String>]
    /// The UUIDs of condensed series that belong to the workout.
    package var condenserUUIDs: Set<String>
    /// Nil where the workout does not say.
    package var isIndoor: Bool?

    package init(
        identity: String, interval: Interval, linkValues: [Set<String>] = [], condenserUUIDs: Set<String> = [],
        isIndoor: Bool? = nil
    ) {
        self.identity = identity
        self.interval = interval
        self.linkValues = linkValues.map { Set($0.map { $0.lowercased() }) }
        self.condenserUUIDs = Set(condenserUUIDs.map { $0.lowercased() })
        self.isIndoor = isIndoor
    }
}

/// Which workout of an observation a run of a companion file is.
package struct RunLink: Equatable, Sendable {
    package enum Kind: String, Sendable, CaseIterable {
        /// The workout's metadata has the run's id.
        case metadataKey
        /// Condensed series of the workout carry the run's HealthKit UUID.
        case condenserUUID
        /// Start and end agree, and those of no other workout do.
        case time
        case ambiguous
        case none
    }

    package var run: CompanionRun
    package var kind: Kind
    /// The workout; nil where there is none, or not one alone.
    package var workout: LinkableWorkout?
    /// The workouts that an ambiguous run may be; empty otherwise.
    package var candidates: [LinkableWorkout] = []

    /// By how many seconds start and end may differ.
    private static let tolerance = 2.0

    /// The links of all runs of a file.
    package static func all(_ runs: [CompanionRun], _ workouts: [LinkableWorkout]) -> [RunLink] {
        let links = runs.map { RunLink($0, workouts) }
        var uses: [String: Int] = [:]
        for link in links { if let identity = link.workout?.identity { uses[identity, default: 0] += 1 } }
        return links.map { link in
            // Two runs cannot be one workout, and nothing says which of them it is.
            guard let workout = link.workout, uses[workout.identity] != 1 else { return link }
            return RunLink(run: link.run, kind: .ambiguous, candidates: [workout])
        }
    }

    /// How many of some instants lie in the workout.
    package func countInside(_ instants: [Double]) -> Int {
        guard let interval = workout?.interval else { return 0 }
        return instants.count { interval.contains($0) }
    }

    /// What the run and the workout contradict each other in.
    package var labels: Set<Label> {
        guard let workout else { return [] }
        var labels: Set<Label> = []
        if let isIndoor = workout.isIndoor, isIndoor != run.isTreadmill { labels.insert(.runTypeDisagrees) }
        if countInside(run.plays.map(\.playedAt)) < run.plays.count { labels.insert(.playedOutsideWorkout) }
        return labels
    }
}

extension RunLink {
    /// The first way that finds a workout decides; several that it finds are ambiguous.
    private init(_ run: CompanionRun, _ workouts: [LinkableWorkout]) {
        let id = run.id.lowercased()
        for key in 0..<(workouts.map(\.linkValues.count).max() ?? 0) {
            let found = workouts.filter { key < $0.linkValues.count && $0.linkValues[key].contains(id) }
            if !found.isEmpty {
                self.init(run, found, .metadataKey)
                return
            }
        }
        if let uuid = run.workoutUUID?.lowercased() {
            let found = workouts.filter { $0.condenserUUIDs.contains(uuid) }
            if !found.isEmpty {
                self.init(run, found, .condenserUUID)
                return
            }
        }
        let found = workouts.filter { workout in
            guard let end = run.endedAt else { return false }
            return abs(workout.interval.start - run.startedAt) <= Self.tolerance
                && abs(workout.interval.end - end) <= Self.tolerance
        }
        self.init(run, found, .time)
    }

    private init(_ run: CompanionRun, _ found: [LinkableWorkout], _ kind: Kind) {
        switch found.count {
        case 0: self.init(run: run, kind: .none)
        case 1: self.init(run: run, kind: kind, workout: found[0])
        default: self.init(run: run, kind: .ambiguous, candidates: found)
        }
    }
}
