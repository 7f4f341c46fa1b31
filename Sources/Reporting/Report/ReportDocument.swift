internal import HealthModel
package import Presentation
package import Questions
internal import Store

extension ComparisonReport {
    /// A report for people: which exports, what differs and how much of it is explained; a section for each type; what it does
    /// to workouts and days; how it was made, and how it can be checked.
    package func document(_ impact: ReportImpact) -> Document {
        var document = Document(title: "Two Health exports compared")
        document.paragraph(Sentences.summary(self))
        if !selection.isEmpty {
            document.paragraph("Only these types: \(selection.map(\.quoted).joined(separator: ", ")).")
        }
        if let merging = Sentences.merging(totals) { document.paragraph(merging) }
        document.append(
            .sides([
                .init("Before: observation \(from.observation.id)", SideFacts.facts(from)),
                .init("After: observation \(to.observation.id)", SideFacts.facts(to)),
            ]), .figures(figures), .queries(queries.map(\.shown)))
        addTypes(to: &document)
        for (index, type) in types.enumerated() { type.append(to: &document, anchor: Self.anchor(index), self) }
        document.append(impact.blocks)
        addMethod(to: &document)
        return document
    }

    /// What a browser's tab shows of the report.
    package var pageTitle: String {
        "Health exports of \(SideFacts.day(from.observation)) and \(SideFacts.day(to.observation)) compared"
    }

    private var figures: [Document.Figure] {
        let totals = totals
        let unexplained =
            "\(Counts.grouped(totals.disappeared - totals.explained)) of \(Counts.grouped(totals.disappeared)) no longer visible are unexplained"
        return [
            .init(totals.appeared, "record", "appeared", meaning: "visible after, not before"),
            .init(
                totals.disappeared, "record", "no longer visible",
                meaning: "visible before, not after"),
            .init(
                totals.representationChanged, "record", "changed representation",
                meaning: "the same records under another name, unit or text"),
            .init(
                totals.explained, "record", "merged into longer ones",
                meaning: unexplained
                    + (totals.explained > 0 ? "; the phone's own store may still hold the inner points" : ""),
                share: totals.disappeared > 0 ? Double(totals.explained) / Double(totals.disappeared) : 0),
        ]
    }

    private func addTypes(to document: inout Document) {
        document.append(.heading("Types with differences"))
        var table = Table([
            .name("Type"), .right("Before"), .right("After"), .right("Appeared"), .right("No longer visible"),
            .right("Of these merged"), .right("Representation changed"),
        ])
        for (index, type) in types.enumerated() {
            let counts = [
                type.diff.before, type.diff.after, type.diff.appeared, type.diff.disappeared,
                type.consolidation?.verdict.explained ?? 0, type.diff.representationChanged,
            ]
            table.addRow([shortIdentifier(type.diff.type)] + counts.map(Wording.cell), anchor: Self.anchor(index))
        }
        document.append(
            types.isEmpty ? .paragraph("No type differs between the two observations.") : .table(table))
        guard !unchanged.isEmpty else { return }
        let names = unchanged.map { "\(shortIdentifier($0.type).quoted) (\(Counts.grouped($0.count)))" }
        document.append(
            .folded(
                Counts.of(unchanged.count, "type") + " without any difference", [.list(names.map { .init($0) })]))
    }

    private func addMethod(to document: inout Document) {
        document.append(.heading("Method"))
        document.append(Method.sentences(self).map { .paragraph($0) })
        document.append(
            .heading("Caveats"), .list(Caveats.all.map { .init($0) }), .heading("Files and digests"),
            .sides([Method.side("Before", from, fromSeal), Method.side("After", to, toSeal)]),
            .paragraph(Method.head(self)), .heading("How to verify"),
            .list(Method.verification(self).map { .init("\($0.command): \($0.shows)") }))
    }

    /// Where a type's section is; its number, because identifiers come from the export.
    private static func anchor(_ index: Int) -> String { "type-\(index + 1)" }
}

extension PrintedQuery {
    /// The query as a part of a document.
    package var shown: Document.Query { .init(title, sql) }
}
