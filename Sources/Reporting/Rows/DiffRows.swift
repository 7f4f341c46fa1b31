package import ArchiveAggregating
package import ArchiveComparing
package import ArchiveReading
package import ArchiveRows
internal import HealthModel
package import TextFormats

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
                ]), "types": types,
            ])
    }

    /// A count of all types together.
    func sum(_ count: KeyPath<TypeDiff, Int64>) -> Int64 { types.reduce(0) { $0 + $1[keyPath: count] } }
}

extension DiffSummary.TypeDiff: JSONConvertible {
    /// One type's counts, and its days with the largest differences.
    package var json: JSON {
        .row([
            "type": type, "before": before, "after": after, "appeared": appeared, "disappeared": disappeared,
            "representationChanged": representationChanged,
            "evidence": JSON.object(matchRules.map { ($0.0, $0.1.json) }),
            "changedFields": JSON.object(changedFields.map { ($0.0, $0.1.json) }),
            "labels": labels.map(\.rawValue), "uncertainty": uncertainty.map(\.rawValue),
            "dayCount": days.count, "days": days.largest,
        ])
    }
}

extension ChangedDays.Day: JSONConvertible {
    /// What the day is compared by: that of the later side, else of the earlier one.
    var measure: DayMeasure? { after ?? before }

    /// A day whose aggregate changed.
    package var json: JSON {
        .row([
            "day": label, "measure": measure?.kind.rawValue, "unit": measure?.unit, "before": before?.value,
            "after": after?.value, "difference": difference,
            "labels": labels.map(\.rawValue),
        ])
    }
}

/// One change of `diff --records` with its records.
package enum RecordChange: JSONConvertible {
    case appeared(RecordRow)
    case disappeared(RecordRow)
    case representationChanged(
        matchRule: MatchRule, changedFields: [String], steps: [LineageStep], before: RecordRow, after: RecordRow)

    /// Reads the records of a change that is one of `kinds`; nil for another.
    package init?(_ change: DiffChange, of kinds: Set<DiffChange.Kind>, _ rows: RecordReader) throws {
        guard kinds.contains(change.kind) else { return nil }
        switch change {
        case .appeared(let id): self = .appeared(try rows.fetch(id))
        case .disappeared(let id): self = .disappeared(try rows.fetch(id))
        case .representationChanged(let matchRule, let fields, let steps, let before, let after):
            self = .representationChanged(
                matchRule: matchRule, changedFields: fields, steps: steps, before: try rows.fetch(before),
                after: try rows.fetch(after))
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
            .adding(matchRule == .lineage ? ["steps": steps] : [:])
            .adding(["before": before, "after": after])
        }
    }
}

extension LineageStep: JSONConvertible {
    package var json: JSON { .row(["from": from, "to": to, "evidence": rule.name]) }
}
