internal import HealthModel
package import Questions
package import Store

/// A replay with the workout and the observation that it is of.
package struct ReplaySide {
    package var observation: Observation
    package var state: WorkoutState
    /// The workout's identity; nil where the observation does not show it.
    package var workout: String?
    package var answer: ReplayAnswer?

    /// Plays a script in the workout at a place; nil where there is none.
    fileprivate init(_ reader: WorkoutReader, _ place: Int?, _ question: ReplayQuestion) throws {
        (observation, state) = (reader.observation, reader.state)
        guard let finding = try place.map({ try reader.finding($0) }) else { return }
        workout = finding.workout.identity.hex
        answer = question.answer(finding.truth, timeZone: finding.zone)
    }
}

/// A replay of one script: in one observation, or in two with the later one's finest state as a third.
package struct ReplayReport {
    package var question: ReplayQuestion
    package var settingsSHA256: String
    /// One side, or two.
    package var sides: [ReplaySide]
    /// The later side at its finest state; nil where it was not asked for.
    package var finest: ReplaySide?

    /// What became of each message from the first side to another; empty where one of them has no workout.
    package func changes(to side: ReplaySide?) -> [MessageChange] {
        guard let before = sides.first?.answer?.replay, let after = side?.answer?.replay else { return [] }
        return after.changes(since: before, question.messages)
    }
}

extension ReplayReport {
    /// Plays a script in a workout as one observation shows it.
    ///
    /// - Throws: `unknownWorkout`, `ambiguousWorkout`.
    package static func read(
        _ snapshot: Snapshot, _ question: ReplayQuestion, in target: ReplayTarget, at observation: Observation,
        _ settings: AthleteSettings, state: WorkoutState
    ) throws -> ReplayReport {
        let reader = try WorkoutReader(snapshot, at: observation, settings, state: state)
        defer { reader.close() }
        guard let place = try reader.place(of: target) else { throw unknown(observation) }
        return ReplayReport(
            question: question, settingsSHA256: settings.sha256, sides: [try ReplaySide(reader, place, question)])
    }

    /// Plays a script in a workout as two observations show it.
    ///
    /// - Parameter state: `finest` adds what the archive restores at the later one.
    /// - Throws: `unknownWorkout` where neither shows it, `ambiguousWorkout`.
    package static func read(
        _ snapshot: Snapshot, _ question: ReplayQuestion, in target: ReplayTarget, from: Observation, to: Observation,
        _ settings: AthleteSettings, state: WorkoutState
    ) throws -> ReplayReport {
        let readers = try [from, to].map { try WorkoutReader(snapshot, at: $0, settings) }
        defer { for reader in readers { reader.close() } }
        var places = try readers.map { try $0.place(of: target) }
        // The workout that one side names is looked for on the other.
        for (side, other) in [(0, 1), (1, 0)] where places[side] == nil || target.isNamed && side == 0 {
            guard let place = places[other] else { continue }
            places[side] = try readers[side].place(continuing: readers[other].index.entries[place])
        }
        guard places.contains(where: { $0 != nil }) else { throw unknown(to) }
        let sides = try zip(readers, places).map { try ReplaySide($0, $1, question) }
        var report = ReplayReport(question: question, settingsSHA256: settings.sha256, sides: sides)
        if state == .finest {
            let reader = try WorkoutReader(snapshot, at: to, settings, state: .finest)
            defer { reader.close() }
            report.finest = try ReplaySide(reader, places[1], question)
        }
        return report
    }

    private static func unknown(_ observation: Observation) -> HealthProbeError {
        HealthProbeError(
            .unknownWorkout, "Observation \(observation.id) shows no such workout.",
            hint: "healthprobe companion join lists the workouts of runs, healthprobe workouts all.")
    }
}

extension ReplayTarget {
    /// Whether a person named the workout, which may be another one on each side: `latest` is that of the later one.
    fileprivate var isNamed: Bool { if case .workout = self { true } else { false } }
}
