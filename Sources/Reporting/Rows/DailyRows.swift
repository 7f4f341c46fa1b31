internal import ArchiveAggregating
internal import ArchiveRows
package import DailyReading
package import HealthMetrics
package import TextFormats
package import WorkoutReading

extension DailyAnswer {
    /// The answer as lines of JSON, one a day.
    package func lines(_ line: (DailyMetrics) -> JSON) -> [UInt8] {
        let out = ByteBuffer()
        for day in days { out.append(line: line(day)) }
        return out.view.array
    }

    /// The answer as CSV: a heading, and a row a day.
    ///
    /// - Parameter forTerminal: show what a terminal could obey instead of handing it on.
    package func csv(_ columns: [String], forTerminal: Bool, _ row: (DailyMetrics) -> JSON) -> [UInt8] {
        var writer = CSVWriter(guardsFormulas: true)
        writer.appendRow(columns)
        for day in days { writer.append(row(day), columns, forTerminal: forTerminal) }
        return writer.bytes
    }
}

extension DailyAnswer {
    /// The line of a day of `metrics daily --json`.
    package func line(_ day: DailyMetrics) -> JSON {
        let line = JSON.line(
            "metrics",
            [
                "date": LocalDate.text(day: day.day), "zone": zone.name, "physio": day.physioRow(lastUpdated),
                "load": day.loadRow(lastUpdated),
                "scores": day.scoresRow(lastUpdated), "quality": Rounding.score.json(day.features.quality),
                "labels": labels(of: day).json,
            ])
        let more: JSON.Members = [
            "observation": observation.id, "state": state.rawValue, "definitionsVersion": Metrics.definitionsVersion,
            "settingsSHA256": settingsSHA256,
        ]
        guard let totals else { return line.adding(more) }
        return line.adding(["totals": totals[day.day] ?? DailyTotals()]).adding(more)
    }

    /// The labels of a day and of its totals.
    func labels(of day: DailyMetrics) -> Set<Label> { day.labels.union(totals?[day.day]?.labels ?? []) }

    /// The line of a day of `metrics features --json`.
    package func featureLine(_ day: DailyMetrics) -> JSON {
        let date = LocalDate.text(day: day.day)
        let features = JSON.object(
            DailyFeatures.Name.allCases.map { name in
                // The day of the week is a number of its own kind: whole, and never rounded.
                (name.rawValue, name.rounding.json(day.features[name]))
            })
        return .line(
            "metrics",
            [
                "id": featureID(date: date), "date": date, "features": features,
                "dataQualityScore": Rounding.score.json(day.features.quality),
                "isValidTrainingData": day.features.isValid,
                "targetRecoveryScore": Rounding.score.json(day.scores.recovery), "targetReadinessScore": nil,
                "actualRecoveryScore": nil, "actualReadinessScore": nil, "predictionError": nil,
                "predictionConfidence": nil, "modelVersion": "none", "trainingPhase": "baseline",
                "createdAt": lastUpdated, "lastUpdated": lastUpdated, "observation": observation.id,
                "state": state.rawValue,
                "definitionsVersion": Metrics.definitionsVersion, "settingsSHA256": settingsSHA256,
            ])
    }

    private var lastUpdated: JSON { .instant(observation.observedAt) }

    /// The columns of `metrics daily --csv`: the members of a line in their order, those of inner objects without the
    /// object's name.
    package var columns: [String] {
        let day = [
            "date", "zone", "hrv", "hrvBaseline", "rhr", "rhrBaseline", "sleepDuration", "sleepBaseline", "hrvCount",
            "hrvRmssd", "sleepSource", "sleepUnion", "inBed", "naps", "lastUpdated", "ctl", "atl", "tsb", "tss", "eftp",
            "workoutId", "workoutName", "workoutType", "form", "trimp", "tssMethod", "tssMissing", "ctlConfidence",
            "workouts", "recoveryScore", "recoveryBand", "sleepScore", "strainScore", "effortTarget", "aiBriefText",
            "scoreVersion", "quality", "labels",
        ]
        let totals = totals == nil ? [] : DailyTotals().cells.map(\.0)
        return day + totals + ["observation", "state", "definitionsVersion", "settingsSHA256"]
    }

    /// The row of a day of `metrics daily --csv`.
    package func row(_ day: DailyMetrics) -> JSON {
        .object(
            line(day).members.flatMap { name, value in
                switch name {
                case "physio", "load", "scores": value.members
                case "totals": (totals?[day.day] ?? DailyTotals()).cells
                default: [(name, value)]
                }
            })
    }

