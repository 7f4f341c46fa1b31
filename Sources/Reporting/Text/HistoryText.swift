package import Analysis
package import Archive
internal import HealthModel
internal import Presentation

/// The history of one sample for people.
package enum HistoryText {
    /// The sample, its representations, what happened to them, and its links.
    package static func page(_ history: History, _ consolidation: [SampleConsolidation.Part] = [], _ layout: TextLayout)
        -> String
    {
        var text = layout.style.bold("Sample \(history.identity.hex)") + "\n"
        guard let first = history.versions.first?.record else { return text }
        text += layout.facts([
            ("Type", first.type), ("Start", first.start.map { layout.time($0) }),
            ("End", first.end.map { layout.time($0) }),
            ("Value", [RecordText.value(first), first.unit ?? ""].filter { !$0.isEmpty }.joined(separator: " ")),
            ("Chain", history.chain), ("Times in", layout.zoneName),
        ])
        text += layout.section("Representations", versions(history, layout))
        text += layout.section("Events", events(history, layout))
        text += layout.section("Linked samples", links(history, layout))
        return text + layout.section("Consolidation in the export", consolidated(consolidation, layout))
    }

    /// Constituents shown to people; `--json` has them all.
    private static let mostListed = 20

    private static func consolidated(_ parts: [SampleConsolidation.Part], _ layout: TextLayout) -> [String] {
        parts.flatMap { part -> [String] in
            let group = part.group
            let basis = group.basis == .condenserIdentifier ? "condenser identifier" : "interval and total: likely"
            guard part.role == .replacement else {
                return part.replacements.map { "consolidated into \(RecordText.phrase($0, layout))  (\(basis))" }
            }
            let declared = group.declaredCount.map { " of \(Counts.grouped($0)) declared" } ?? ""
            return ["stands for \(Counts.of(group.evidence.foundCount, "record"))\(declared)  (\(basis))"]
                + part.constituents.prefix(mostListed).map { "  \(RecordText.phrase($0.record, layout))" }
                + (part.constituents.count > mostListed
                    ? ["  and \(Counts.grouped(part.constituents.count - mostListed)) more"] : [])
        }
    }

    private static func versions(_ history: History, _ layout: TextLayout) -> TextTable {
        var table = TextTable(
            [
                .exact("Version"), .right("Copy"), .left("Source"), .exact("Created", leftOut: 1),
                .left("Visible in observations"),
            ],
            indent: 2)
        for version in history.versions {
            let ranges = version.ranges.map { range in
                range.last.map { "\(range.first.id) until before \($0.id)" } ?? "\(range.first.id) to now"
            }
            table.addRow([
                String(version.record.version.hex.prefix(12)), "\(version.record.ordinal)",
                [version.record.sourceName, version.record.sourceVersion].compactMap(\.self).joined(separator: " "),
                layout.time(version.record.creation), ranges.joined(separator: "; "),
            ])
        }
        return table
    }

    private static func events(_ history: History, _ layout: TextLayout) -> TextTable {
        var table = TextTable(
            [
                .right("Observation"), .exact("Observed at"), .left("Change"), .exact("Version"),
                .left("How", leftOut: 1),
            ], indent: 2)
        for event in history.events {
            let change =
                switch event.change {
                case "appeared": "appeared"
                case "disappeared": "no longer visible"
                default: "other representation"
                }
            table.addRow([
                "\(event.observation.id)", layout.time(event.observation.observedAt), change,
                String(event.record.version.hex.prefix(12)), event.evidence.map(Wording.evidence) ?? "",
            ])
        }
        return table
    }

    private static func links(_ history: History, _ layout: TextLayout) -> TextTable {
        var table = TextTable([.right("Observation"), .left("Link"), .left("By"), .left("Sample")], indent: 2)
        for link in history.links {
            table.addRow([
                "\(link.observation.id)", link.isPrevious ? "continues" : "continued by",
                Wording.evidence(link.evidence),
                RecordText.phrase(link.other, layout),
            ])
        }
        return table
    }
}
