package import HealthModel
package import Store

/// The runs of a companion file with their workouts in one observation.
package struct JoinReport {
    package var observation: Observation
    package var settingsSHA256: String
    package var runs: [(run: WorkoutReader.LinkedRun, truth: CachedTruth?)]
    /// The workouts whose link key names no run of the file.
    package var withoutRun: [Digest256]

    /// Reads the links.
    package init(_ reader: WorkoutReader, _ file: CompanionFile) throws {
        observation = reader.observation
        settingsSHA256 = reader.settings.sha256
        let links = try reader.links(of: file)
        runs = try links.runs.map { run in (run, try run.workout.map { try reader.cachedTruth(of: $0) }) }
        withoutRun = links.withoutRun
    }
}

/// The cached values of a companion file's runs beside what each observation shows.
package struct DriftReport {
    /// Why a value differs, as far as the finest state says.
    package enum Cause: String {
        case consolidated, notInferred
    }

    /// One run in one observation.
    package struct Row {
        package var observation: Int64
        package var workout: String
        package var values: [(value: CachedComparison, cause: Cause?)]
    }

    package var settingsSHA256: String
    /// The runs in their order, with the observations that show their workouts.
    package private(set) var runs: [(run: CompanionRun, rows: [Row])]

    package init(_ file: CompanionFile, settingsSHA256: String) {
        self.settingsSHA256 = settingsSHA256
        runs = file.runs.map { ($0, []) }
    }

    /// Adds what an observation shows; of a value that differs, the finest state says whether consolidation is the cause.
    package mutating func add(_ reader: WorkoutReader, finest: WorkoutReader, _ file: CompanionFile) throws {
        for (index, linked) in try reader.links(of: file).runs.enumerated() {
            guard let workout = linked.workout else { continue }
            let run = linked.link.run
            let values = CachedComparison.all(run, try reader.cachedTruth(of: workout))
            let differs = values.contains { $0.verdict == .differs }
            let restored = differs ? CachedComparison.all(run, try finest.cachedTruth(of: workout)) : values
            runs[index].rows.append(
                Row(
                    observation: reader.observation.id, workout: workout.identity.hex,
                    values: zip(values, restored).map { value, restored in
                        guard value.verdict == .differs else { return (value, nil) }
                        return (value, restored.verdict == .agrees ? Cause.consolidated : .notInferred)
                    }))
        }
    }

    /// Since which observation some value of a run has differed; nil where none does now.
    package static func staleSince(_ rows: [Row]) -> Int64? {
        Drift.staleSince(rows.map { ($0.observation, $0.values.map(\.value)) })
    }
}