    /// The columns of `metrics features --csv`.
    package static let featureColumns =
        ["id", "date"] + DailyFeatures.Name.allCases.map(\.rawValue) + [
            "dataQualityScore", "isValidTrainingData", "targetRecoveryScore", "targetReadinessScore",
            "actualRecoveryScore", "actualReadinessScore", "predictionError", "predictionConfidence", "modelVersion",
            "trainingPhase", "createdAt", "lastUpdated", "observation", "state", "definitionsVersion", "settingsSHA256",
        ]

    /// The row of a day of `metrics features --csv`.
    package func featureRow(_ day: DailyMetrics) -> JSON {
        .object(featureLine(day).members.flatMap { $0.0 == "features" ? $0.1.members : [$0] })
    }
}

extension DailyMetrics {
    fileprivate func physioRow(_ lastUpdated: JSON) -> JSON {
        func measure(_ value: Double?) -> JSON { Rounding.measure.json(value) }
        return .row([
            "hrv": measure(physio.hrv), "hrvBaseline": measure(physio.hrvBaseline), "rhr": measure(physio.rhr),
            "rhrBaseline": measure(physio.rhrBaseline), "sleepDuration": measure(physio.sleepDuration),
            "sleepBaseline": measure(physio.sleepBaseline), "hrvCount": physio.hrvCount,
            "hrvRmssd": measure(physio.hrvRmssd), "sleepSource": physio.sleepSource,
            "sleepUnion": measure(physio.sleepUnion), "inBed": measure(physio.inBed), "naps": measure(physio.naps),
            "lastUpdated": lastUpdated,
        ])
    }

    fileprivate func loadRow(_ lastUpdated: JSON) -> JSON {
        func score(_ value: Double?) -> JSON { Rounding.score.json(value) }
        return .row([
            "ctl": score(load?.ctl), "atl": score(load?.atl), "tsb": score(load?.tsb), "tss": score(stress?.tss),
            "eftp": Rounding.measure.json(thresholdPower), "workoutId": stress?.workoutID,
            "workoutName": stress?.workoutName, "workoutType": stress?.workoutType, "form": score(load?.form),
            "trimp": score(stress?.trimp), "tssMethod": stress?.method?.rawValue, "tssMissing": stress?.missing,
            "ctlConfidence": score(load?.confidence), "workouts": stress?.count, "lastUpdated": lastUpdated,
        ])
    }

    fileprivate func scoresRow(_ lastUpdated: JSON) -> JSON {
        func score(_ value: Double?) -> JSON { Rounding.score.json(value) }
        return .row([
            "recoveryScore": score(scores.recovery), "recoveryBand": scores.band?.rawValue,
            "sleepScore": score(scores.sleep), "strainScore": score(scores.strain),
            "effortTarget": score(scores.effortTarget), "aiBriefText": nil, "scoreVersion": DailyScores.version,
            "lastUpdated": lastUpdated,
        ])
    }
}

extension DailyTotals: JSONConvertible {
    package var json: JSON {
        .object(
            Kind.allCases.map { kind in
                let total = self[kind]
                var row = JSON.row([
                    "value": Rounding.measure.json(total?.value), "unit": kind.unit,
                    "naiveSum": Rounding.measure.json(total?.naiveSum),
                    "sources": (total?.sources ?? []).map {
                        JSON.row(["sourceName": $0.sourceName, "sum": Rounding.measure.json($0.sum)])
                    },
                ])
                if kind == .energy { row = row.adding(["activitySummary": Rounding.measure.json(ringEnergy)]) }
                return (kind.rawValue, row)
            })
    }
}

extension DailyTotals {
    /// The members of `json` as columns of one row: `steps` for the value, `stepsUnit` and so on for the others.
    fileprivate var cells: [(String, JSON)] {
        json.members.flatMap { kind, total in
            total.members.map { name, value in
                (name == "value" ? kind : kind + name.prefix(1).uppercased() + name.dropFirst(), value)
            }
        }
    }
}

/// The answer of `metrics definitions`.
package enum DefinitionRows {
    /// The line of `metrics definitions --json`.
    ///
    /// - Parameter reader: of the observation that shows what the settings do not say; nil without an archive.
    package static func line(_ settings: AthleteSettings, _ reader: WorkoutReader?) -> JSON {
        let effective = reader?.effectiveSettings ?? settings
        return .line(
            "definitions",
            [
                "definitionsVersion": Metrics.definitionsVersion, "scoreVersion": DailyScores.version,
                "settingsSHA256": settings.sha256,
                "parameters": JSON.object(Definition.parameters(settings).map { ($0.name, .double($0.value)) }),
                "settings": settings.json, "observation": reader?.observation.id, "state": reader?.state.rawValue,
                "sex": (effective.sex ?? .unset).rawValue,
                "birthDate": effective.birthDay.map { LocalDate.text(day: Int64($0)) },
                "definitions": Definition.all.map {
                    JSON.row(["name": $0.name, "unit": $0.unit, "formula": $0.formula, "source": $0.source])
                },
            ])
    }
}
