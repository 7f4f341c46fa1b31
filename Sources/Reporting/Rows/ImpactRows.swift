package import Basics
internal import Days
internal import HealthModel
internal import Presentation
internal import Store
package import Training

extension ImpactAnswer: JSONConvertible {
    /// The object of `impact`, which a report has too.
    package static let columns = Columns<ImpactAnswer, Void>("impact") {
        Figure("from", .object(Observation.columns, defined: "observation"), "The earlier observation.") { $0.row.from }
        Figure("to", .object(Observation.columns, defined: "observation"), "The later one.") { $0.row.to }
        Figure("through", .flag, "Whether the observations between are followed.") { $0.row.through }
        Figure("definitionsVersion", .count, "Version of the formulas.") { _ in Metrics.definitionsVersion }
        Figure("settingsSHA256", .digest, "SHA-256 of the athlete's settings.") { $0.row.settingsSHA256 }
        Figure("rulesVersion", .count, "Version of the rules of consolidation.") { $0.row.rulesVersion }
        Figure("zone", .text, "The zone of the days.") { $0.row.zone.name }
        Figure("headline", .text, "What the archive alone has, in a sentence.") { $0.row.headline }
        Figure("summary", .list(.object(ImpactSummary.columns, defined: "summary")), "What becomes of each figure.") {
            $0.row.summary.map { ImpactSummary.columns.json($0, of: ()) }
        }
        Figure(
            "workouts", .list(.object(WorkoutImpact.columns, defined: "workout")),
            "Those with a difference, the most affected first."
        ) { $0.row.workouts.map { WorkoutImpact.columns.json($0, of: ()) } }
        Figure(
            "days", .list(.object(DayImpact.columns, defined: "dayImpact")),
            "Those with a difference, the most affected first."
        ) { $0.row.days.map { DayImpact.columns.json($0, of: ()) } }
        Figure("workouts", .count, "Workouts of which the archive alone has all readings.", in: ["archiveOnly"]) {
            $0.row.archiveOnly.workouts
        }
        Figure("days", .count, "The days on which they start.", in: ["archiveOnly"]) { $0.row.archiveOnly.days }
        Figure("neverMore", .count, "Sparse workouts that never had more.", in: ["archiveOnly"]) {
            $0.row.archiveOnly.neverMore
        }
    }

    private typealias Figure = Column<ImpactAnswer, Void>

    package var json: JSON { Self.columns.json(self, of: ()) }
}

extension ValueType {
    fileprivate static let metric = ValueType(
        "name of a figure", ["enum": .array(ImpactAnswer.metrics.map { .string($0) })], definition: "metric")
    fileprivate static let figures = list(.object(ImpactFigure.columns, defined: "figure"))
}

extension WorkoutImpact {
    static let columns = Columns<WorkoutImpact, Void>(nil) {
        Column("identity", .digest, "That of the later observation, else of the earlier one.") { $0.row.identity.hex }
        Column("startDate", .instant, "When it starts.") { JSON.instant($0.row.start) }
        Column("activity", .text.optional, "The activity in HealthKit's words.") { $0.row.activity }
        Column("count", .count, "The consolidation groups within it.", in: ["groups"]) { $0.row.groups.count }
        Column("restorable", .count, "How many of them are complete.", in: ["groups"]) { $0.row.groups.restorable }
        Column("workouts", .list(.text), "The UUIDs in their marks.", in: ["groups"]) { $0.row.groups.workouts }
        Column("metrics", .figures, "Its figures.") { $0.row.figures.map { ImpactFigure.columns.json($0, of: ()) } }
    }
}

extension DayImpact {
    static let columns = Columns<DayImpact, Void>(nil) {
        Column("date", .day, "The local day.") { LocalDate.text(day: $0.row.day) }
        Column("metrics", .figures, "Its figures.") { $0.row.figures.map { ImpactFigure.columns.json($0, of: ()) } }
    }
}

extension ImpactFigure {
    static let columns = Columns<ImpactFigure, Void>(nil) {
        Figure("name", .metric, "Which figure.") { $0.row.name }
        Figure("before", .number().optional, "At the earlier observation.") { $0.row.rounding.json($0.row.before) }
        Figure("after", .number().optional, "At the later one.") { $0.row.rounding.json($0.row.after) }
        Figure("restored", .number().optional, "At the later one with the originals in place of merged records.") {
            $0.row.rounding.json($0.row.restored)
        }
        Figure("difference", .number().optional, "After minus before.") { $0.row.difference }
        Figure("byConsolidation", .number().optional, "After minus restored.") { $0.row.byConsolidation }
        Figure("byOther", .number().optional, "Restored minus before.") { $0.row.byOther }
        Figure("material", .flag, "Whether it is larger than rounding.") { $0.row.isMaterial }
        Figure("causes", .list(.choice(ImpactCause.self)), "What the rest comes from.") { $0.row.causes.json }
        Figure("labels", .constant(["uncertain"]), "Where an observation is partial.", orAbsent: true) {
            $0.row.isUncertain ? Set([Label.uncertain]).json : nil
        }
    }

    private typealias Figure = Column<ImpactFigure, Void>
}

extension ImpactSummary {
    /// What consolidation did to a figure.
    static let columns = Columns<ImpactSummary, Void>(nil) {
        Figure("metric", .metric, "Which figure.") { $0.row.metric }
            .shown(.exact("Figure")) { FigureWords.name($0.row.metric) }
        Figure("of", .choice(Subject.self), "What has the figure.") { $0.row.subject.rawValue }
            .shown(.left("Of"), .before("metric")) { $0.row.subject.rawValue }
        Figure("compared", .count, "How many have it on both sides.") { $0.row.compared }
            .shown(.right("Compared")) { Counts.grouped($0.row.compared) }
        Figure("changed", .count, "How many of these differ.") { $0.row.changed }
            .shown(.right("Differ")) { Wording.cell(Int64($0.row.changed)) }
        Figure("material", .count, "How many by more than rounding.") { $0.row.material }
            .shown(.right("Larger than rounding")) { Wording.cell(Int64($0.row.material)) }
        size("median", "The median size by consolidation.", .right("Median"), \.median)
        size("p95", "The size that 95 of 100 do not exceed.", .right("95 %"), \.p95)
        size("meanSigned", "The mean difference by consolidation.", .right("Mean", leftOut: 1), \.meanSigned)
        Figure("meanRelative", .number(.ratio).optional, "The same as a share of the restored values.") {
            $0.row.meanRelative
        }
        Figure("verdict", .choice(Verdict.self), "What becomes of it.") { $0.row.verdict.rawValue }
            .shown(.left("By consolidation")) { words($0.row.verdict) }
    }

    private typealias Figure = Column<ImpactSummary, Void>

    private static func size(
        _ name: String, _ meaning: String, _ column: Table.Column,
        _ value: @escaping @Sendable (ImpactSummary) -> Double?
    ) -> Figure {
        Figure(name, .number(.score).optional, meaning) { value($0.row) }
            .shown(column) { FigureWords.text($0.row.metric, value($0.row)) }
    }

    private static func words(_ verdict: Verdict) -> String {
        switch verdict {
        case .survives: "survives"
        case .shifts: "shifts"
        case .resolutionLost: "less detail"
        case .notAffected: "not affected"
        }
    }
}
