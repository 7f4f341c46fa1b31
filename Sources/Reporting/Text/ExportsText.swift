package import Archive
internal import Presentation

/// The recorded exports, one a line.
package enum ExportsText {
    /// The table.
    package static func table(_ entries: [(export: RecordedExport, status: String)], _ layout: TextLayout) -> String {
        let title = layout.style.bold("Exports, times in \(layout.zoneName)") + "\n"
        guard !entries.isEmpty else { return title + "None is recorded.\n" }
        var table = TextTable(
            [
                .right("Id"), .exact("Recorded at"), .left("Kind"), .right("From"), .right("To"), .right("Items"),
                .left("Status"), .exact("Manifest hash", leftOut: 1),
            ])
        for (export, status) in entries {
            table.addRow(
                [
                    "\(export.id)", layout.time(Int64(export.recordedAt)), export.kind,
                    export.fromObservation.map(String.init) ?? "", export.toObservation.map(String.init) ?? "",
                    Counts.grouped(export.recordCount), status, String(export.manifestHash.prefix(16)),
                ])
        }
        return title + layout.render(table)
    }
}
