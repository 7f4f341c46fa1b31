package import Analysis
internal import Archive
internal import HealthModel
internal import Presentation

/// A report as Markdown: what the page says, with tables in place of its charts.
package enum ComparisonReportText {
    /// The whole text; what an export said is escaped, so that it can neither format nor link.
    package static func markdown(_ report: ComparisonReport) -> String {
        var text = "# Two Health exports compared\n\n\(Sentences.summary(report))\n\n"
        text += head(report) + totals(report.totals) + types(report)
        for type in report.types { text += section(type, report) }
        text += "\n## Method\n\n" + Method.sentences(report).map(Markdown.escaped).joined(separator: "\n\n") + "\n"
        text += "\n## Caveats\n\n" + Markdown.list(Caveats.all)
        text += files("Before", report.from, report.fromSeal) + files("After", report.to, report.toSeal)
        text += "\n\(Method.head(report))\n"
        let commands = Method.verification(report).map { "\($0.command): \($0.shows)" }
        return text + "\n## How to verify\n\n" + Markdown.list(commands)
    }

    private static func head(_ report: ComparisonReport) -> String {
        var rows = [["Observation", "\(report.from.observation.id)", "\(report.to.observation.id)"]]
        for (before, after) in zip(SideFacts.facts(report.from), SideFacts.facts(report.to))
        where before.value != nil || after.value != nil {
            rows.append([before.name, before.value ?? "-", after.value ?? "-"])
        }
        return Markdown.table(["", "Before", "After"], rows)
    }

    private static func totals(_ totals: ComparisonReport.Totals) -> String {
        var text = "\n- \(Counts.of(totals.appeared, "record")) appeared\n"
        text +=
            "- \(Counts.of(totals.disappeared, "record")) no longer visible in the current observation; cause not inferred\n"
        text += "- \(Counts.grouped(totals.explained)) of them explained as consolidation, "
        text += "\(Counts.grouped(totals.disappeared - totals.explained)) unexplained\n"
        return text + "- \(Counts.of(totals.representationChanged, "record")) with another representation\n\n"
    }

    private static func types(_ report: ComparisonReport) -> String {
        var text = "## Types with differences\n\n"
        text += Markdown.table(
            ["Type", "Before", "After", "Appeared", "No longer visible", "Consolidated", "Representation changed"],
            report.types.map { type in
                [shortIdentifier(type.diff.type)]
                    + [
                        type.diff.before, type.diff.after, type.diff.appeared, type.diff.disappeared,
                        type.consolidation?.verdict.explained ?? 0, type.diff.representationChanged,
                    ].map { Counts.grouped($0) }
            })
        guard !report.unchanged.isEmpty else { return text }
        let names = report.unchanged.map { "\(shortIdentifier($0.type)) (\(Counts.grouped($0.count)))" }
        return text + "\nWithout any difference: \(Markdown.escaped(names.joined(separator: ", ")))\n"
    }

    private static func section(_ type: TypeSection, _ report: ComparisonReport) -> String {
        var text = "\n## \(Markdown.escaped(shortIdentifier(type.diff.type)))\n"
        text += "\n\(Markdown.escaped(type.diff.type))\n\n\(Markdown.escaped(Sentences.type(type)))\n"
        if !type.diff.labels.isEmpty { text += "\nLabels: " + type.diff.labels.joined(separator: ", ") + "\n" }
        if !type.diff.uncertainty.isEmpty {
            text += "\nUncertain: " + Markdown.escaped(type.diff.uncertainty.joined(separator: "; ")) + "\n"
        }
        text += Markdown.section("Visible records", .counts(type, report))
        if let density = ReportTable.density(type) {
            text += Markdown.section("Density and interval length of what was consolidated", density)
        }
        if !type.days.isEmpty {
            text += Markdown.section("Daily differences, days of \(Sentences.zone(report))", .days(type))
        }
        if let consolidation = type.consolidation, consolidation.verdict.groups > 0 {
            text += "\n\(Markdown.escaped(Sentences.evidence(consolidation.verdict)))\n"
            text += Markdown.section(
                "Consolidation: \(Counts.of(consolidation.verdict.groups, "group"))",
                .groups(consolidation, isCumulative: type.isCumulative))
        }
        if type.unexplainedCount > 0 {
            text += Markdown.section(
                "No longer visible, unexplained: \(Counts.grouped(type.unexplainedCount))",
                .unexplained(type, count: type.unexplainedCount))
        }
        return text
    }

    private static func files(
        _ title: String, _ side: ObservationReport, _ seal: ComparisonReport.SealNote?
    ) -> String {
        func located(_ title: String, _ entries: [ObservationReport.Located], _ word: (String) -> String) -> [String] {
            if entries.isEmpty { return ["\(title): none"] }
            return entries.map {
                "\(title): \(word($0.name)), \(Counts.grouped($0.count)), first in line \($0.firstLine)"
            }
        }
        var lines = Method.digests(side, seal).compactMap { name, value in value.map { "\(name): \($0)" } }
        lines += located("Repairs", Wording.notable(side.repairs), Wording.repair)
        lines += located("Quarantine", side.quarantine, Wording.quarantine)
        lines += side.unknown.map { "Unknown: \($0.name), \(Counts.grouped($0.count))" }
        lines += side.warnings.map { "Warning: \($0)" }
        return "\n## \(title): files and digests\n\n" + Markdown.list(lines)
    }
}
