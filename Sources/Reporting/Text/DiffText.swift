package import Archive
internal import HealthModel
internal import Presentation
internal import TextFormats

/// A diff for people.
package enum DiffText {
    /// The counts by type; types without a change are counted together.
    package static func page(_ diff: DiffSummary, _ layout: TextLayout) -> String {
        let totals = DiffTotals(diff)
        var text = heading(diff.from, diff.to, through: diff.through, layout)
        text +=
            Wording.changes(
                appeared: totals.appeared, disappeared: totals.disappeared, changed: totals.representationChanged,
                current: "observation \(diff.to.id)") + "\n"
        var table = ChangeTable(sizes: ["Before", "After"], indent: 2)
        var unchanged = 0
        for type in diff.types {
            let counts = ChangeTable.Counted(
                appeared: type.appeared, disappeared: type.disappeared, changed: type.representationChanged)
            if counts.isEmpty {
                unchanged += 1
                continue
            }
            table.add(
                shortIdentifier(type.type), sizes: [type.before, type.after], counts,
                reasons: Wording.reasons(
                    type.evidence, type.changedFields, changed: type.representationChanged))
        }
        text += table.render(layout)
        if unchanged > 0 { text += "  \(Counts.of(unchanged, "type")) unchanged.\n" }
        let zone = diff.zone.map(AggregatesText.phrase) ?? "no zone"
        text += layout.section(TerminalText.safe("Days of \(zone) that changed, largest difference first"), days(diff))
        text += newDays(diff)
        let uncertain = diff.types.filter { !$0.uncertainty.isEmpty }.map {
            "\(shortIdentifier($0.type)): \($0.uncertainty.joined(separator: ", "))"
        }
        return text + layout.section("Uncertain", uncertain)
    }

    /// A few days of each type of which a day with records before changed.
    private static func days(_ diff: DiffSummary) -> TextTable {
        var table = TextTable(
            [
                .name("Type"), .exact("Day"), .left("Measure", leftOut: 1), .right("Before"), .right("After"),
                .right("Difference"),
                .left("Unit"),
            ], indent: 2)
        for type in diff.types where type.days.known > 0 {
            for day in type.days.largestKnown.prefix(daysShown) {
                let measure = day.after ?? day.before
                table.addRow([
                    shortIdentifier(type.type), day.label, measure?.kind.rawValue ?? "",
                    AggregatesText.number(day.before?.value), AggregatesText.number(day.after?.value),
                    AggregatesText.number(day.difference), measure?.unit ?? "",
                ])
            }
            if type.days.known > daysShown {
                table.addRow(
                    [shortIdentifier(type.type), "\(Counts.grouped(type.days.known - daysShown)) more"], dim: true)
            }
        }
        return table
    }

    /// How many new days each type has, which the table leaves out.
    private static func newDays(_ diff: DiffSummary) -> String {
        let types = diff.types.filter { $0.days.count > $0.days.known }
        guard !types.isEmpty else { return "" }
        let names = types.map { "\(shortIdentifier($0.type)) \(Counts.grouped($0.days.count - $0.days.known))" }
        return "\n" + TerminalText.safe("Days without records before, not listed: " + names.joined(separator: ", "))
            + "\n"
    }

    /// Days shown of each type; `--json` has more.
    private static let daysShown = 3

    /// Which observations are compared.
    package static func heading(
        _ from: Observation, _ to: Observation, through: Bool = false, _ layout: TextLayout
    ) -> String {
        layout.style.bold(
            "\(through ? "Through all from" : "From") observation \(from.id) (\(layout.time(from.observedAt))) to \(to.id) (\(layout.time(to.observedAt))), "
                + "chain \(TerminalText.safe(to.chain)), times in \(layout.zoneName)") + "\n"
    }

    /// `+ …` for a record that appeared, `- …` for one that is no longer visible.
    package static func line(_ sign: String, _ record: RecordRow, _ layout: TextLayout) -> String {
        "\(sign) \(RecordText.phrase(record, layout))\n"
    }

    /// `~ before`, `> after` and how they belong together.
    package static func line(
        evidence: String, changedFields: [String], before: RecordRow, after: RecordRow, _ layout: TextLayout
    ) -> String {
        let fields = changedFields.map(Wording.field).joined(separator: ", ")
        let reason = TerminalText.safe("\(Wording.evidence(evidence))\(fields.isEmpty ? "" : ": \(fields)")")
        return "~ \(RecordText.phrase(before, layout))\n> \(RecordText.phrase(after, layout))  "
            + layout.style.dim("(\(reason))") + "\n"
    }
}
