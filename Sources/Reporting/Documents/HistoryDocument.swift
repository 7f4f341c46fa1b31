package import ArchiveReading
internal import ArchiveRows
package import Analysis
internal import HealthModel
package import Presentation

extension History {
    /// The sample, its representations, what happened to them, and its links.
    package func document(_ consolidation: [SampleConsolidation.Part], _ zone: DisplayZone) -> Document {
        var document = Document(title: "Sample \(identity.hex)")
        guard let first = versions.first?.record else { return document }
        document.facts([
            ("Type", first.type), ("Start", first.start.map { zone.time($0) }),
            ("End", first.end.map { zone.time($0) }),
            ("Value", first.valueWithUnit), ("Chain", chain), ("Times in", zone.name),
        ])
        document.section("Representations", versionTable(zone))
        document.section("Events", eventTable(zone))
        document.section("Linked samples", linkTable(zone))
        document.section("Consolidation in the export", consolidation.flatMap { $0.lines(zone) })
        return document
    }

    private func versionTable(_ zone: DisplayZone) -> Table {
        var table = Table([
            .exact("Version"), .right("Ordinal"), .left("Source"), .exact("Created", leftOut: 1),
            .left("Visible in observations"),
        ])
        for version in versions {
            let record = version.record
            let ranges = version.ranges.map { range in
                range.last.map { "\(range.first.id) until before \($0.id)" } ?? "\(range.first.id) until now"
            }
            table.addRow([
                record.version.prefix, "\(record.ordinal)",
                [record.sourceName, record.sourceVersion].compactMap(\.self).joined(separator: " "),
                zone.time(record.creation), ranges.joined(separator: "; "),
            ])
        }
        return table
    }

    private func eventTable(_ zone: DisplayZone) -> Table {
        var table = Table([
            .right("Observation"), .exact("Observed at"), .left("Change"), .exact("Version"), .left("How", leftOut: 1),
        ])
        for event in events {
            let change =
                switch event.change {
                case "appeared": "appeared"
                case "disappeared": "no longer visible"
                default: "changed representation"
                }
            table.addRow(
                [
                    "\(event.observation.id)", zone.time(event.observation.observedAt), change,
                    event.record.version.prefix, event.matchRule.map(Wording.matchRule) ?? "",
                ], links: [0: .observation(event.observation.id)])
        }
        return table
    }

    private func linkTable(_ zone: DisplayZone) -> Table {
        var table = Table([.right("Observation"), .left("Link"), .left("By"), .left("Sample")])
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
