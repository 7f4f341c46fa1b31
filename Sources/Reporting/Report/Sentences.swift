internal import Foundation
internal import Presentation
internal import Questions

/// The sentences of a report.
enum Sentences {
    static func type(_ type: TypeSection) -> String {
        let diff = type.diff
        var text = "\(Counts.of(diff.before, "record")) before, \(Counts.grouped(diff.after)) after: "
        text += "\(Counts.grouped(diff.appeared)) appeared, \(Counts.grouped(diff.disappeared)) no longer visible, "
        text += "\(Counts.grouped(diff.representationChanged)) changed representation"
        let why = Wording.reasons(diff.matchRules, diff.changedFields, changed: diff.representationChanged)
        return text + (why.isEmpty ? "." : " (\(why)).")
    }

    /// The result of the whole report, in sentences.
    static func summary(_ report: ComparisonReport) -> String {
        let totals = report.totals
        let first = SideFacts.day(report.from.observation)
        let earlier = report.through ? "exports from \(first) up to it" : "export of \(first)"
        let later = "export of \(SideFacts.day(report.to.observation))"
        let changes =
            "\(Counts.of(totals.appeared, "record")) appeared, and \(Counts.grouped(totals.representationChanged)) only changed "
            + "representation."
        let partial = Wording.partial(report.from.observation, report.to.observation).map { " " + $0 }.joined()
        guard totals.disappeared > 0 else {
            guard report.isWhole else {
                return "No record is reported as no longer visible in the \(later). \(changes)\(partial)"
            }
            return "Nothing has disappeared: the \(later) shows all records of the \(earlier). \(changes)\(partial)"
        }
        var text = "Of \(Counts.of(totals.before, "record")) in the \(earlier), \(Counts.grouped(totals.disappeared)) "
        text += "\(totals.disappeared == 1 ? "is" : "are") no longer visible in the \(later)"
        let unexplained = totals.disappeared - totals.explained
        if totals.explained > 0 {
            let into = merging(totals) == nil ? Counts.of(totals.mergedInto, "longer one") : "longer ones"
            text +=
                ": \(Counts.grouped(totals.explained)) \(totals.explained == 1 ? "was" : "were") merged into \(into)"
            if unexplained > 0 { text += "; for the other \(Counts.grouped(unexplained)) the cause is not inferred" }
        } else {
            text += "; the cause is not inferred"
        }
        return "\(text). \(changes)\(partial)"
    }

    /// How the numbers of merged records belong together; nil where all of them are no longer visible and no others are known of.
    static func merging(_ totals: ComparisonReport.Totals) -> String? {
        let merged = totals.merged
        guard merged.seenBefore + merged.neverSeen + merged.nested > 0 else { return nil }
        return merging(merged, into: totals.mergedInto)
    }

    /// `28,951 records were merged into 918 longer ones: 24,573 that disappeared here, and 4,378 that …`.
    static func merging(_ merged: MergedRecords, into count: Int64) -> String {
        var sentences: [String] = []
        if merged.count > 0 {
            var text = "\(Counts.of(merged.count, "record")) \(merged.count == 1 ? "was" : "were") merged into "
            text += Counts.of(count, "longer one")
            if merged.seenBefore > 0 {
                text += ": \(Counts.grouped(merged.disappeared)) of those no longer visible, and "
                text += "\(Counts.grouped(merged.seenBefore)) that only earlier exports have"
            }
            sentences.append(text + ".")
        }
        if merged.nested > 0 {
            sentences.append(
                "\(Counts.of(merged.nested, "more record")) no longer visible \(merged.nested == 1 ? "was" : "were") merged in two steps."
            )
        }
        if merged.neverSeen > 0 {
            sentences.append(
                "\(Counts.of(merged.neverSeen, "more original")) of longer records \(merged.neverSeen == 1 ? "was" : "were") \(Wording.notFound)."
            )
        }
        return sentences.joined(separator: " ")
    }

    /// By what a group was found, and how much of it was seen.
    static func basis(_ group: ConsolidationGroup) -> String {
        var text = Wording.basis(group.basis)
        switch group.completeness {
        case .partial: text += "; some originals were \(Wording.notFound)"
        case .none: text += "; the originals were \(Wording.notFound)"
        case .complete: break
        }
        if let workout = group.workout { text += "; workout \(workout.prefix(8))" }
        return text
    }

    static func evidence(_ consolidation: TypeSection.Consolidation) -> String {
        let (verdict, unit) = (consolidation.verdict, consolidation.unit)
        let evidence = verdict.evidence
        var sentences: [String] = []
        let merging = merging(consolidation.merged, into: evidence.countAfter)
        if !merging.isEmpty { sentences.append(merging) }
        if evidence.countBefore > 0 {
            var parts: [String] = []
            if evidence.isCumulative {
                let sums = [evidence.sumBefore, evidence.sumAfter].map { Wording.rounded(unit.value($0)) }
                parts.append("Their sum was \(sums[0]) and is \(sums[1])\(unit.name.map { " " + $0 } ?? "")")
            }
            if let overlap = evidence.coverageOverlap {
                let share = Wording.rounded((overlap * 1000).rounded() / 10)
                parts.append("\(parts.isEmpty ? "The" : "the") longer records cover \(share) % of their time")
            }
            if !parts.isEmpty { sentences.append(parts.joined(separator: "; ") + ".") }
        }
        return (sentences + [Wording.consolidated]).joined(separator: " ")
    }

    /// Reports print times in UTC.
    static let utc = DisplayZone(.gmt)

    /// What a table leaves out; nil for a whole one.
    static func remark(_ table: Table, of count: Int64, _ name: String) -> String? {
        guard count > table.rows.count else { return nil }
        return "\(Counts.grouped(table.rows.count)) of \(Counts.grouped(count)) \(name) shown."
    }
}
