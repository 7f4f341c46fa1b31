package import Basics
internal import Days
internal import Presentation
internal import Store
package import Training

extension DailyAnswer {
    /// What `metrics daily` says of a day. Meanings and units of computed values are those of `Definition`.
    package static let columns = Columns<DailyMetrics, DailyAnswer>("metrics") {
        Figure("date", .day, "The local day.") { LocalDate.text(day: $0.row.day) }
            .shown(
                .exact("Day"),
                link: { .init("day", ["date": LocalDate.text(day: $0.row.day), "at": "\($0.answer.observation.id)"]) }
            ) { LocalDate.text(day: $0.row.day) }
        Figure("zone", .text, "The zone of the days.") { $0.answer.zone.name }
        physio
        load
        scores
        Figure(computed: "quality", .score, optional: false) { $0.row.features.quality }
        Figure("labels", .labels, "Remarks on the day's values.") { $0.answer.labels(of: $0.row).json }
            .shown(.left("Labels", leftOut: 1), .last) {
                $0.answer.labels(of: $0.row).subtracting($0.answer.labelsToldOnce).ordered.map(\.rawValue).joined(
                    separator: ", ")
            }
        DailyTotals.Kind.allCases.flatMap(totals)
        Figure("observation", .count, "The observation.") { $0.answer.observation.id }
        Figure("state", .choice(["visible", "finest"]), "Which records are read.") { $0.answer.state.rawValue }
        definitions
    }

    /// What `metrics features` says of a day.
    package static let featureColumns = Columns<DailyMetrics, DailyAnswer>("metrics") {
        Figure("id", .text, "The day of this phone's history, as a pseudonym.") {
            $0.answer.featureID(date: LocalDate.text(day: $0.row.day))
        }
        Figure("date", .day, "The local day.") { LocalDate.text(day: $0.row.day) }
            .shown(.exact("Day")) { LocalDate.text(day: $0.row.day) }
        DailyFeatures.Name.allCases.map { name in
            // The day of the week is a number of its own kind: whole, and never rounded.
            Figure(name.rawValue, .number().optional, "A feature (docs/metrics.md).", in: ["features"]) {
                name.rounding.json($0.row.features[name])
            }
            .shown(.right(name.rawValue, leftOut: 1)) { Wording.fixed($0.row.features[name]) }
        }
        Figure("dataQualityScore", .number(.score), "Present features / 16.") { $0.row.features.quality }
            .shown(.right("Quality"), .before(firstFeature)) { Wording.fixed($0.row.features.quality, 2) }
        Figure("isValidTrainingData", .flag, "Whether enough features are present.") { $0.row.features.isValid }
            .shown(.left("Valid"), .before(firstFeature)) { $0.row.features.isValid ? "yes" : "no" }
        Figure("targetRecoveryScore", .number(.score).optional, "The day's recovery score.") { $0.row.scores.recovery }
        [
            "targetReadinessScore", "actualRecoveryScore", "actualReadinessScore", "predictionError",
            "predictionConfidence",
        ]
        .map { Figure($0, .constant(.null), "No model is trained here.") { _ in nil } }
        Figure("modelVersion", .constant("none"), "No model is trained here.") { _ in "none" }
        Figure("trainingPhase", .constant("baseline"), "No model is trained here.") { _ in "baseline" }
        Figure("createdAt", .instant, "The export's instant.") { $0.answer.lastUpdated }
        Figure("lastUpdated", .instant, "The export's instant.") { $0.answer.lastUpdated }
        Figure("observation", .count, "The observation.") { $0.answer.observation.id }
        Figure("state", .choice(["visible", "finest"]), "Which records are read.") { $0.answer.state.rawValue }
        definitions
    }

    fileprivate typealias Figure = Column<DailyMetrics, DailyAnswer>

    private static let firstFeature = DailyFeatures.Name.allCases.first?.rawValue ?? ""

    @Columns<DailyMetrics, DailyAnswer>.Builder private static var definitions: [Figure] {
        Figure("definitionsVersion", .count, "Version of the formulas.") { _ in Metrics.definitionsVersion }
        Figure("settingsSHA256", .digest, "SHA-256 of the athlete's settings.") { $0.answer.settingsSHA256 }
    }

