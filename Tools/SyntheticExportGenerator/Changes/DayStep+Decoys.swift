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
            guard members.count >= 3, var result = merged(members, kind: 1) else { continue }
            let total = members.reduce(0) { $0 + $1.value }
            result.value = type.isCumulative ? total : total / Double(members.count)
            if otherSource {
                result.source = .sportsApp
                result.version = phone.version(of: .sportsApp, day: day)
            } else {
                // Far outside what precision or a mean could explain: for heart rate above every sample.
                result.value = type.isCumulative ? total * 0.83 : (members.map(\.value).max() ?? 0) + 25
            }
            put(decoy: result, kind, inPlaceOf: members)
        }
    }

    /// Replaces the stages of a night by one record: a category is never consolidated.
    mutating func decoyCategory(_ share: Double) {
        let stages = samples.filter { $0.source.isWatch && !$0.isFrozen }.byStart
        guard stages.count >= 3, chance("decoy-night", stages[0]) < share, var night = merged(stages, kind: 1) else {
            return
        }
        night.value = Double(SampleCatalog.asleepUnspecified)
        put(decoy: night, "category", inPlaceOf: stages)
    }

    private mutating func put(decoy: Sample, _ kind: String, inPlaceOf members: [Sample]) {
        var decoy = decoy
        decoy.isFrozen = true
        let ids = members.map(\.id)
        put(decoy, inPlaceOf: ids, cause: "decoy")
        notes.decoys.append(StepNotes.Decoy(kind: kind, removed: ids, added: [decoy.id]))
    }

    private func decoyWorkouts(_ purpose: String, _ share: Double) -> [SimulatedWorkout] {
        condensableWorkouts().filter { chance(purpose, $0) < share }
    }
}
