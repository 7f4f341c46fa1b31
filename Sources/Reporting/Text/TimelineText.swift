package import Archive
internal import Presentation
internal import TextFormats

/// The observations of a chain, one a line.
package enum TimelineText {
    /// The table.
    package static func table(
        _ entries: [(observation: Observation, totals: ObservationReport.Totals)], chain: String, _ layout: TextLayout
    ) -> String {
        let title = layout.style.bold("Chain \(TerminalText.safe(chain)), times in \(layout.zoneName)") + "\n"
        guard !entries.isEmpty else { return title + "There are no observations yet.\n" }
        var table = TextTable(
            [
                .right("Id"), .exact("Observed at"), .left("Status"), .right("Visible"), .right("Appeared", leftOut: 5),
                .right("No longer visible", leftOut: 6), .right("Changed", leftOut: 4),
                .right("Quarantined", leftOut: 2),
                .left("Source", leftOut: 3), .left("Note", leftOut: 1),
            ])
        for (observation, totals) in entries {
            table.addRow(
                [
                    "\(observation.id)", layout.time(observation.observedAt), observation.status.rawValue,
                    Counts.grouped(totals.visible), Counts.grouped(totals.appeared), Counts.grouped(totals.disappeared),
                    Counts.grouped(totals.representationChanged), Counts.grouped(totals.quarantined),
                    observation.sourceName, observation.note ?? observation.failure ?? "",
                ], dim: !observation.status.isFinished)
        }
        return title + layout.render(table)
    }
}
