package import Analysis
package import Archive
internal import Foundation
internal import HealthModel
internal import Presentation
internal import TextFormats

/// Consolidation for people.
package enum ConsolidationText {
    /// The verdicts by type.
    package static func page(_ answer: ConsolidationAnswer, _ layout: TextLayout) -> String {
        var text = heading(answer.question, layout)
        let verdicts = answer.verdicts.filter { $0.groups > 0 || $0.explained + $0.unexplained > 0 }
        let explained = verdicts.reduce(0) { $0 + $1.explained }
        let unexplained = verdicts.reduce(0) { $0 + $1.unexplained }
        guard !verdicts.isEmpty else { return text + "No record is no longer visible.\n" }
        text +=
            "\(Counts.of(explained + unexplained, "record")) no longer visible in observation \(answer.question.to.id): "
        text += "\(Counts.grouped(explained)) consolidated in the export, "
        text += "\(Counts.grouped(unexplained)) unexplained (cause not inferred).\n"
        if explained > 0 {
            text += "Consolidated in the export; the phone's own store may still hold the inner points.\n"
        }
        var table = TextTable(
            [
                .name("Type"), .right("Groups"), .right("Explained"), .right("Unexplained"),
                .right("Into", leftOut: 1),
                .right("Sum before", leftOut: 2), .right("Sum after", leftOut: 2), .left("Unit", leftOut: 2),
                .left("Remarks", leftOut: 3),
            ], indent: 2)
        for verdict in verdicts {
            let hasSum = verdict.evidence.isCumulative && verdict.evidence.countBefore > 0
            func cell(_ count: Int64) -> String { count == 0 ? "·" : Counts.grouped(count) }
            table.addRow([
                shortIdentifier(verdict.type), cell(verdict.groups), cell(verdict.explained), cell(verdict.unexplained),
                cell(verdict.evidence.countAfter), hasSum ? number(verdict.evidence.sumBefore) : "",
                hasSum ? number(verdict.evidence.sumAfter) : "", hasSum ? verdict.evidence.unit ?? "" : "",
                remarks(verdict),
            ])
        }
        text += layout.render(table)
        let uncertain = verdicts.filter { !$0.uncertainty.isEmpty }.map {
            "\(shortIdentifier($0.type)): \($0.uncertainty.joined(separator: ", "))"
        }
        return text + layout.section("Uncertain", uncertain)
    }

    /// Which observations are compared.
    package static func heading(_ question: ConsolidationQuestion, _ layout: TextLayout) -> String {
        DiffText.heading(question.from, question.to, through: question.through, layout)
    }

    /// The line over a group.
    package static func head(of group: ConsolidationGroup, _ layout: TextLayout) -> String {
        let evidence = group.evidence
        var parts = [shortIdentifier(group.type)]
        parts.append(group.basis == .condenserIdentifier ? "condenser identifier" : "interval and total: likely")
        let found = "\(Counts.grouped(evidence.foundCount)) found"
        parts.append(group.declaredCount.map { "\(found) of \(Counts.grouped($0))" } ?? found)
        if evidence.isCumulative, evidence.constituentCount > 0 {
            let unit = evidence.unit ?? ""
            parts.append("\(number(evidence.sumBefore)) into \(number(evidence.sumAfter)) \(unit)")
        } else if let low = evidence.minimumBefore, let high = evidence.maximumBefore {
            let unit = evidence.unit ?? ""
            parts.append("\(number(evidence.sumAfter)) of \(number(low)) to \(number(high)) \(unit)")
        }
        if let workout = group.workout { parts.append("workout \(workout)") }
        return layout.style.bold(TerminalText.safe("\(group.number)  " + parts.joined(separator: ", "))) + "\n"
    }

    /// A constituent.
    package static func line(
        _ constituent: ConsolidationGroup.Constituent, _ record: RecordRow, _ layout: TextLayout
    ) -> String {
        "  - \(RecordText.phrase(record, layout))  "
            + layout.style.dim(
                "(last visible in \(constituent.lastVisibleAt)\(constituent.isNested ? ", nested" : ""))") + "\n"
    }

    private static func remarks(_ verdict: ConsolidationVerdict) -> String {
        var parts: [String] = []
        if verdict.partialGroups > 0 { parts.append("\(Counts.of(verdict.partialGroups, "group")) partly seen") }
        if verdict.emptyGroups > 0 { parts.append("\(Counts.of(verdict.emptyGroups, "group")) of records never seen") }
        if let change = verdict.aggregateChange {
            parts.append("other total: \(number(change.sumBefore)) and \(number(change.sumAfter))")
        }
        if verdict.revisedValues > 0 { parts.append("\(Counts.of(verdict.revisedValues, "value")) revised") }
        return parts.joined(separator: "; ")
    }

    /// Six significant digits: what an export has.
    private static func number(_ value: Double) -> String {
        Double(String(format: "%.6g", value)).flatMap { CanonicalNumber.text($0) } ?? "-"
    }
}
