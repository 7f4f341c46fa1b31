internal import Days
internal import HealthModel
package import Presentation
package import Training

/// What consolidation does to workouts and days, for people.
package enum ImpactDocument {
    /// How many workouts and days are listed where nobody says how many.
    private static let usualLimit = 20

    /// The whole answer.
    package static func make(_ answer: ImpactAnswer, _ zone: DisplayZone, limit: Int?) -> Document {
        var document = Wording.comparison(answer.from, answer.to, through: answer.through, zone)
        document.append(blocks(answer, zone, limit: limit ?? usualLimit))
        document.paragraph(DailyDocument.notice, .apart)
        return document
    }

    /// The headline, the summary, and the most affected workouts, whose times are in the zone, and days.
    static func blocks(
        _ answer: ImpactAnswer, _ zone: DisplayZone, limit: Int, showsDays: Bool = true
    ) -> [Document.Block] {
        var document = Document()
        document.paragraph(answer.headline)
        guard !answer.isEmpty else {
            document.paragraph("No figure of a workout or a day differs between the two.")
            return document.blocks
        }
        let affected = answer.summary.filter { $0.changed > 0 || $0.verdict != .notAffected }
        document.section("What survives consolidation", ImpactSummary.columns.table(affected, of: ()))
        workouts(answer, zone, limit, to: &document)
        if showsDays { days(answer, limit, to: &document) }
        document.paragraph(method, .apart)
        return document.blocks
    }

    /// How the figures came about.
    private static let method = """
        By consolidation: the value at the later observation minus the same value with every complete consolidation group \
        between the two replaced by the original records that the archive has. By other causes: what remains of the \
        difference. Thresholds and zones are the same for all three.
        """

    private static let columns: [Table.Column] = [
        .exact("Figure"), .right("Before"), .right("After"), .right("Restored", leftOut: 1), .right("Difference"),
        .right("By consolidation"), .right("By other causes", leftOut: 2), .left("Larger than rounding"),
        .left("Causes", leftOut: 3),
    ]

    private static func cells(_ figure: ImpactFigure) -> [String] {
        let causes = ImpactCause.allCases.filter(figure.causes.contains).map(FigureWords.cause)
        let values = [
            figure.before, figure.after, figure.restored, figure.difference, figure.byConsolidation, figure.byOther,
        ]
        return [FigureWords.name(figure.name)] + values.map { FigureWords.text(figure.name, $0) }
            + [figure.isMaterial ? "yes" : "no", causes.joined(separator: ", ")]
    }

    private static func workouts(
        _ answer: ImpactAnswer, _ zone: DisplayZone, _ limit: Int, to document: inout Document
    ) {
        var table = Table([.exact("Workout"), .left("Activity", leftOut: 5), .hash("Identity", leftOut: 4)] + columns)
        for workout in answer.workouts.prefix(limit) {
            let start = zone.time(Int64(workout.start.rounded(.down)))
            let activity = WorkoutText.activity(workout.activity)
            for (index, figure) in workout.figures.changed.enumerated() {
                let head = index == 0 ? [start, activity, workout.identity.prefix] : ["", "", ""]
                table.addRow(head + cells(figure))
            }
        }
        if answer.workouts.count > limit {
            table.remark =
                "The \(limit) most affected of \(Counts.of(answer.workouts.count, "workout")); --json has all."
        }
        document.section("Workouts", table)
    }

    private static func days(_ answer: ImpactAnswer, _ limit: Int, to document: inout Document) {
        var table = Table([.exact("Day")] + columns)
        for day in answer.days.prefix(limit) {
            for (index, figure) in day.figures.changed.enumerated() {
                table.addRow([index == 0 ? LocalDate.text(day: day.day) : ""] + cells(figure))
            }
        }
        if answer.days.count > limit {
            table.remark = "The \(limit) most affected of \(Counts.of(answer.days.count, "day")); --json has all."
        }
        document.section("Days", table)
    }
}
