internal import Analysis
internal import Archive
internal import Presentation
internal import TextFormats

/// The sentences of a report.
enum Sentences {
    static func type(_ type: TypeSection) -> String {
        let diff = type.diff
        var text = "\(Counts.of(diff.before, "record")) before, \(Counts.grouped(diff.after)) after: "
        text += "\(Counts.grouped(diff.appeared)) appeared, \(Counts.grouped(diff.disappeared)) no longer visible, "
        text += "\(Counts.grouped(diff.representationChanged)) changed representation"
        let why = Wording.reasons(diff.evidence, diff.changedFields, changed: diff.representationChanged)
        return text + (why.isEmpty ? "." : " (\(why)).")
    }

    /// What the whole report comes to.
    static func summary(_ report: ComparisonReport) -> String {
        let totals = report.totals
        var text = "Of \(Counts.of(totals.before, "record")) visible before, "
        func count(_ number: Int64) -> String { Counts.grouped(number) + (number == 1 ? " is" : " are") }
        text += "\(count(totals.before - totals.disappeared)) still visible, "
        text += "\(count(totals.disappeared)) no longer visible in the current observation"
        if totals.explained > 0 {
            text +=
                " (\(Counts.grouped(totals.explained)) of them consolidated into "
                + "\(Counts.of(totals.groups, "group")) of longer records)"
        }
        text += "; \(Counts.of(totals.appeared, "record")) appeared."
        if report.through {
            text +=
                " Before means everything that was visible at any observation from the first up to the last but one."
        }
        return text
    }

    /// By what a group was found, and how much of it was seen.
    static func basis(_ group: ConsolidationGroup) -> String {
        var text =
            group.basis == .condenserIdentifier ? "condenser's identifier" : "interval and total; likely only"
        switch group.completeness {
        case .partial: text += "; not all were ever seen"
        case .none: text += "; none was ever seen"
        case .complete: break
        }
        if let workout = group.workout { text += "; workout \(workout.prefix(8))" }
        return text
    }

    static func evidence(_ verdict: ConsolidationVerdict) -> String {
        let evidence = verdict.evidence
        var sentences: [String] = []
        if evidence.countBefore > 0 {
            var text =
                "\(Counts.of(evidence.countBefore, "record")) stand in \(Counts.of(evidence.countAfter, "longer record"))"
            if evidence.isCumulative {
                text +=
                    "; their sum was \(Wording.rounded(evidence.sumBefore)) and is \(Wording.rounded(evidence.sumAfter))"
                if let unit = evidence.unit { text += " \(unit)" }
            }
            if let overlap = evidence.coverageOverlap {
                text += "; the longer records cover \(Wording.rounded((overlap * 1000).rounded() / 10)) % of their time"
            }
            sentences.append(text + ".")
        }
        if verdict.emptyGroups > 0 {
            sentences.append(
                "What \(Counts.of(verdict.emptyGroups, "group")) of condensed records stand\(verdict.emptyGroups == 1 ? "s" : "") "
                    + "for was never seen in any export of the chain.")
        }
        return (sentences + [Wording.consolidated]).joined(separator: " ")
    }

    /// `2024-05-01 12:00:00`, UTC.
    static func time(_ seconds: Int64) -> String {
        let text = ISO8601.string(unixSeconds: seconds)
        return text.prefix(10) + " " + text.dropFirst(11).prefix(8)
    }

    /// What a table leaves out; nil for a whole one.
    static func remark(_ table: Table, of count: Int64, _ name: String) -> String? {
        guard count > table.rows.count else { return nil }
        return "\(Counts.grouped(table.rows.count)) of \(Counts.grouped(count)) \(name) shown."
    }
}
