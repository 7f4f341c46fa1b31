package import ArchiveRows
package import Companion
internal import HealthMetrics
package import HealthModel
package import TextFormats
package import WorkoutReading

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

    package var json: JSON {
        .line(
            "companionJoin",
            [
                "definitionsVersion": Metrics.definitionsVersion, "settingsSHA256": settingsSHA256,
                "observation": observation.json, "runs": runs.map { Self.json($0.run, $0.truth) },
                "warnings": withoutRun.map { JSON.row(["code": "keyWithoutRun", "workout": $0.hex]) },
            ])
    }

    private static func json(_ linked: WorkoutReader.LinkedRun, _ truth: CachedTruth?) -> JSON {
        let (link, facts) = (linked.link, linked.workout?.facts)
        func counts(_ instants: [Double]) -> JSON? {
            guard facts != nil else { return nil }
            let inside = link.countInside(instants)
            return .row(["inside": inside, "outside": instants.count - inside])
        }
        return .row([
            "id": link.run.id, "link": link.kind.rawValue, "workout": link.workout?.identity,
            "candidates": link.candidates.map(\.identity), "labels": link.labels.json,
            "startDate": JSON.instant(facts?.interval.start), "endDate": JSON.instant(facts?.interval.end),
            "activity": facts?.activity, "distance": Rounding.measure.json(truth?.distance),
            "activeSeconds": Rounding.measure.json(truth?.activeSeconds),
            "elapsedSeconds": Rounding.measure.json(truth?.elapsedSeconds), "notes": counts(link.run.notes),
            "plays": counts(link.run.plays.map(\.playedAt)),
        ])
    }
}

/// The cached values of a companion file's runs beside what each observation shows.
package struct DriftReport {
    /// One run in one observation.
    package struct Row {
        package var observation: Int64
        package var workout: String
        package var values: [(value: CachedComparison, cause: String?)]
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
                        return (value, restored.verdict == .agrees ? "consolidated" : "notInferred")
                    }))
        }
    }

    /// Since which observation some value of a run has differed; nil where none does now.
    package static func staleSince(_ rows: [Row]) -> Int64? {
        Drift.staleSince(rows.map { ($0.observation, $0.values.map(\.value)) })
    }

    package var json: JSON {
        .line(
            "companionDrift",
            [
                "definitionsVersion": Metrics.definitionsVersion, "settingsSHA256": settingsSHA256,
                "runs": runs.map { run, rows in
                    JSON.row([
                        "id": run.id, "staleSince": Self.staleSince(rows),
                        "observations": rows.map { row in
                            JSON.row(["observation": row.observation, "workout": row.workout]).adding(
                                row.values.map { ($0.value.name.rawValue, Self.json($0.value, $0.cause)) })
                        },
                    ])
                },
            ])
    }

    private static func json(_ value: CachedComparison, _ cause: String?) -> JSON {
        let rounding = value.name == .pace ? Rounding.pace : .measure
        let truth: JSON =
            value.name == .distance
            ? rounding.json(value.truth)
            : .row(["active": rounding.json(value.truth), "elapsed": rounding.json(value.elapsedTruth)])
        return .row([
            "cached": value.cached, "truth": truth, "difference": rounding.json(value.difference),
            "verdict": value.verdict.rawValue, "matches": value.matches?.rawValue, "cause": cause,
        ])
    }
}
