internal import Days
package import Presentation
internal import Store
package import Training

/// Days and definitions for people.
package enum DailyDocument {
    /// What every page of scores says.
    package static let notice = "Not medical advice; a published-method score of this program, not a vendor's."

    /// What a table has at most; JSON and CSV have all rows.
    package static let rowsOfTable = 200

    /// Charts of the days, and a table of the last ones.
    ///
    /// - Parameters:
    ///   - charted: how many of the last days are drawn.
    ///   - columns: the most columns of a chart.
    package static func make(
        _ answer: DailyAnswer, rows rowsOfTable: Int = rowsOfTable, charted: Int = .max,
        columns: Int = Chart.mostColumns
    ) -> Document {
        var document = title("Days", answer)
        guard !answer.days.isEmpty else {
            document.paragraph(
                answer.remark ?? "No records of heart rate, heart rate variability, sleep or workouts.")
            return document
        }
        document.append(.charts(charts(answer.days.suffix(charted), most: columns)))
        let shown = answer.days.suffix(rowsOfTable)
        var told = answer
        told.labelsToldOnce = answer.labels(ofEvery: shown)
        var table = DailyAnswer.columns.table(shown, of: told)
        if answer.days.count > rowsOfTable {
            table.remark =
                "The last \(rowsOfTable) of \(Counts.grouped(answer.days.count)) days; JSON and CSV have all."
        }
        if !told.labelsToldOnce.isEmpty {
            let names = told.labelsToldOnce.ordered.map(\.rawValue).joined(separator: ", ")
            document.paragraph("Of every day in the table: \(names).", .apart)
        }
        document.append(.table(table))
        if let remark = answer.remark { document.paragraph(remark, .apart) }
        document.paragraph(notice, .apart)
        if !answer.missingSettings.isEmpty {
            document.paragraph("Workouts have no stress (TSS); settings needed: " + settings(answer.missingSettings))
        }
        return document
    }

    /// The heading of a total's column.
    static func name(of kind: DailyTotals.Kind) -> String {
        switch kind {
        case .energy: "kcal"
        case .distance: "m"
        case .exerciseMinutes: "exercise min"
        case .standMinutes: "stand min"
        case .steps, .flights: kind.rawValue
        }
    }

    /// What a person would rather look at.
    private static func charts(_ days: ArraySlice<DailyMetrics>, most: Int) -> [Chart] {
        func chart(_ title: String, _ text: String, _ names: [String], _ values: (DailyMetrics) -> [Double?]) -> Chart?
        {
            Chart.lines(title, text, names, days.map { ($0.day, values($0)) }, most: most)
        }
        let baseline = "the mean of the 7 days before"
        return [
            chart("Heart rate variability", "ms, SDNN of the night; baseline: \(baseline).", ["night", "baseline"]) {
                [$0.physio.hrv, $0.physio.hrvBaseline]
            },
            chart("Resting heart rate", "bpm; baseline: \(baseline).", ["day", "baseline"]) {
                [$0.physio.rhr, $0.physio.rhrBaseline]
            },
            chart("Sleep", "hours; baseline: \(baseline).", ["night", "baseline"]) {
                [$0.physio.sleepDuration, $0.physio.sleepBaseline].map { $0.map { $0 / 3600 } }
            },
            chart(
                "Load", "Fitness over 42 days, fatigue over 7 days, form their difference.",
                ["Fitness (CTL)", "Fatigue (ATL)", "Form (TSB)"]
            ) {
                [$0.load?.ctl, $0.load?.atl, $0.load?.tsb]
            },
        ].compactMap(\.self)
    }

    /// The names of settings that are missing, and how to set them.
    static func settings(_ missing: [String]) -> String {
        missing.joined(separator: ", ")
            + ". Write them to athlete.json; commands also take a file with --settings (docs/metrics.md)."
    }

    /// The features as a table.
    package static func features(_ answer: DailyAnswer) -> Document {
        var document = title("Features of days", answer)
        let table = DailyAnswer.featureColumns.table(answer.days.suffix(rowsOfTable), of: answer)
        document.append(.table(table))
        document.paragraph("No model is trained here; the target is the day's recovery score.", .apart)
        document.paragraph(notice)
        return document
    }

    /// The formulas with the parameters in effect.
    ///
    /// - Parameter reader: of the observation that shows what the settings do not say; nil without an archive.
    package static func definitions(_ settings: AthleteSettings, _ reader: WorkoutReader?) -> Document {
        let effective = reader?.effectiveSettings ?? settings
        var document = Document(title: "Definitions, version \(Metrics.definitionsVersion)")
        var table = Table([.name("Value"), .left("Unit"), .left("Formula"), .left("Source", leftOut: 1)])
        for definition in Definition.all {
            table.addRow([definition.name, definition.unit ?? "", definition.formula, definition.source ?? ""])
        }
        document.append(.table(table))
        document.append(.heading("Parameters"))
        document.facts(
            Definition.parameters(settings).map { ($0.name, Wording.fixed($0.value, 3)) } + [
                ("sex", (effective.sex ?? .unset).rawValue),
                ("birthDate", effective.birthDay.map { LocalDate.text(day: Int64($0)) } ?? "-"),
                ("settings", settings.sha256),
            ])
        document.paragraph(notice, .apart)
        return document
    }

    private static func title(_ what: String, _ answer: DailyAnswer) -> Document {
        Document(
            title: "\(what) at observation \(answer.observation.id), chain \(answer.observation.chain), "
                + "in days of \(Wording.zone(answer.zone))")
    }

    /// `7:05`: hours and minutes; `-` without any.
    static func clock(_ seconds: Double?) -> String {
        seconds.map { Durations.sixties(Int(($0 / 60).rounded())) } ?? "-"
    }
}
