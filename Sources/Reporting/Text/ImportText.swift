package import Archive
internal import HealthModel
internal import Presentation
internal import TextFormats

/// The summary after an import.
package enum ImportText {
    /// One export's summary.
    package static func summary(
        _ report: ObservationReport, alreadyImported: Bool, supplemented: Bool, _ layout: TextLayout
    ) -> String {
        let observation = report.observation
        let name = TerminalText.safe(observation.chain)
        var text =
            layout.style.bold("Observation \(observation.id) of chain \(name): \(observation.status.rawValue)") + "\n"
        if alreadyImported {
            text +=
                supplemented
                ? "This export was imported before; what the observation lacked was added to it.\n"
                : "This export was imported before; nothing was added.\n"
        }
        let totals = report.totals
        let records =
            "\(Counts.grouped(totals.read)) read, \(Counts.grouped(totals.visible)) visible in "
            + Counts.of(report.types.filter { $0.visible > 0 }.count, "type")
        text += ReportText.source(observation, more: [("Records", records)], layout)
        text += ReportText.stop(
            line: observation.stoppedLine, byte: observation.stoppedByte, reason: observation.stoppedReason)
        text += "\n" + (isFirst(report) ? first(report, layout) : changes(report, layout))
        return text + ReportText.remarks(report, layout)
    }

    private static func isFirst(_ report: ObservationReport) -> Bool {
        report.observation.position == 1
    }

    private static func first(_ report: ObservationReport, _ layout: TextLayout) -> String {
        var table = TextTable([.name("Type"), .right("Records"), .exact("From"), .exact("To")], indent: 2)
        for run in report.types where run.visible > 0 {
            table.addRow([
                shortIdentifier(run.type), Counts.grouped(run.visible), layout.day(run.earliestStart),
                layout.day(run.latestEnd),
            ])
        }
        return "The chain's first observation: there is nothing yet to compare it with.\n" + layout.render(table)
    }

    private static func changes(_ report: ObservationReport, _ layout: TextLayout) -> String {
        let totals = report.totals
        var text =
            Wording.changes(
                appeared: totals.appeared, disappeared: totals.disappeared, changed: totals.representationChanged,
                current: "this observation") + "\n"
        var table = ChangeTable(sizes: ["Visible"], indent: 2)
        var unchanged = 0
        for run in report.types {
            let counts = ChangeTable.Counted(
                appeared: run.appeared, disappeared: run.disappeared, changed: run.representationChanged)
            if counts.isEmpty, run.status == .completed {
                unchanged += 1
                continue
            }
            table.add(
                shortIdentifier(run.type) + (run.status == .completed ? "" : " (\(run.status.rawValue))"),
                sizes: [run.visible],
                counts,
                reasons: Wording.reasons(
                    run.evidence.map { ($0.name, $0.count) }, run.changedFields.map { ($0.name, $0.count) },
                    changed: run.representationChanged))
        }
        text += table.render(layout)
        return unchanged > 0 ? text + "  \(Counts.of(unchanged, "type")) unchanged.\n" : text
    }
}
