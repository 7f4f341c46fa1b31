internal import HealthModel
package import Presentation
package import Questions
package import Store

extension ConsolidationAnswer {
    /// The verdicts by type.
    package func document(_ units: PrintedUnits, _ zone: DisplayZone) -> Document {
        var document = question.document(zone)
        let verdicts = verdicts.filter { $0.groups > 0 || $0.explained + $0.unexplained > 0 }
        guard !verdicts.isEmpty else {
            document.paragraph(
                question.to.status == .partial
                    ? "No record is reported as no longer visible." : "Nothing has disappeared.")
            return document
        }
        for sentence in ConsolidationVerdict.sentences(verdicts, in: question.to.id) { document.paragraph(sentence) }
        var table = Table([
            .name("Type"), .right("Groups"), .right("Explained"), .right("Unexplained"), .right("Into", leftOut: 1),
            .right("Sum before", leftOut: 2), .right("Sum after", leftOut: 2), .left("Unit", leftOut: 2),
            .words("Remarks", leftOut: 3),
        ])
        for verdict in verdicts {
            let evidence = verdict.evidence
            let counts = [verdict.groups, verdict.explained, verdict.unexplained, evidence.countAfter]
            let unit = units.unit(of: verdict.type, canonical: evidence.unit)
            let sums =
                evidence.isCumulative && evidence.countBefore > 0
                ? [evidence.sumBefore, evidence.sumAfter].map { Wording.rounded(unit.value($0)) } + [unit.name ?? ""]
                : ["", "", ""]
            table.addRow(
                [shortIdentifier(verdict.type)] + counts.map(Wording.cell) + sums + [verdict.remarks(unit)],
                links: [
                    1: .comparison(
                        "consolidation/groups", from: question.from.id, to: question.to.id, through: question.through,
                        type: verdict.type)
                ])
        }
        document.append(.table(table))
        let uncertain = verdicts.filter { !$0.uncertainty.isEmpty }
        document.section("Uncertain", uncertain.map { Wording.uncertain($0.type, $0.uncertainty) })
        return document
    }
}

extension ConsolidationQuestion {
    /// Which observations are compared, and what does not follow where one of them is partial.
    package func document(_ zone: DisplayZone) -> Document {
        var document = Wording.comparison(from, to, through: through, zone)
        for sentence in Wording.partial(from, to) { document.paragraph(sentence) }
        return document
    }
}

extension ConsolidationGroup {
    /// The group's title and the records that replace its constituents.
    package func document(_ replacements: [RecordRow], _ units: PrintedUnits, _ zone: DisplayZone) -> Document {
        var parts = [shortIdentifier(type).quoted, Wording.basis(basis)]
        let found = "\(Counts.grouped(evidence.foundCount)) found"
        parts.append(declaredCount.map { "\(found) of \(Counts.grouped($0)) declared" } ?? found)
        let unit = units.unit(of: type, canonical: evidence.unit)
        func printed(_ value: Double) -> String { Wording.rounded(unit.value(value)) }
        if evidence.isCumulative, evidence.constituentCount > 0 {
            parts.append("\(printed(evidence.sumBefore)) into \(printed(evidence.sumAfter)) \(unit.name ?? "")")
        } else if let low = evidence.minimumBefore, let high = evidence.maximumBefore {
            parts.append(
                "\(printed(evidence.sumAfter)) \(unit.name ?? ""), from \(printed(low)) to \(printed(high)) before")
        }
        if let workout { parts.append("workout \(workout)") }
        return Document([
            .title("\(number)  " + parts.joined(separator: ", ")),
            .list(replacements.map { $0.item(zone, marker: "=") }),
        ])
    }
}

extension ConsolidationGroup.Constituent {
    /// A constituent as an entry of its group's list.
    package func document(_ record: RecordRow, _ zone: DisplayZone) -> Document {
        let note = "last visible in \(lastVisibleAt)\(isNested ? ", nested" : "")"
        return Document([.list([record.item(zone, marker: "-", note: note)])])
    }
}

extension ConsolidationVerdict {
    /// How many records are no longer visible in an observation, and how many of them are explained; empty for none.
    package static func sentences(_ verdicts: [ConsolidationVerdict], in observation: Int64) -> [String] {
        let explained = verdicts.reduce(0) { $0 + $1.explained }
        let unexplained = verdicts.reduce(0) { $0 + $1.unexplained }
        guard explained + unexplained > 0 else { return [] }
        let parts = [
            (explained, "merged into longer ones (consolidated in the export)"),
            (unexplained, "unexplained (cause not inferred)"),
        ].filter { $0.0 > 0 }.map { "\(Counts.grouped($0.0)) \($0.1)" }
        let counts = "\(Counts.of(explained + unexplained, "record")) no longer visible in observation \(observation)"
        return ["\(counts): \(parts.joined(separator: ", "))."] + (explained > 0 ? [Wording.consolidated] : [])
    }

    fileprivate func remarks(_ unit: PrintedUnit) -> String {
        var parts: [String] = []
        if partialGroups > 0 {
            parts.append("some originals of \(Counts.of(partialGroups, "group")) are not in the archive")
        }
        if emptyGroups > 0 {
            parts.append("no original of \(Counts.of(emptyGroups, "group")) is in the archive")
        }
        if let change = aggregateChange {
            let sums = [change.sumBefore, change.sumAfter].map { Wording.rounded(unit.value($0)) }
            parts.append("other total: \(sums.joined(separator: " before, ")) after")
        }
        if revisedValues > 0 { parts.append("\(Counts.of(revisedValues, "value")) revised") }
        return parts.joined(separator: "; ")
    }
}
