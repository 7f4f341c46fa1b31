internal import Days
internal import HealthModel
internal import Presentation
internal import Questions
internal import Store

extension TypeSection {
    /// Appends the type's section: charts, groups with their evidence, records that nothing explains, and the queries.
    func append(to document: inout Document, anchor: String, _ report: ComparisonReport) {
        document.append(
            .heading(shortIdentifier(diff.type).quoted, anchor: anchor), .paragraph(diff.type.quoted, .remark),
            .paragraph(Sentences.type(self)))
        if !diff.labels.isEmpty { document.append(.labels(diff.labels.map(\.rawValue))) }
        if !diff.uncertainty.isEmpty {
            document.paragraph(
                "Uncertain: " + diff.uncertainty.map(Wording.uncertainty).joined(separator: "; "), .remark)
        }
        let density = consolidation?.verdict.densityChart("Density and interval length")
        document.append(.charts([countChart(report)] + [density, dayChart(report)].compactMap(\.self)))
        if let consolidation, consolidation.verdict.groups > 0 {
            document.append(
                .subheading("Consolidation: \(Counts.of(consolidation.verdict.groups, "group"))"),
                .paragraph(Sentences.evidence(consolidation)), .table(groupTable(consolidation)))
        }
        let unexplainedCount = consolidation?.verdict.unexplained ?? diff.disappeared
        if unexplainedCount > 0 {
            document.append(
                .subheading("No longer visible, unexplained: \(Counts.grouped(unexplainedCount))"),
                .table(unexplainedTable(unexplainedCount)))
        }
        document.append(.queries(queries.map(\.shown)))
    }

    /// The first groups with their evidence.
    private func groupTable(_ consolidation: Consolidation) -> Table {
        let what = isCumulative ? "Sum" : "Mean"
        let unit = consolidation.unit
        var table = Table([
            .words("First record (UTC)"), .words("Evidence"), .right("Replacements"), .right("Found"),
            .right("Declared"), .right("\(what) before"), .right("\(what) after"), .left("Unit"),
        ])
        for shown in consolidation.groups {
            let evidence = shown.group.evidence
            let counts = [Int64(shown.group.replacements.count), evidence.foundCount]
            let before =
                evidence.constituentCount == 0 ? nil : isCumulative ? evidence.sumBefore : evidence.meanBefore
            table.addRow(
                [Sentences.utc.time(shown.replacements.compactMap(\.start).min()), Sentences.basis(shown.group)]
                    + counts.map { Counts.grouped($0) } + [
                        shown.group.declaredCount.map { Counts.grouped($0) } ?? "-",
                        Wording.rounded(before.map(unit.value)), Wording.rounded(unit.value(evidence.sumAfter)),
                        unit.name ?? "",
                    ])
        }
        table.remark = Sentences.remark(table, of: consolidation.verdict.groups, "groups")
        return table
    }

    /// The first records that nothing explains.
    private func unexplainedTable(_ count: Int64) -> Table {
        var table = Table([
            .words("Start (UTC)"), .words("End (UTC)"), .right("Value"), .left("Unit"), .left("Source"),
            .hash("Identity"),
        ])
        for record in unexplained {
            table.addRow([
                Sentences.utc.time(record.start), Sentences.utc.time(record.end),
                DisplayUnits.metric.texts(record).value.quoted, record.unit ?? "", record.sourceName ?? "",
                record.identity.prefix,
            ])
        }
        table.remark = Sentences.remark(table, of: count, "records")
        return table
    }
}
