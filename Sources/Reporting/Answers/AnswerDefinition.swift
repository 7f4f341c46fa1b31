package import Basics
internal import History
internal import Questions
internal import Training

/// An answer of the program: its question and its columns.
///
/// The parameters of its URL, the fields of its form, the texts of its command's options, its tool in `healthprobe mcp`,
/// its JSON Schema and its part of docs/cli.md follow from it.
package struct AnswerDefinition: Sendable {
    /// What follows from columns, whatever their rows are.
    package struct Rows: Sendable {
        let schema: JSON
        let definitions: [(String, JSON)]
        let reference: @Sendable (_ withCSV: Bool) -> [String]

        init<Row, Answer>(_ columns: Columns<Row, Answer>) {
            (schema, definitions, reference) = (
                columns.rowSchema, columns.definitions, { columns.reference(withCSV: $0) }
            )
        }
    }

    /// How many rows programs are given at a time.
    package enum Paging: Sendable {
        /// The answer is one object without a list that grows.
        case whole
        /// Its rows come in pages with a cursor.
        case pages
        /// It has all rows in the list of that name; nil for lines.
        case all(list: String?)
    }

    /// The path of its page without the slash, such as `diff/records`.
    package let page: String
    /// The words of its command, such as `metrics daily`.
    package let command: String
    /// What it answers, in a sentence.
    package let summary: String
    /// In the order of a URL.
    package let fields: [Field]
    package let paging: Paging
    /// What its lines say, or of an object its list of rows; nil where it has none.
    package let rows: Rows?

    init(
        _ page: String, command: String? = nil, _ summary: String, _ fields: [Field], _ paging: Paging = .whole,
        rows: Rows? = nil
    ) {
        (self.page, self.command, self.summary) = (page, command ?? page, summary)
        (self.fields, self.paging, self.rows) = (fields, paging, rows)
    }

    /// The field of a name; nil where the question has none.
    package subscript(_ name: String) -> Field? { fields.first { $0.name == name } }

    /// The JSON Schema of a part of the answer as programs are given it: some rows and the cursor of the next ones; nil
    /// where its rows have no columns.
    package var pageSchema: JSON? {
        guard let rows else { return nil }
        var name = "rows"
        switch paging {
        case .whole: return nil
        case .all(let list?): name = list
        case .all(nil), .pages: break
        }
        let list: JSON = ["type": "array", "items": rows.schema]
        let next: JSON = ["type": ["string", "null"]]
        let schema: JSON = [
            "type": "object", "required": [.string(name), "next"],
            "properties": .object([(name, list), ("next", next)]),
        ]
        return rows.definitions.isEmpty ? schema : schema.adding(["$defs": JSON.object(rows.definitions)])
    }

    /// The answer of a page; nil for a page without one.
    package static func of(page: String) -> AnswerDefinition? { byPage[page] }

    private static let byPage = Dictionary(all.map { ($0.page, $0) }) { first, _ in first }
}

