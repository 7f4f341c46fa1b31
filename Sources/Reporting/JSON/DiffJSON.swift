package import Archive
package import TextFormats

/// The lines of `diff --json`, without and with `--records`.
package enum DiffJSON {
    /// The counts of a diff.
    package static func line(_ diff: DiffSummary) -> JSON {
        let totals = DiffTotals(diff)
        return [
            "schema": .string(Reporting.schema("diff")), "from": ObservationJSON.object(diff.from),
            "to": ObservationJSON.object(diff.to), "through": .bool(diff.through), "zone": .optional(diff.zone?.name),
            "totals": [
                "before": .int(totals.before), "after": .int(totals.after), "appeared": .int(totals.appeared),
                "disappeared": .int(totals.disappeared), "representationChanged": .int(totals.representationChanged),
            ],
            "types": .array(diff.types.map(type)),
        ]
    }

    /// A record that appeared or disappeared.
    package static func appendLine(_ change: String, _ record: RecordRow, to out: inout JSONWriter) {
        out.append(raw: "{\"change\":\"\(change)\",\"record\":")
        RecordJSON.append(record, to: &out)
        out.append(raw: "}\n")
    }

    /// Two linked representations.
    package static func appendLine(
        evidence: String, changedFields: [String], before: RecordRow, after: RecordRow, to out: inout JSONWriter
    ) {
        out.append(raw: "{\"change\":\"representationChanged\",\"evidence\":")
        out.append(evidence)
        out.append(raw: ",\"changedFields\":")
        out.append(JSON.array(changedFields.map { .string($0) }))
        out.append(raw: ",\"before\":")
        RecordJSON.append(before, to: &out)
        out.append(raw: ",\"after\":")
        RecordJSON.append(after, to: &out)
        out.append(raw: "}\n")
    }

    /// One type's counts, and its days with the largest differences.
    static func type(_ type: DiffSummary.TypeDiff) -> JSON {
        [
            "type": .string(type.type), "before": .int(type.before), "after": .int(type.after),
            "appeared": .int(type.appeared), "disappeared": .int(type.disappeared),
            "representationChanged": .int(type.representationChanged),
            "evidence": .object(type.evidence.map { ($0.0, .int($0.1)) }),
            "changedFields": .object(type.changedFields.map { ($0.0, .int($0.1)) }),
            "labels": .array(type.labels.map { .string($0) }),
            "uncertainty": .array(type.uncertainty.map { .string($0) }), "dayCount": .int(type.days.count),
            "days": .array(type.days.largest.map(day)),
        ]
    }

    /// A day whose aggregate changed.
    static func day(_ day: ChangedDays.Day) -> JSON {
        let measure = day.after ?? day.before
        return [
            "day": .string(day.label), "measure": .optional(measure?.kind.rawValue), "unit": .optional(measure?.unit),
            "before": .optional(day.before?.value), "after": .optional(day.after?.value),
            "difference": .optional(day.difference),
        ]
    }
}
