package import Analysis
internal import Archive
package import Presentation

/// A report as data: the page's content with the contract's names.
package enum ComparisonReportJSON {
    /// The whole report as one object.
    package static func object(_ report: ComparisonReport) -> JSON {
        let totals = report.totals
        return [
            "schema": .string(Reporting.schema("report")), "from": ObservationJSON.object(report.from.observation),
            "to": ObservationJSON.object(report.to.observation), "through": .bool(report.through),
            "zone": .optional(report.zone), "rulesVersion": .string(report.rulesVersion),
            "seal": .optional(report.seal),
            "totals": [
                "before": .int(totals.before), "after": .int(totals.after), "appeared": .int(totals.appeared),
                "disappeared": .int(totals.disappeared), "representationChanged": .int(totals.representationChanged),
                "explained": .int(totals.explained), "unexplained": .int(totals.disappeared - totals.explained),
            ],
            "timeline": .array(
                report.observations.map { ["id": .int($0.id), "observedAt": .instant($0.observedAt)] }),
            "types": .array(report.types.map(type)),
            "unchanged": .array(report.unchanged.map { ["type": .string($0.type), "count": .int($0.count)] }),
            "caveats": .array(Caveats.all.map { .string($0) }),
            "repairs": ["from": ReportJSON.repairs(report.from.repairs), "to": ReportJSON.repairs(report.to.repairs)],
            "quarantine": [
                "from": ReportJSON.quarantine(report.from.quarantine),
                "to": ReportJSON.quarantine(report.to.quarantine),
            ],
            "queries": QueryJSON.array(report.queries),
        ]
    }

    private static func type(_ type: TypeSection) -> JSON {
        var members: [(String, JSON)] = []
        if case .object(let counts) = DiffJSON.type(type.diff) { members = counts }
        members += [
            ("visible", .array(type.counts.map { .int($0) })),
            ("consolidation", type.consolidation.map(consolidation) ?? .null),
            ("unexplained", .array(type.unexplained.map(RecordJSON.value))),
            ("dayCount", .int(type.dayCount)),
            (
                "days",
                .array(
                    type.days.map {
                        [
                            "day": .string($0.label), "start": .instant($0.start), "before": .double($0.before),
                            "after": .optional($0.after), "unit": .optional($0.unit),
                        ]
                    })
            ),
            ("queries", QueryJSON.array(type.queries)),
        ]
        return .object(members)
    }

    private static func consolidation(_ found: TypeSection.Consolidation) -> JSON {
        let evidence = found.evidence
        return [
            "groups": .int(found.groupCount), "replacements": .int(found.replacements),
            "explained": .int(found.explained),
            "unexplained": .int(found.unexplained),
            "evidence": [
                "countBefore": .int(evidence.countBefore), "countAfter": .int(evidence.countAfter),
                "sumBefore": .optional(evidence.sumBefore), "sumAfter": .optional(evidence.sumAfter),
                "unit": .optional(evidence.unit), "coverageOverlap": .optional(evidence.coverageOverlap),
                "medianIntervalBefore": .optional(evidence.medianIntervalBefore),
                "medianIntervalAfter": .optional(evidence.medianIntervalAfter),
                "densityBefore": .optional(evidence.densityBefore), "densityAfter": .optional(evidence.densityAfter),
            ],
            "shown": .array(found.groups.map(group)),
        ]
    }

    private static func group(_ group: TypeSection.Group) -> JSON {
        [
            "basis": .string(group.basis), "workout": .optional(group.workout),
            "completeness": .string(group.completeness),
            "replacements": .array(group.replacements.map(RecordJSON.value)),
            "constituentCount": .int(group.constituentCount), "declaredCount": .optional(group.declaredCount),
            "sumBefore": .optional(group.sumBefore), "sumAfter": .optional(group.sumAfter),
            "unit": .optional(group.unit),
        ]
    }
}
