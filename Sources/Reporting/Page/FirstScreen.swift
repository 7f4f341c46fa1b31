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
            .element("p", [:], HTML(sentence(report))),
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

    private static func sentence(_ report: ComparisonReport) -> String {
        let totals = report.totals
        var text = "Of \(Counts.of(totals.before, "record")) visible before, "
        text += "\(Counts.grouped(totals.before - totals.disappeared)) are still visible, "
        text += "\(Counts.grouped(totals.disappeared)) are no longer visible in the current observation"
        if totals.explained > 0 {
            text +=
                " (\(Counts.grouped(totals.explained)) of them consolidated into "
                + "\(Counts.of(totals.groups, "group")) of longer records)"
        }
        text += "; \(Counts.of(totals.appeared, "record")) appeared."
        if report.through {
            text +=
                " Before means everything that was visible at any observation from the first up to the last but one."
        }
        return text
    }

    private static func card(_ title: String, _ report: ObservationReport) -> HTML {
        let observation = report.observation
        let hash = observation.sourceSHA256 ?? observation.xmlSHA256
        return .element(
            "section", ["class": "card"],
            .element("h2", [:], HTML("\(title): observation \(observation.id)")),
            Tables.facts([
                ("File", .foreign(observation.sourceName)),
                ("Exported", HTML(exported(observation))),
                ("Phone offset", HTML(observation.offsetSeconds.map(offset) ?? "not stated")),
                ("Language", observation.locale.map { .foreign($0) }),
                ("Export version", observation.exportVersion.map { .foreign($0) }),
                ("Size", HTML(Bytes.text(observation.sourceByteCount))),
                ("Records", HTML(Counts.grouped(report.totals.visible))),
                ("Status", HTML(observation.status.rawValue)),
                ("SHA-256", hash.map { .element("span", ["class": "hash"], HTML($0.hex)) }),
            ]))
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

    /// `2024-05-01 12:00:00`, on the phone's clock.
    private static func exported(_ observation: Observation) -> String {
        let text = ISO8601.string(unixSeconds: observation.observedAt + (observation.offsetSeconds ?? 0))
        return text.prefix(10) + " " + text.dropFirst(11).prefix(8)
    }

    /// `+02:00`.
    private static func offset(_ seconds: Int64) -> String {
        let minutes = seconds.magnitude / 60
        func two(_ number: UInt64) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return "UTC" + (seconds < 0 ? "-" : "+") + two(minutes / 60) + ":" + two(minutes % 60)
    }
}
