package import Basics
package import Days
internal import HealthModel
package import History
package import Questions
package import Store

extension DiffSummary: JSONConvertible {
    /// The line of `diff --json`.
    package var json: JSON {
        .line(
            "diff",
            [
                "from": from, "to": to, "through": through, "zone": zone?.name,
                "totals": JSON.row([
                    "before": sum(\.before), "after": sum(\.after), "appeared": sum(\.appeared),
                    "disappeared": sum(\.disappeared), "representationChanged": sum(\.representationChanged),
                ]), "types": types, "sideFiles": sideFiles,
            ])
    }

    /// A count of all types together.
    func sum(_ count: KeyPath<TypeDiff, Int64>) -> Int64 { types.reduce(0) { $0 + $1[keyPath: count] } }
}

extension SideFileDiff: JSONConvertible {
    /// One kind's counts; the contract calls routes so.
    package var json: JSON {
        .row([
            "kind": kind == .workoutRoute ? "route" : kind.rawValue, "appeared": appeared, "disappeared": disappeared,
            "changed": changed,
        ])
    }
}

extension DiffSummary.TypeDiff: JSONConvertible {
    /// One type's counts, and its days with the largest differences.
    package static let columns = Columns<DiffSummary.TypeDiff, Void>(nil) {
        Figure("type", .text, "The type's identifier.") { $0.row.type }
        Figure("before", .count, "Items of the earlier side.") { $0.row.before }
        Figure("after", .count, "Items of the later side.") { $0.row.after }
        Figure("appeared", .count, "Items of the later side alone.") { $0.row.appeared }
        Figure("disappeared", .count, "Items of the earlier side alone.") { $0.row.disappeared }
        Figure("representationChanged", .count, "Items with another representation.") { $0.row.representationChanged }
        Figure("evidence", .counts, "Changed representations by match rule.") { shown in
            JSON.object(shown.row.matchRules.map { ($0.0, $0.1.json) })
        }
        Figure("changedFields", .counts, "Changed representations by field.") { shown in
            JSON.object(shown.row.changedFields.map { ($0.0, $0.1.json) })
        }
        Figure("labels", .list(.text), "What the changes amount to.") { $0.row.labels.map(\.rawValue) }
        Figure("uncertainty", .list(.text), "Why counts may be too high.") { $0.row.uncertainty.map(\.rawValue) }
        Figure("dayCount", .count, "Days whose aggregate changed.") { $0.row.days.count }
        Figure(
            "days", .list(.object(ChangedDays.Day.columns, defined: "day")),
            "Those with the largest differences, at most 20."
        ) { $0.row.days.largest }
    }

    private typealias Figure = Column<DiffSummary.TypeDiff, Void>

    package var json: JSON { Self.columns.json(self, of: ()) }
}

extension ChangedDays.Day: JSONConvertible {
    /// What the day is compared by: that of the later side, else of the earlier one.
    var measure: DayMeasure? { after ?? before }

    /// A day whose aggregate changed.
    package static let columns = Columns<ChangedDays.Day, Void>(nil) {
        Figure("day", .text, "The local day.") { $0.row.label }
        Figure("measure", .choice(["sum", "mean", "count"]).optional, "What is compared.") {
            $0.row.measure?.kind.rawValue
        }
        Figure("unit", .text.optional, "Its unit.") { $0.row.measure?.unit }
        Figure("before", .number().optional, "That of the earlier side.") { $0.row.before?.value }
        Figure("after", .number().optional, "That of the later side.") { $0.row.after?.value }
        Figure("difference", .number().optional, "Later minus earlier.") { $0.row.difference }
        Figure("labels", .list(.text), "What is to be known of it.") { $0.row.labels.map(\.rawValue) }
    }

    private typealias Figure = Column<ChangedDays.Day, Void>

    package var json: JSON { Self.columns.json(self, of: ()) }
}

/// One change of `diff --records` with its records.
package enum RecordChange: JSONConvertible {
    case appeared(RecordRow)
    case disappeared(RecordRow)
    case representationChanged(
        matchRule: MatchRule, changedFields: [String], steps: [LinkStep], before: RecordRow, after: RecordRow)

    /// Reads the records of a change that is one of `kinds`; nil for another.
    package init?(_ change: DiffChange, of kinds: Set<DiffChange.Kind>, _ rows: RecordReader) throws {
        guard kinds.contains(change.kind) else { return nil }
        switch change {
        case .appeared(let id): self = .appeared(try rows.fetch(id))
        case .disappeared(let id): self = .disappeared(try rows.fetch(id))
        case .representationChanged(let matchRule, let steps, let before, let after):
            let (old, new) = (try rows.fetch(before), try rows.fetch(after))
            self = .representationChanged(
                matchRule: matchRule, changedFields: old.changedFields(to: new), steps: steps, before: old, after: new)
        }
    }

    /// The line of `diff --records --json`.
    package var json: JSON {
        switch self {
        case .appeared(let record): .row(["change": DiffChange.Kind.appeared.rawValue, "record": record])
        case .disappeared(let record): .row(["change": DiffChange.Kind.disappeared.rawValue, "record": record])
        case .representationChanged(let matchRule, let changedFields, let steps, let before, let after):
            JSON.row([
                "change": DiffChange.Kind.representationChanged.rawValue, "evidence": matchRule.name,
                "changedFields": changedFields,
            ])
            .adding(steps.isEmpty ? [:] : ["steps": steps])
            .adding(["before": before, "after": after])
        }
    }
}

extension LinkStep: JSONConvertible {
    package var json: JSON { .row(["from": from, "to": to, "evidence": rule.name]) }
}
