package import Analysis
internal import Archive
internal import HealthModel
internal import Presentation

/// A report as Markdown: what the page says without its charts.
package enum ComparisonReportText {
    /// The whole text; what an export said is escaped, so that it can neither format nor link.
    package static func markdown(_ report: ComparisonReport) -> String {
        let totals = report.totals
        var text = "# Two Health exports compared\n\n"
        text += table(
            ["", "Before", "After"],
            [
                ["Observation", "\(report.from.observation.id)", "\(report.to.observation.id)"],
                ["File", report.from.observation.sourceName, report.to.observation.sourceName],
                [
                    "Exported (UTC)", Sentences.time(report.from.observation.observedAt),
                    Sentences.time(report.to.observation.observedAt),
                ],
                ["Records", Counts.grouped(totals.before), Counts.grouped(totals.after)],
            ])
        text += "\n- \(Counts.of(totals.appeared, "record")) appeared\n"
        text +=
            "- \(Counts.of(totals.disappeared, "record")) no longer visible in the current observation; cause not inferred\n"
        text += "- \(Counts.grouped(totals.explained)) of them explained as consolidation\n"
        text += "- \(Counts.of(totals.representationChanged, "record")) with another representation\n\n"
        text += "## Types with differences\n\n"
        text += table(
            ["Type", "Before", "After", "Appeared", "No longer visible", "Consolidated", "Representation changed"],
            report.types.map { type in
                [shortIdentifier(type.diff.type)]
                    + [
                        type.diff.before, type.diff.after, type.diff.appeared, type.diff.disappeared,
                        type.consolidation?.explained ?? 0, type.diff.representationChanged,
                    ].map { Counts.grouped($0) }
            })
        for type in report.types { text += section(type) }
        text += "\n## Method\n\n" + Method.sentences(report).joined(separator: "\n\n") + "\n"
        text += "\n## Caveats\n\n" + Caveats.all.map { "- \($0)\n" }.joined()
        for (title, side) in [("Before", report.from), ("After", report.to)] { text += files(title, side) }
        return text
    }

    private static func section(_ type: TypeSection) -> String {
        var text = "\n## \(escaped(shortIdentifier(type.diff.type)))\n\n\(escaped(Sentences.type(type)))\n"
        if !type.diff.labels.isEmpty { text += "\nLabels: " + type.diff.labels.joined(separator: ", ") + "\n" }
        if !type.diff.uncertainty.isEmpty {
            text += "\nUncertain: " + escaped(type.diff.uncertainty.joined(separator: "; ")) + "\n"
        }
        if let consolidation = type.consolidation, consolidation.groupCount > 0 {
            text += "\n\(escaped(Sentences.evidence(consolidation, isCumulative: type.isCumulative)))\n\n"
            text += table(
                ["First record (UTC)", "Evidence", "Replacements", "Found", "Declared", "Before", "After", "Unit"],
                consolidation.groups.map { group in
                    [
                        group.replacements.compactMap(\.start).min().map(Sentences.time) ?? "-", Sentences.basis(group),
                        "\(group.replacements.count)", Counts.grouped(group.constituentCount),
                        group.declaredCount.map { Counts.grouped($0) } ?? "-",
                        group.sumBefore.map(Sentences.number) ?? "-",
                        group.sumAfter.map(Sentences.number) ?? "-", group.unit ?? "",
                    ]
                })
        }
        if !type.unexplained.isEmpty {
            text += "\nNo longer visible, unexplained:\n\n"
            text += table(
                ["Start (UTC)", "End (UTC)", "Value", "Unit", "Source", "Identity"],
                type.unexplained.map { record in
                    [
                        record.start.map(Sentences.time) ?? "-", record.end.map(Sentences.time) ?? "-",
                        RecordText.value(record), record.unit ?? "", record.sourceName ?? "",
                        String(record.identity.hex.prefix(12)),
                    ]
                })
        }
        return text
    }

    private static func files(_ title: String, _ side: ObservationReport) -> String {
        var text = "\n## \(title): files and digests\n\n"
        for (name, value) in Method.digests(side) {
            if let value { text += "- \(name): \(escaped(value))\n" }
        }
        for entry in side.repairs {
            text +=
                "- Repair: \(Wording.repair(entry.name)), \(Counts.grouped(entry.count)), first in line \(entry.firstLine)\n"
        }
        for entry in side.quarantine {
            text +=
                "- Quarantine: \(escaped(Wording.quarantine(entry.name))), \(Counts.grouped(entry.count)), "
                + "first in line \(entry.firstLine)\n"
        }
        for warning in side.warnings { text += "- Warning: \(escaped(warning))\n" }
        return text
    }

    private static func table(_ heads: [String], _ rows: [[String]]) -> String {
        func line(_ cells: [String]) -> String { "| " + cells.joined(separator: " | ") + " |\n" }
        return line(heads) + line(heads.map { _ in "---" }) + rows.map { line($0.map(escaped)) }.joined()
    }

    /// Text that Markdown and the HTML that it becomes show as it is.
    private static func escaped(_ text: String) -> String {
        var out = ""
        for character in TerminalText.safe(text) {
            if "\\`*_{}[]()#+!|<>&~".contains(character) { out.append("\\") }
            out.append(character)
        }
        return out
    }
}
