extension DayStep {
    /// Deletes some samples of a workout; nothing takes their place.
    mutating func decoyDelete(_ share: Double) {
        for workout in decoyWorkouts("decoy-delete", share) {
            let ids = members(of: workout).filter { chance("decoy-member", $0) < 0.6 }.map(\.id)
            guard !ids.isEmpty else { continue }
            remove(ids, cause: "decoyDelete")
            notes.decoys.append(StepNotes.Decoy(kind: "deletion", removed: ids, added: []))
        }
    }

    /// Replaces the samples of a workout by one of another source with the right total, or of the same with a wrong one.
    mutating func decoyReplace(_ share: Double, otherSource: Bool) {
        let kind = otherSource ? "otherSource" : "wrongTotal"
        for workout in decoyWorkouts("decoy-" + kind, share) {
            let members = members(of: workout)
            guard members.count >= 3, var result = members.first else { continue }
            let ids = members.map(\.id)
            let total = members.reduce(0) { $0 + $1.value }
            result.id = derivedId(result.id, kind: 1)
            result.end = members.reduce(result.end) { max($0, $1.end) }
            result.value = type.isCumulative ? total : total / Double(members.count)
            result.isFrozen = true
            if otherSource {
                result.source = .sportsApp
                result.version = phone.version(of: .sportsApp, day: day)
            } else {
                // Far outside what precision or a mean could explain: for heart rate above every sample.
                result.value = type.isCumulative ? total * 0.83 : (members.map(\.value).max() ?? 0) + 25
            }
            renew(&result)
            remove(ids, cause: "decoy")
            notes.causes[result.id] = "decoy"
            samples.append(result)
            notes.decoys.append(StepNotes.Decoy(kind: kind, removed: ids, added: [result.id]))
        }
    }

    /// Replaces the stages of a night by one record: a category is never consolidated.
    mutating func decoyCategory(_ share: Double) {
        guard type.identifier.hasSuffix("SleepAnalysis") else { return }
        let stages = samples.filter { $0.source.isWatch && !$0.isFrozen }.sorted {
            ($0.start, $0.id) < ($1.start, $1.id)
        }
        guard stages.count >= 3, var night = stages.first, chance("decoy-night", night) < share else { return }
        let ids = stages.map(\.id)
        night.id = derivedId(night.id, kind: 1)
        night.end = stages.reduce(night.end) { max($0, $1.end) }
        night.value = Double(SampleCatalog.asleepUnspecified)
        night.isFrozen = true
        renew(&night)
        remove(ids, cause: "decoy")
        notes.causes[night.id] = "decoy"
        samples.append(night)
        notes.decoys.append(StepNotes.Decoy(kind: "category", removed: ids, added: [night.id]))
    }

    private func members(of workout: SimulatedWorkout) -> [Sample] {
        samples.filter { $0.workout == workout.number && $0.series == nil && !$0.isFrozen }
            .sorted { ($0.start, $0.id) < ($1.start, $1.id) }
    }

    private func decoyWorkouts(_ purpose: String, _ share: Double) -> [SimulatedWorkout] {
        guard type.isCondensable else { return [] }
        return condensableWorkouts().filter { chance(purpose, $0) < share }
    }
}