    @Columns<DailyMetrics, DailyAnswer>.Builder private static var physio: [Figure] {
        Figure(computed: "hrv", .measure, in: "physio") { $0.row.physio.hrv }
            .shown(.right("HRV ms")) { Wording.fixed($0.row.physio.hrv) }
        Figure(computed: "hrvBaseline", .measure, in: "physio") { $0.row.physio.hrvBaseline }
        Figure(computed: "rhr", .measure, in: "physio") { $0.row.physio.rhr }
            .shown(.right("RHR bpm")) { Wording.fixed($0.row.physio.rhr, 0) }
        Figure(computed: "rhrBaseline", .measure, in: "physio") { $0.row.physio.rhrBaseline }
        Figure(computed: "sleepDuration", .measure, in: "physio") { $0.row.physio.sleepDuration }
            .shown(.right("Sleep")) { DailyDocument.clock($0.row.physio.sleepDuration) }
        Figure(computed: "sleepBaseline", .measure, in: "physio") { $0.row.physio.sleepBaseline }
        Figure("hrvCount", .count.optional, "Records in the mean of hrv.", in: ["physio"]) { $0.row.physio.hrvCount }
        Figure(computed: "hrvRmssd", .measure, in: "physio") { $0.row.physio.hrvRmssd }
        Figure("sleepSource", .text.optional, "The night's best source.", in: ["physio"]) { $0.row.physio.sleepSource }
        Figure(computed: "sleepUnion", .measure, in: "physio") { $0.row.physio.sleepUnion }
        Figure(computed: "inBed", .measure, in: "physio") { $0.row.physio.inBed }
        Figure(computed: "naps", .measure, in: "physio") { $0.row.physio.naps }
        Figure(computed: "sleepCore", .measure, in: "physio") { $0.row.physio.stages?.core }
        Figure(computed: "sleepDeep", .measure, in: "physio") { $0.row.physio.stages?.deep }
        Figure(computed: "sleepREM", .measure, in: "physio") { $0.row.physio.stages?.rem }
        Figure(computed: "sleepUnspecified", .measure, in: "physio") { $0.row.physio.stages?.unspecified }
        Figure(computed: "sleepAwake", .measure, in: "physio") { $0.row.physio.stages?.awake }
        Figure("lastUpdated", .instant, "The export's instant.", in: ["physio"]) { $0.answer.lastUpdated }
    }

    @Columns<DailyMetrics, DailyAnswer>.Builder private static var load: [Figure] {
        Figure(computed: "ctl", .score, in: "load") { $0.row.load?.ctl }
            .shown(.right("Fitness (CTL)")) { Wording.fixed($0.row.load?.ctl) }
        Figure(computed: "atl", .score, in: "load") { $0.row.load?.atl }
            .shown(.right("Fatigue (ATL)")) { Wording.fixed($0.row.load?.atl) }
        Figure(computed: "tsb", .score, in: "load") { $0.row.load?.tsb }
            .shown(.right("Form (TSB)")) { Wording.fixed($0.row.load?.tsb) }
        Figure(computed: "tss", .score, in: "load") { $0.row.stress?.tss }
            .shown(.right("Stress (TSS)"), .before("ctl")) { Wording.fixed($0.row.stress?.tss) }
        Figure(computed: "eftp", .measure, in: "load") { $0.row.thresholdPower }
            .shown(.right("eFTP W", leftOut: 2)) { Wording.fixed($0.row.thresholdPower, 0) }
        Figure("workoutId", .digest.optional, "The workout with the highest stress.", in: ["load"]) {
            $0.row.stress?.workoutID
        }
        Figure("workoutName", .text.optional, "Its name.", in: ["load"]) { $0.row.stress?.workoutName }
        Figure("workoutType", .text.optional, "Its activity.", in: ["load"]) { $0.row.stress?.workoutType }
        Figure(computed: "form", .score, in: "load") { $0.row.load?.form }
        Figure(computed: "trimp", .score, in: "load") { $0.row.stress?.trimp }
        Figure("tssMethod", .choice(["power", "heartRate"]).optional, "What tss follows from.", in: ["load"]) {
            $0.row.stress?.method?.rawValue
        }
        Figure("tssMissing", .count.optional, "Workouts without a stress.", in: ["load"]) { $0.row.stress?.missing }
        Figure(computed: "ctlConfidence", .score, in: "load") { $0.row.load?.confidence }
        Figure("workouts", .count.optional, "Workouts of the day.", in: ["load"]) { $0.row.stress?.count }
        Figure("lastUpdated", .instant, "The export's instant.", in: ["load"], csv: "") { $0.answer.lastUpdated }
    }

