package import Analysis
internal import Archive
package import TextFormats

/// A report as data: the page's content with the contract's names.
package enum ComparisonReportJSON {
    /// The whole report as one object.
    package static func object(_ report: ComparisonReport) -> JSON {
        let totals = report.totals
        return [
            "schema": .string(Reporting.schema("report")), "from": ObservationJSON.object(report.from.observation),
            "to": ObservationJSON.object(report.to.observation), "through": .bool(report.through),
            "zone": .optional(report.zone?.name), "rulesVersion": .string(report.rulesVersion),
            "seal": .optional(report.toSeal.map(Method.seal)),
            "evidence": ["from": evidence(report.from, report.fromSeal), "to": evidence(report.to, report.toSeal)],
            "head": [
                "origin": .string(report.head.origin), "sequence": .int(report.head.sequence),
                "sha256": .hex(report.head.head),
            ],
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
            "unknown": ["from": ReportJSON.unknown(report.from.unknown), "to": ReportJSON.unknown(report.to.unknown)],
            "warnings": [
                "from": ReportJSON.warnings(report.from.warnings), "to": ReportJSON.warnings(report.to.warnings),
            ],
            "method": .array(Method.sentences(report).map { .string($0) }),
            "verification": .array(
                Method.verification(report).map { ["command": .string($0.command), "shows": .string($0.shows)] }),
            "queries": QueryJSON.array(report.queries),
        ]
    }

    /// How an export was read, and what is sealed of it.
    private static func evidence(_ side: ObservationReport, _ seal: ComparisonReport.SealNote?) -> JSON {
        [
            "doctypeSHA256": .hex(side.doctypeSHA256), "unreadByteCount": .optional(side.unreadByteCount),
            "libraries": .object(seal?.libraries.map { ($0.name, .string($0.version)) } ?? []),
            "seal": .optional(seal.map(Method.seal)),
        ]
    }

    private static func type(_ type: TypeSection) -> JSON {
        DiffJSON.type(type.diff).adding([
            ("visible", .array(type.counts.map { .int($0) })),
            (
                "consolidation",
                type.consolidation.map { found in
                    ConsolidationJSON.type(found.verdict).adding([
                        ("shown", .array(found.groups.map { ConsolidationJSON.group($0.group, $0.replacements) }))
                    ])
                } ?? .null
            ),
            ("unexplained", .array(type.unexplained.map(RecordJSON.value))),
            ("dailyDifferenceCount", .int(type.dayCount)),
            (
                "dailyDifferences",
                .array(type.days.map { DiffJSON.day($0).adding([("start", .instant($0.start))]) })
            ),
            ("queries", QueryJSON.array(type.queries)),
        ])
    }
}
