package import Archive
package import TextFormats

/// The line of `import --json`.
package enum ImportJSON {
    /// One export's line.
    package static func line(_ report: ObservationReport, alreadyImported: Bool, supplemented: Bool) -> JSON {
        [
            "schema": .string(Reporting.schema("import")), "alreadyImported": .bool(alreadyImported),
            "supplemented": .bool(supplemented), "observation": ObservationJSON.object(report.observation),
            "totals": ReportJSON.totals(report.totals),
            "types": .array(report.types.map { .object(ReportJSON.type($0)) }),
            "repairs": ReportJSON.repairs(report.repairs), "quarantine": ReportJSON.quarantine(report.quarantine),
            "unknown": ReportJSON.unknown(report.unknown), "warnings": ReportJSON.warnings(report.warnings),
        ]
    }
}