    @Columns<DailyMetrics, DailyAnswer>.Builder private static var scores: [Figure] {
        Figure(computed: "recoveryScore", .score, in: "scores") { $0.row.scores.recovery }
            .shown(.right("Recovery")) { Wording.fixed($0.row.scores.recovery, 0) }
        Figure("recoveryBand", .choice(["green", "amber", "red"]).optional, "The band of the score.", in: ["scores"]) {
            $0.row.scores.band?.rawValue
        }
        .shown(.left("Band", leftOut: 3)) { $0.row.scores.band?.rawValue ?? "-" }
        Figure(computed: "sleepScore", .score, in: "scores") { $0.row.scores.sleep }
        Figure(computed: "strainScore", .score, in: "scores") { $0.row.scores.strain }
            .shown(.right("Strain", leftOut: 4)) { Wording.fixed($0.row.scores.strain, 0) }
        Figure(computed: "effortTarget", .score, in: "scores") { $0.row.scores.effortTarget }
        Figure("aiBriefText", .constant(.null), "Always null: no model writes here.", in: ["scores"]) { _ in nil }
        Figure("scoreVersion", .count, "Version of the scores.", in: ["scores"]) { _ in DailyScores.version }
        Figure("lastUpdated", .instant, "The export's instant.", in: ["scores"], csv: "") { $0.answer.lastUpdated }
    }

    /// The total of a kind: `steps` for the value in CSV, `stepsUnit` and so on for the others.
    private static func totals(_ kind: DailyTotals.Kind) -> [Figure] {
        func figure(
            _ name: String, _ type: ValueType, _ meaning: String,
            _ value: @escaping @Sendable (DailyTotals) -> (any JSONConvertible)?
        ) -> Figure {
            let csv = name == "value" ? kind.rawValue : kind.rawValue + name.prefix(1).uppercased() + name.dropFirst()
            return Figure(
                name, type, meaning, in: ["totals", kind.rawValue], csv: csv,
                when: Figure.Condition("with `--totals`") { $0.totals != nil }
            ) { value($0.answer.totals?[$0.row.day] ?? DailyTotals()) }
        }
        let number = ValueType.number(.measure, in: kind.unit).optional
        let source: JSON = [
            "type": "object", "additionalProperties": false, "required": ["sourceName", "sum"],
            "properties": ["sourceName": ["type": ["string", "null"]], "sum": ["type": ["number", "null"]]],
        ]
        let ring = figure("activitySummary", number, "The energy of the activity rings.") { $0.ringEnergy }
        return [
            figure("value", number, "What several sources recorded at one time counted once.") { $0[kind]?.value }
                .shown(.right(DailyDocument.name(of: kind))) {
                    Wording.fixed($0.answer.totals?[$0.row.day]?[kind]?.value, 0)
                },
            figure("unit", .text, "Its unit.") { _ in kind.unit },
            figure("naiveSum", number, "The sum over all sources.") { $0[kind]?.naiveSum },
            figure("sources", .list(.object(source)), "The sums per source.") {
                ($0[kind]?.sources ?? []).map {
                    JSON.row(["sourceName": $0.sourceName, "sum": Rounding.measure.json($0.sum)])
                }
            },
        ] + (kind == .energy ? [ring] : [])
    }

    /// The labels that several days have in common; nothing of one day.
    func labels(ofEvery days: some Collection<DailyMetrics>) -> Set<Label> {
        guard days.count > 1, let first = days.first else { return [] }
        return days.reduce(labels(of: first)) { $0.intersection(labels(of: $1)) }
    }

    /// The labels of a day and of its totals.
    func labels(of day: DailyMetrics) -> Set<Label> { day.labels.union(totals?[day.day]?.labels ?? []) }

    fileprivate var lastUpdated: JSON { .instant(observation.observedAt) }
}

extension Column where Row == DailyMetrics, Answer == DailyAnswer {
    /// A value that `Definition` defines.
    fileprivate init(
        computed name: String, _ rounding: Rounding, in object: String? = nil, optional: Bool = true,
        _ value: @escaping @Sendable (Shown<Row, Answer>) -> Double?
    ) {
        let definition = Definition.all.first { $0.name == name }
        let type = ValueType.number(rounding, in: definition?.unit)
        self.init(
            name, optional ? type.optional : type, definition?.formula ?? "", in: object.map { [$0] } ?? []
        ) { value($0) }
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
