package import Archive
package import TextFormats

/// The line of `timeline --json`.
package enum TimelineJSON {
    /// All observations with their totals.
    package static func line(_ entries: [(observation: Observation, totals: ObservationReport.Totals)]) -> JSON {
        [
            "schema": .string(Reporting.schema("timeline")),
            "observations": .array(
                entries.map {
                    .object(ObservationJSON.members($0.observation) + [("totals", ReportJSON.totals($0.totals))])
                }),
        ]
    }
}
