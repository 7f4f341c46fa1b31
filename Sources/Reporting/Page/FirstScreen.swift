internal import Analysis
internal import Archive
internal import HealthModel
internal import Presentation

/// The first screen of a report: which exports, what differs, and how much of it is explained.
enum FirstScreen {
    static func section(_ report: ComparisonReport) -> HTML {
        let totals = report.totals
        return .element(
            "header", [:],
            .element("p", ["class": "soft"], "HealthProbe report"),
            .element("h1", [:], "Two Health exports compared"),
            .element("p", [:], HTML(Sentences.summary(report))),
            .element("div", ["class": "cards"], card("Before", report.from), card("After", report.to)),
            .element(
                "div", ["class": "cards figures"],
                figure(totals.appeared, "appeared", "visible after, not before"),
                figure(totals.disappeared, "no longer visible", "visible before, not after; cause not inferred"),
                figure(
                    totals.representationChanged, "changed representation",
                    "the same records under another name, unit or text"),
                explained(totals)),
            ReportPage.queries(report.queries))
    }

    private static func card(_ title: String, _ report: ObservationReport) -> HTML {
        .element(
            "section", ["class": "card"],
            .element("h2", [:], HTML("\(title): observation \(report.observation.id)")),
            Tables.facts(
                SideFacts.facts(report).map { fact in
                    (
                        fact.name,
                        fact.value.map { value in
                            switch fact.kind {
                            case .plain: HTML(value)
                            case .foreign: .foreign(value)
                            case .hash: .element("span", ["class": "hash"], HTML(value))
                            }
                        }
                    )
                }))
    }

    private static func figure(_ count: Int64, _ name: String, _ meaning: String) -> HTML {
        .element(
            "div", ["class": "card"], .element("div", ["class": "number"], HTML(Counts.grouped(count))),
            .element("div", [:], HTML(name)), .element("div", ["class": "note"], HTML(meaning)))
    }

    private static func explained(_ totals: ComparisonReport.Totals) -> HTML {
        let share = totals.disappeared > 0 ? Double(totals.explained) / Double(totals.disappeared) * 100 : 0
        return .element(
            "div", ["class": "card"],
            .element("div", ["class": "number"], HTML(Counts.grouped(totals.explained))),
            .element("div", [:], "explained as consolidation"),
            .element(
                "div", ["class": "share"],
                .element("i", ["style": "width:\(ChartText.coordinate(share))%"], .empty)),
            .element(
                "div", ["class": "note"],
                HTML(
                    "\(Counts.grouped(totals.disappeared - totals.explained)) of "
                        + "\(Counts.grouped(totals.disappeared)) unexplained"
                        + (totals.explained > 0 ? "; the phone's own store may still hold the inner points" : ""))))
    }
}
