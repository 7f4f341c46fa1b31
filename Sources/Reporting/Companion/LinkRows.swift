package import Basics
internal import HealthModel
internal import Store
package import Training

extension JoinReport {
    /// The line of `companion join --json`.
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

extension DriftReport {
    /// The line of `companion drift --json`.
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

    private static func json(_ value: CachedComparison, _ cause: Cause?) -> JSON {
        let rounding = value.rounding
        let truth: JSON =
            value.name == .distance
            ? rounding.json(value.truth)
            : .row(["active": rounding.json(value.truth), "elapsed": rounding.json(value.elapsedTruth)])
        return .row([
            "cached": value.cached, "truth": truth, "difference": rounding.json(value.difference),
            "verdict": value.verdict.rawValue, "matches": value.matches?.rawValue, "cause": cause?.rawValue,
        ])
    }
}