extension AnswerDefinition {
    package static let timeline = AnswerDefinition(
        "timeline", "The chain's observations in the order of their exports.",
        [.chain, .all, .limit.meaning("The observations of a page.").limited(to: 1...1_000, usual: "100"), .after],
        .all(list: "observations"), rows: Rows(ObservationReport.TimelineEntry.columns))
    package static let show = AnswerDefinition(
        "show", "One observation: source and hashes, types with counts and sums, repairs, quarantine.",
        [.at, .chain], rows: Rows(ObservationReport.TypeRun.columns))
    package static let records = AnswerDefinition(
        "records", "The records visible at an observation, page by page.",
        [.at, .chain, .types, .since, .until, .source, .limit.meaning("The records of a page."), .after], .pages,
        rows: Rows(RecordPage.columns))
    package static let aggregates = AnswerDefinition(
        "aggregates", "Counts, sums, means and extremes by local day or month, per source.",
        [
            .at, .chain, .types, .by, .since.meaning("Only buckets that end after this day or instant."),
            .until.meaning("Only buckets up to this day, or that begin before this instant."), .source,
            .limit.meaning("The most rows.").limited(to: 1...Int.max, usual: "200 in a table, else all"),
        ], .all(list: "rows"), rows: Rows(AggregateRows.columns))
    package static let type = AnswerDefinition(
        "type", command: "types", "One type over all observations: counts, sources, months.", [.chain, .types])
    package static let types = AnswerDefinition(
        "types", "All types with their counts at each observation.", [.chain], .all(list: "types"))
    package static let sources = AnswerDefinition(
        "sources", "The sources of all records that the chain ever held, with their types.", [.chain, .types],
        .all(list: "sources"))
    package static let history = AnswerDefinition(
        "history", "One record over the whole chain: versions, events, links, consolidation.", [.identity, .chain])
    package static let diff = AnswerDefinition(
        "diff", "What appeared, disappeared or changed its representation between two observations, per type.",
        [.from, .to, .chain, .through, .types, .source.meaning("Only records of this source, on either side.")],
        rows: Rows(DiffSummary.TypeDiff.columns))
    package static let changes = AnswerDefinition(
        "diff/records", command: "diff --records", "The records that appeared, disappeared or changed, page by page.",
        diff.fields + [.change, .limit.meaning("The changes of a page.").limited(to: 1...1_000, usual: "100"), .after],
        .pages)
    package static let consolidation = AnswerDefinition(
        "consolidation", "Which disappearances are Health's consolidation, per type, with the evidence.",
        [.from, .to, .chain, .through, .types])
    package static let groups = AnswerDefinition(
        "consolidation/groups", command: "consolidation --groups",
        "The groups of a consolidation: replacements, and the records that they stand for.",
        consolidation.fields + [.limit.meaning("The groups of a page.").limited(to: 1...1_000, usual: "100"), .after],
        .pages)
    package static let report = AnswerDefinition(
        "report", "A comparison of two observations with its evidence, as one file.", consolidation.fields)
    package static let exports = AnswerDefinition(
        "exports", "The recorded exports with their status.",
        [.chain, .limit.meaning("The exports of a page.").limited(to: 1...1_000, usual: "100"), .after],
        .all(list: "exports"))
    package static let workouts = AnswerDefinition(
        "workouts", "The workouts visible at an observation, newest first.",
        [
            .at, .chain, .activity, .since.meaning("Only workouts that end at or after this day or instant."),
            .until.meaning("Only workouts that start before this instant, or on this day at the latest."),
            .source.meaning("Only workouts of this source; sources lists them."), .state,
            .limit.meaning("The workouts of a page."), .after,
        ], .pages, rows: Rows(WorkoutPage.columns))
    package static let workout = AnswerDefinition(
        "workout", "One workout at an observation, or at two side by side.",
        [.workout, .at, .from, .to, .chain, .state, .splits])
    package static let days = AnswerDefinition(
        "metrics", command: "metrics daily", "Physiology, training load and scores, one row per day.",
        [
            .at, .chain, .since.meaning("Only days from this one on."), .until.meaning("Only days up to this one."),
            .last, .state, .totals,
        ], .all(list: nil), rows: Rows(DailyAnswer.columns))
    package static let day = AnswerDefinition(
        "day", "One local day: totals, workouts, night, ECGs and every kind, then and now.", [.date, .at, .chain])
    package static let nights = AnswerDefinition(
        "nights", command: "metrics nights", "Each night: falling asleep, waking, stages, efficiency and naps.",
        [
            .at, .chain, .since.meaning("Only days from this one on."), .until.meaning("Only days up to this one."),
            .last, .state,
        ], .all(list: "rows"), rows: Rows(NightsAnswer.columns))
    package static let electrocardiograms = AnswerDefinition(
        "ecg", "The ECGs of an observation, newest first, or one of them.", [.electrocardiogram, .at, .chain],
        rows: Rows(Electrocardiogram.columns))
    package static let impact = AnswerDefinition(
        "impact", "How consolidation changed the figures of workouts and days.",
        [
            .from, .to, .chain, .through, .metric,
            .limit.meaning("The most workouts, and the most days.").limited(to: 1...Int.max, usual: "all"),
        ])

    /// In the order in which people meet them.
    package static let all = [
        timeline, show, records, aggregates, type, types, sources, history, diff, changes, consolidation, groups,
        report,
        exports, workouts, workout, days, day, nights, electrocardiograms, impact,
    ]
}
