internal import Basics
internal import Evidence
internal import HealthModel
package import Importing
package import Presentation
package import Questions
internal import Store

extension ObservationReport {
    /// The summary after an import.
    ///
    /// - Parameter file: what the export's file is called among several; nil for one alone.
    package func importDocument(_ outcome: ImportOutcome, _ file: String?, _ zone: DisplayZone) -> Document {
        var document = Document(title: file.map { "\($0): \(title)" } ?? title)
        if outcome.alreadyImported {
            let export = outcome.otherFile.map { "\($0.name) has the XML of this observation, which" } ?? "This export"
            document.paragraph(
                outcome.supplemented
                    ? "\(export) had been imported before; what the observation lacked was added."
                    : "\(export) had been imported before; nothing was added.")
        }
        let records =
            "\(Counts.grouped(totals.read)) read, \(Counts.grouped(totals.visible)) visible in "
            + Counts.of(types.filter { $0.visible > 0 }.count, "type")
        document.source(observation, more: [("Records", records)], zone)
        if observation.position == 1 { addFirst(to: &document, zone) } else { addChanges(to: &document) }
        document.findings(findings)
        document.remarks(repairs, quarantine, unknown, warnings)
        return document
    }

    /// The line over what is shown of an observation.
    private var title: String {
        "Observation \(observation.id) of chain \(observation.chain): \(observation.status.rawValue)"
    }

    private func addFirst(to document: inout Document, _ zone: DisplayZone) {
        document.paragraph("This is the chain's first observation; there is nothing to compare it with.", .apart)
        var table = Table([.name("Type"), .right("Records"), .exact("From"), .exact("To")])
        for run in types where run.visible > 0 {
            table.addRow(
                [shortIdentifier(run.type), Counts.grouped(run.visible)] + zone.days(run.earliestStart, run.latestEnd))
        }
        document.append(.table(table))
    }

    private func addChanges(to document: inout Document) {
        document.paragraph(
            Wording.changes(
                appeared: totals.appeared, disappeared: totals.disappeared, changed: totals.representationChanged,
                current: "this observation", isExplained: true), .apart)
        var changes = ChangeTable(sizes: ["Visible"])
        for run in types {
            changes.add(
                run.label, sizes: [run.visible], appeared: run.appeared, disappeared: run.disappeared,
                changed: run.representationChanged, matchRules: run.matchRules.map { ($0.name, $0.count) },
                fields: run.changedFields.map { ($0.name, $0.count) }, isAlwaysShown: run.status != .completed)
        }
        changes.append(to: &document)
    }

    /// A neighbour in the chain, with its visible records by type.
    package typealias Neighbour = (id: Int64, visible: [String: Int64])

    /// What `show` shows: source and hashes, types with counts and dates, sums, side files and remarks.
    ///
    /// - Parameters:
    ///   - isSimple: whether the page is short: all counts, and no more.
    ///   - previous: the observation before it, which counts of changes lead to.
    ///   - neighbours: whose counts stand beside the types, and lead to the same type there.
    ///   - explained: how many of a type's records that are no longer visible an analysis explains; nil where there is none.
    ///   - months: drawn beside the types; nil for none.
    package func showDocument(
        _ zone: DisplayZone, isSimple: Bool = false, previous: Int64? = nil, neighbours: [Neighbour] = [],
        explained: [String: Int64]? = nil, months: MonthSparks? = nil, _ units: DisplayUnits = .metric
    ) -> Document {
        let sparks = months?.byType
        var document = Document(title: title)
        let details: [(String, String?)] = [
            ("Program", observation.program), ("File SHA-256", observation.sourceSHA256?.hex),
            ("XML", observation.xmlByteCount.map { Bytes.text($0) }), ("XML SHA-256", observation.xmlSHA256?.hex),
            ("Stream digest", observation.streamDigest?.hex), ("State digest", observation.stateDigest?.hex),
        ]
        document.source(observation, more: details, zone)
        var table = Table(
            [
                .name("Type"), .words("Status"), .right("Read", leftOut: 3), .right("Visible"), .right("Appeared"),
                .right("No longer visible"), .right("Changed"), .exact("From", leftOut: 2), .exact("To", leftOut: 1),
            ] + neighbours.map { .right("In observation \($0.id)") } + (sparks == nil ? [] : [.words("Months")]))
        for run in types {
            let others = neighbours.map { (id: $0.id, count: $0.visible[run.type] ?? 0) }
            var links = isSimple ? [:] : run.links(from: 3, at: observation.id, since: previous)
            links[0] = .type(run.type)
            for (index, other) in others.enumerated() where other.count > 0 {
                links[9 + index] = .records(at: other.id, type: run.type)
            }
            var counts = ([run.read] + run.counts).map { isSimple && $0 == 0 ? "" : Wording.cell($0) }
            if run.disappeared > 0 {
                counts[3] = Wording.gone(run.disappeared, explained: explained.map { $0[run.type] ?? 0 })
            }
            table.addRow(
                [shortIdentifier(run.type), run.completeness] + counts
                    + zone.days(run.earliestStart, run.latestEnd) + others.map { Wording.cell($0.count) }
                    + [sparks?.months ?? ""],
                links: links, drawings: sparks.map { [9 + others.count: $0.counts[run.type] ?? []] } ?? [:])
        }
        let complete = types.count { $0.status == .completed }
        document.section(
            "Types, \(Counts.grouped(complete)) of \(Counts.grouped(types.count)) complete (days in \(zone.name))",
            table)
        document.section("Sums by source (overlap between sources is not removed)", sums(units, isSimple: isSimple))
        document.findings(findings)
        document.sideFiles(sideFiles.map { ($0.kind, $0.count, $0.byteCount) })
        document.remarks(repairs, quarantine, unknown, warnings)
        return document
    }

