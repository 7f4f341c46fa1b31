package import ArchiveReading
package import ArchiveRows
internal import ArchiveSealing
internal import HealthModel
package import Importing
package import Presentation
internal import TextFormats

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
                current: "this observation"), .apart)
        var changes = ChangeTable(sizes: ["Visible"])
        for run in types {
            changes.add(
                run.label, sizes: [run.visible], appeared: run.appeared, disappeared: run.disappeared,
                changed: run.representationChanged, evidence: run.evidence.map { ($0.name, $0.count) },
                fields: run.changedFields.map { ($0.name, $0.count) }, isAlwaysShown: run.status != .completed)
        }
        changes.append(to: &document)
    }

    /// What `show` shows: source and hashes, types with counts and dates, sums, side files and remarks.
    package func showDocument(_ zone: DisplayZone) -> Document {
        var document = Document(title: title)
        let details: [(String, String?)] = [
            ("Program", observation.program), ("File SHA-256", observation.sourceSHA256?.hex),
            ("XML", observation.xmlByteCount.map { Bytes.text($0) }), ("XML SHA-256", observation.xmlSHA256?.hex),
            ("Stream digest", observation.streamDigest?.hex), ("State digest", observation.stateDigest?.hex),
        ]
        document.source(observation, more: details, zone)
        var table = Table([
            .name("Type"), .left("Status"), .right("Read", leftOut: 3), .right("Visible"), .right("Appeared"),
            .right("No longer visible"), .right("Changed"), .exact("From", leftOut: 2), .exact("To", leftOut: 1),
        ])
        for run in types {
            let counts = [run.read, run.visible, run.appeared, run.disappeared, run.representationChanged]
            table.addRow(
                [shortIdentifier(run.type), run.status.rawValue] + counts.map { Counts.grouped($0) }
                    + zone.days(run.earliestStart, run.latestEnd))
        }
        document.section("Types (days in \(zone.name))", table)
        document.section("Sums by source (overlap between sources is not removed)", sums)
        document.sideFiles(sideFiles.map { ($0.kind, $0.count, $0.byteCount) })
        document.remarks(repairs, quarantine, unknown, warnings)
        return document
    }

    private var sums: Table {
        var table = Table([.name("Type"), .left("Source"), .right("Sum"), .left("Unit")])
        // Only amounts add up: the sum of all heart rates says nothing to anybody, and is in the JSON for programs.
        for run in types where QuantityTypeTable.shared[run.type].isCumulative {
            for sum in run.sums {
                table.addRow([
                    shortIdentifier(run.type), sum.source ?? "-", CanonicalNumber.text(sum.sum) ?? "-", sum.unit ?? "",
                ])
            }
        }
        return table
    }

    /// The observations of a chain, one a line.
    package static func timelineDocument(
        _ entries: [(observation: Observation, totals: Totals)], chain: String, _ zone: DisplayZone
    ) -> Document {
        var document = Document(title: "Chain \(chain), times in \(zone.name)")
        guard !entries.isEmpty else {
            document.paragraph("There are no observations yet.")
            return document
        }
        var table = Table([
            .right("Id"), .exact("Observed at"), .left("Status"), .right("Visible"), .right("Appeared", leftOut: 5),
            .right("No longer visible", leftOut: 6), .right("Changed", leftOut: 4), .right("Quarantined", leftOut: 2),
            .left("Source", leftOut: 3), .left("Note", leftOut: 1),
        ])
        for (observation, totals) in entries {
            let counts = [
                totals.visible, totals.appeared, totals.disappeared, totals.representationChanged, totals.quarantined,
            ]
            table.addRow(
                ["\(observation.id)", zone.time(observation.observedAt), observation.status.rawValue]
                    + counts.map { Counts.grouped($0) }
                    + [observation.sourceName, observation.note ?? observation.failure ?? ""],
                dim: !observation.status.isFinished)
        }
        document.append(.table(table))
        return document
    }
}
