internal import HealthModel
internal import Presentation
package import Questions
package import Training

/// The section of a report on workouts and days: what the difference of two exports does to their figures.
package struct ReportImpact: Sendable {
    package var answer: ImpactAnswer
    /// The most affected workouts that both observations show, as both show them.
    var workouts: [WorkoutComparison]

    /// How many workouts have a part of their own.
    private static let mostWorkouts = 12

    /// - Complexity: that of `ImpactReader.read`, and the workouts that are drawn.
    package static func read(
        _ snapshot: Snapshot, _ question: ConsolidationQuestion, _ settings: AthleteSettings
    ) throws -> ReportImpact {
        let answer = try ImpactReader.read(snapshot, question, settings)
        let drawn = answer.workouts.filter { $0.figures.changed.contains { $0.difference != nil } }.prefix(mostWorkouts)
        let workouts = try drawn.map {
            try WorkoutComparison.read(
                snapshot, $0.identity.hex, from: question.from, to: question.to, settings, state: .visible,
                WorkoutTruth.Question())
        }
        return ReportImpact(answer: answer, workouts: workouts)
    }

    /// Headline, summary, the most affected workouts with their charts and splits, the load of the days.
    var blocks: [Document.Block] {
        var document = Document([.heading("Impact")])
        let blocks = ImpactDocument.blocks(answer, Sentences.utc, limit: Self.mostWorkouts, showsDays: false)
        document.append(blocks.map(Self.part))
        for workout in workouts {
            let page = WorkoutDocument(workout)
            document.append(.heading(page.title))
            document.append(page.document.blocks.filter(Self.isShown).map(Self.part))
        }
        let charts = [chart("ctl", \.ctl), chart("atl", \.atl)].compactMap(\.self)
        if !charts.isEmpty { document.append(.heading("Load of the days"), .charts(charts)) }
        document.paragraph(
            "Definitions version \(Metrics.definitionsVersion), settings \(answer.settingsSHA256). \(DailyDocument.notice)"
        )
        return document.blocks
    }

    /// Whether a block of a workout's page is in a report: when it was, its charts, tables and remarks with their titles.
    private static func isShown(_ block: Document.Block) -> Bool {
        switch block {
        case .charts, .table, .list, .heading, .paragraph(_, .attached): true
        default: false
        }
    }

    /// A block of a document of its own as a part of a section.
    private static func part(_ block: Document.Block) -> Document.Block {
        if case .heading(let title, _) = block { .subheading(title) } else { block }
    }

    /// A load of both observations over the days; the restored one is a band that reaches to the later one.
    private func chart(_ name: String, _ load: KeyPath<TrainingLoad, Double>) -> Chart? {
        Chart.lines(
            FigureWords.name(name),
            "\(Counts.of(answer.loads.count, "day")); restored: with the consolidation between the two undone. A band lies "
                + "between the restored and the later load.",
            ["before", "after", "restored"],
            answer.loads.map { day in (day.day, day.states.map { $0?[keyPath: load] }) }, band: (from: 2, to: 1),
            hasTable: true)
    }
}
