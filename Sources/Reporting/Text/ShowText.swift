package import Archive
internal import HealthModel
internal import Presentation
internal import TextFormats

/// One observation for people.
package enum ShowText {
    /// Source and hashes, types with counts and dates, sums, side files and remarks.
    package static func page(_ report: ObservationReport, _ layout: TextLayout) -> String {
        let observation = report.observation
        let name = TerminalText.safe(observation.chain)
        var text =
            layout.style.bold("Observation \(observation.id) of chain \(name): \(observation.status.rawValue)") + "\n"
        let details: [(String, String?)] = [
            ("Program", observation.program), ("File SHA-256", observation.sourceSHA256?.hex),
            ("XML", observation.xmlByteCount.map { Bytes.text($0) }), ("XML SHA-256", observation.xmlSHA256?.hex),
            ("Stream digest", observation.streamDigest?.hex), ("State digest", observation.stateDigest?.hex),
        ]
        text += ReportText.source(observation, more: details, layout)
        text += ReportText.stop(
            line: observation.stoppedLine, byte: observation.stoppedByte, reason: observation.stoppedReason)
        text += layout.section("Types (days in \(layout.zoneName))", types(report, layout))
        text += layout.section("Sums by source (overlap between sources not removed)", sums(report))
        text += ReportText.sideFiles(report.sideFiles.map { ($0.kind, $0.count, $0.byteCount) }, layout)
        return text + ReportText.remarks(report, layout)
    }

    private static func types(_ report: ObservationReport, _ layout: TextLayout) -> TextTable {
        var table = TextTable(
            [
                .name("Type"), .left("Status"), .right("Read", leftOut: 3), .right("Visible"), .right("Appeared"),
                .right("No longer visible"), .right("Changed"), .exact("From", leftOut: 2), .exact("To", leftOut: 1),
            ], indent: 2)
        for run in report.types {
            table.addRow([
                shortIdentifier(run.type), run.status.rawValue, Counts.grouped(run.read), Counts.grouped(run.visible),
                Counts.grouped(run.appeared), Counts.grouped(run.disappeared),
                Counts.grouped(run.representationChanged),
                layout.day(run.earliestStart), layout.day(run.latestEnd),
            ])
        }
        return table
    }

    private static func sums(_ report: ObservationReport) -> TextTable {
        var table = TextTable([.name("Type"), .left("Source"), .right("Sum"), .left("Unit")], indent: 2)
        // Only amounts add up: the sum of all heart rates says nothing to anybody, and is in the JSON for programs.
        for run in report.types where QuantityTypeTable.shared[run.type].isCumulative {
            for sum in run.sums {
                table.addRow([
                    shortIdentifier(run.type), sum.source ?? "-", CanonicalNumber.text(sum.sum) ?? "-", sum.unit ?? "",
                ])
            }
        }
        return table
    }
}