    private func sums(_ units: DisplayUnits, isSimple: Bool) -> Table {
        var table = Table([.name("Type"), .left("Source"), .right("Sum"), .left("Unit")])
        // Only amounts add up: the sum of all heart rates says nothing to anybody, and is in the JSON for programs.
        for run in types where QuantityTypeTable.shared[run.type].isCumulative {
            for sum in run.sums {
                let (value, unit) = units.texts(sum.sum, sum.unit)
                table.addRow(
                    [shortIdentifier(run.type), sum.source ?? "-", value, unit],
                    links: isSimple
                        ? [:] : [1: sum.source.map { .records(at: observation.id, type: run.type, source: $0) }])
            }
        }
        return table
    }

    /// The observations of a chain, one a line, in the order in which they are given.
    ///
    /// - Parameter explained: how many of the records that are no longer visible an analysis explains, by observation.
    package static func timelineDocument(
        _ entries: [TimelineEntry], chain: String, _ zone: DisplayZone, explained: [Int64: Int64] = [:]
    ) -> Document {
        var document = Document(title: "Chain \(chain), times in \(zone.name)")
        guard !entries.isEmpty else {
            document.paragraph("There are no observations yet.")
            return document
        }
        var table = Table([
            .right("Id"), .exact("Observed at"), .words("Status"), .right("Visible"), .right("Appeared", leftOut: 7),
            .right("No longer visible", leftOut: 8), .right("Changed", leftOut: 6), .right("Quarantined", leftOut: 4),
            .left("Source", leftOut: 5), .words("Note", leftOut: 3), .exact("Phone's offset", leftOut: 2),
            .exact("Seal", leftOut: 1),
        ])
        for (entry, next) in zip(entries, entries.dropFirst().map(Optional.some) + [nil]) {
            let (observation, totals) = (entry.observation, entry.totals)
            let counts = [
                totals.visible, totals.appeared, totals.disappeared, totals.representationChanged, totals.quarantined,
            ]
            var texts = counts.map { Counts.grouped($0) }
            if totals.disappeared > 0 {
                texts[2] = Wording.gone(totals.disappeared, explained: explained[observation.id])
            }
            table.addRow(
                ["\(observation.id)", zone.time(observation.observedAt), observation.status.rawValue]
                    + texts
                    + [
                        observation.sourceName, observation.remarks,
                        observation.offsetSeconds.map(ISO8601.offsetText) ?? "",
                        entry.seal.map { "✓ \($0)" } ?? "",
                    ],
                dim: !observation.status.isFinished, links: links(entry, changes: counts[1...3]),
                instants: [1: observation.observedAt], between: next.map { span(observation, $0.observation) })
        }
        document.append(.table(table))
        return document
    }

    /// Where the cells of an observation in the timeline lead to: itself, its records, and what it changed.
    private static func links(
        _ entry: TimelineEntry, changes: ArraySlice<Int64>
    ) -> [Int: Document.Link?] {
        guard entry.observation.status.isFinished else { return [:] }
        let id = entry.observation.id
        var links: [Int: Document.Link?] = [0: .observation(id), 1: .observation(id), 3: .records(at: id)]
        for (index, count) in changes.enumerated() where count > 0 {
            links[4 + index] = .comparison(from: entry.previous, to: id)
        }
        return links
    }

    /// `29 days`, between two observations.
    private static func span(_ first: Observation, _ second: Observation) -> String {
        Counts.of(Int64((first.observedAt - second.observedAt).magnitude) / 86_400, "day")
    }
}
