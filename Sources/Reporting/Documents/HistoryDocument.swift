internal import HealthModel
package import Presentation
package import Questions
package import Store

extension History {
    /// The sample, its representations, what happened to them, and its links.
    ///
    /// - Parameter observations: those of the chain, whose part with each representation a page draws.
    package func document(
        _ consolidation: [SampleConsolidation.Part], _ zone: DisplayZone, _ observations: [Observation] = []
    ) -> Document {
        var document = Document(title: "Sample \(identity.hex)")
        guard let first = versions.first?.record else { return document }
        document.facts([
            ("Type", first.type.quoted), ("Start", first.start.map { zone.time($0) }),
            ("End", first.end.map { zone.time($0) }),
            ("Value", first.valueWithUnit.quoted), ("Chain", chain), ("Times in", zone.name),
        ])
        document.section("Representations", versionTable(zone))
        if observations.count > 1 { document.append(.charts([rangeChart(observations)])) }
        document.section("Where the representations differ", differenceTable)
        document.section("Events", eventTable(zone))
        document.section("Linked samples", linkTable(zone))
        document.section("Consolidation in the export", consolidation.flatMap { $0.lines(zone) })
        return document
    }

    /// A bar for each range, from left to right along the observations.
    private func rangeChart(_ observations: [Observation]) -> Chart {
        let values = versions.map { version in
            observations.map { observation -> Double? in
                version.ranges.contains { $0.contains(observation) } ? 1 : nil
            }
        }
        return Chart(
            "When each representation was visible",
            "One row for each of \(Counts.of(versions.count, "representation")) in the order of the table, "
                + "\(Counts.of(observations.count, "observation")) from left to right.",
            .matrix(
                .init(
                    rows: versions.indices.map { "\($0 + 1)" }, columns: observations.map { "\($0.id)" },
                    values: values,
                    isMarked: values.map { $0.map { _ in false } })), table: Table([]))
    }

    /// The representations beside each other, field by field; no rows where there is one.
    private var differenceTable: Table {
        let shown = versions.suffix(Self.mostBeside).map(\.record)
        var table = Table([.left("Field")] + shown.map { .left($0.version.prefix) })
        table.marksDifferences = shown.count == 2
        guard shown.count > 1 else { return table }
        for field in RecordFields.compared(shown) where !field.isEqual { table.addRow([field.name] + field.texts) }
        if versions.count > shown.count {
            table.remark =
                "The latest \(shown.count) of \(Counts.of(versions.count, "representation")); the JSON has all."
        }
        return table
    }

    /// Representations that fit beside each other.
    private static let mostBeside = 4

    private func versionTable(_ zone: DisplayZone) -> Table {
        var table = Table([
            .exact("Version"), .right("Ordinal"), .left("Source"), .exact("Created", leftOut: 1),
            .words("Visible in observations"),
        ])
        for version in versions {
            let record = version.record
            let ranges = version.ranges.map { range in
                range.last.map { "\(range.first.id) until before \($0.id)" } ?? "\(range.first.id) until now"
            }
            table.addRow(
                [
                    record.version.prefix, "\(record.ordinal)",
                    [record.sourceName, record.sourceVersion].compactMap(\.self).joined(separator: " "),
                    zone.time(record.creation), ranges.joined(separator: "; "),
                ], instants: [3: record.creation])
        }
        return table
    }

    private func eventTable(_ zone: DisplayZone) -> Table {
        var table = Table([
            .right("Observation"), .exact("Observed at"), .words("Change"), .exact("Version"),
            .words("How", leftOut: 1),
        ])
        for event in events {
            let change =
                switch event.change {
                case .appeared: "appeared"
                case .disappeared: "no longer visible"
                case .representationChanged: "changed representation"
                }
            table.addRow(
                [
                    "\(event.observation.id)", zone.time(event.observation.observedAt), change,
                    event.record.version.prefix, event.matchRule.map(Wording.matchRule) ?? "",
                ], links: [0: .observation(event.observation.id)], instants: [1: event.observation.observedAt])
        }
        return table
    }

    private func linkTable(_ zone: DisplayZone) -> Table {
        var table = Table([.right("Observation"), .words("Link"), .words("By"), .words("Sample")])
        for link in links {
            table.addRow(
                [
                    "\(link.observation.id)", link.isPrevious ? "continues" : "continued by",
                    Wording.matchRule(link.matchRule), link.other.phrase(zone),
                ], links: [0: .observation(link.observation.id), 3: .sample(link.other.identity)])
        }
        return table
    }
}

extension SampleConsolidation.Part {
    /// What the sample is in the group, and the group's other records.
    fileprivate func lines(_ zone: DisplayZone) -> [String] {
        let basis = Wording.basis(group.basis)
        guard role == .replacement else {
            return replacements.map { "consolidated into \($0.phrase(zone))  (\(basis))" }
        }
        let declared = group.declaredCount.map { " of \(Counts.grouped($0)) declared" } ?? ""
        let left = constituents.count - Self.mostListed
        return ["replaces \(Counts.of(group.evidence.foundCount, "record"))\(declared)  (\(basis))"]
            + constituents.prefix(Self.mostListed).map { "  \($0.record.phrase(zone))" }
            + (left > 0 ? ["  and \(Counts.grouped(left)) more"] : [])
    }

    /// Constituents shown to people; `--json` has them all.
    private static let mostListed = 20
}
