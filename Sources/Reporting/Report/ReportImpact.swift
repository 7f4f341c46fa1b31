package import Analysis
internal import ArchiveAggregating
package import ArchiveReading
package import HealthMetrics
internal import HealthModel
package import ImpactReading
internal import Presentation
internal import WorkoutReading

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
        document.append(ImpactDocument.blocks(answer, limit: Self.mostWorkouts, showsDays: false))
        for workout in workouts {
            let page = WorkoutDocument(workout)
            document.append(.subheading(page.title))
            document.append(page.document.blocks.compactMap(Self.part))
        }
        let charts = [chart("CTL", \.ctl), chart("ATL", \.atl)].compactMap(\.self)
        if !charts.isEmpty { document.append(.charts(charts)) }
        document.paragraph(
            "Definitions version \(Metrics.definitionsVersion), settings \(answer.settingsSHA256). \(DailyDocument.notice)"
        )
        return document.blocks
    }

    /// What of a workout's page is in a report: charts and tables with their titles.
    private static func part(_ block: Document.Block) -> Document.Block? {
        switch block {
        case .charts, .table: block
        case .heading(let title, _): .subheading(title)
        default: nil
        }
    }

    /// A load of both observations and the restored one over the days.
    private func chart(_ name: String, _ load: KeyPath<TrainingLoad, Double>) -> Chart? {
        Chart.lines(
            name, "\(Counts.of(answer.loads.count, "day")); restored: with the consolidation between the two undone.",
            ["before", "after", "restored"],
            answer.loads.map { day in (day.day, day.states.map { $0?[keyPath: load] }) }, hasTable: true)
    }
}
