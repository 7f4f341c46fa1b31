package import Archive
package import TextFormats

/// The line of `show --json`.
package enum ShowJSON {
    /// One observation's line.
    package static func line(_ report: ObservationReport) -> JSON {
        [
            "schema": .string(Reporting.schema("show")), "observation": ObservationJSON.object(report.observation),
            "totals": ReportJSON.totals(report.totals), "types": .array(report.types.map(type)),
            "repairs": ReportJSON.repairs(report.repairs), "quarantine": ReportJSON.quarantine(report.quarantine),
            "unknown": ReportJSON.unknown(report.unknown), "warnings": ReportJSON.warnings(report.warnings),
            "sideFiles": .array(
                report.sideFiles.map {
                    ["kind": .string($0.kind), "count": .int($0.count), "byteCount": .int($0.byteCount)]
                }),
        ]
    }

    private static func type(_ run: ObservationReport.TypeRun) -> JSON {
        let sums = run.sums.map { sum -> JSON in
            ["source": .optional(sum.source), "unit": .optional(sum.unit), "sum": .double(sum.sum)]
        }
        return .object(
            ReportJSON.type(run) + [
                ("earliestStart", .instant(run.earliestStart)), ("latestEnd", .instant(run.latestEnd)),
                ("sums", .array(sums)),
            ])
    }
}
