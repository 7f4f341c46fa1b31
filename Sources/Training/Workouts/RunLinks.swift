package import HealthModel
internal import Store

extension WorkoutReader {
    /// A run of a companion file with the workout of the observation that it is.
    package struct LinkedRun: Sendable {
        package var link: RunLink
        /// Nil where no workout, or none alone, is the run's.
        package var workout: Workout?
    }

    /// Which of the observation's workouts the runs of a companion file are.
    ///
    /// - Returns: the runs in their order, and the identities of workouts whose link key names no run of the file.
    package func links(of file: CompanionFile) throws -> (runs: [LinkedRun], withoutRun: [Digest256]) {
        let keys = Self.linkKeys(file, settings)
        let ids = Set(file.runs.map { $0.id.lowercased() })
        var workouts: [LinkableWorkout] = []
        var named: Set<String> = []
        var withoutRun: [Digest256] = []
        for place in index.entries.indices {
            guard let workout = try workout(place) else { continue }
            let values = keys.map {
                Set(Self.links(of: workout.row.metadata, workout.row.item?["children"], keys: [$0]))
            }
            let all = Set(values.joined().map { $0.lowercased() })
            named.formUnion(all)
            if !all.isEmpty, all.isDisjoint(with: ids) { withoutRun.append(workout.identity) }
            workouts.append(
                LinkableWorkout(
                    identity: workout.identity.hex, interval: workout.facts.interval, linkValues: values,
                    isIndoor: workout.facts.isIndoor))
        }
        for run in file.runs where !named.contains(run.id.lowercased()) {
            guard let uuid = run.workoutUUID else { continue }
            for place in try self.places(ofCondenser: uuid.uppercased()) {
                let identity = index.entries[place].identity.hex
                if let found = workouts.firstIndex(where: { $0.identity == identity }) {
                    workouts[found].condenserUUIDs.insert(uuid.lowercased())
                }
            }
        }
        let runs = try RunLink.all(file.runs, workouts).map { link in
            let place = try link.workout.flatMap { Digest256(hex: $0.identity) }.flatMap {
                try counting(index.places(of: $0))
            }
            return LinkedRun(link: link, workout: try place.flatMap { try workout($0) })
        }
        return (runs, withoutRun)
    }

    /// The keys of the file and of the settings, else the usual ones.
    private static func linkKeys(_ file: CompanionFile, _ settings: AthleteSettings) -> [String] {
        let named = (file.linkKey.map { [$0] } ?? []) + (settings.linkKeys ?? [])
        return named.isEmpty ? AthleteSettings.usualLinkKeys : named
    }

    /// What the observation shows of a workout, as far as apps cache it.
    package func cachedTruth(of workout: Workout) throws -> CachedTruth {
        let active = Pauses(workout.facts).activeTime(workout.facts.interval)
        return CachedTruth(
            distance: try distance(of: workout), activeSeconds: active.activeSeconds,
            elapsedSeconds: active.elapsedSeconds)
    }

    /// Statistics answer without the records.
    private func distance(of workout: Workout) throws -> Double? {
        let type = ActivityTable.shared.distanceType(of: workout.facts)
        return try DistanceFigures.apple(workout.facts, type) ?? truth(of: workout).distance.value
    }
}
