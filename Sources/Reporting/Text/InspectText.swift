internal import Archive
internal import HealthModel
internal import Presentation
internal import TextFormats

/// What an export says of itself, for people.
package enum InspectText {
    /// One export.
    package static func page(_ report: InspectReport, _ layout: TextLayout) -> String {
        var text = layout.style.bold(TerminalText.safe(report.sourceName)) + "\n"
        text += layout.facts([
            ("Main XML", report.sourceForm == "xml" ? nil : report.sourceMember),
            ("File", report.sourceForm == "folder" ? nil : Bytes.text(report.sourceByteCount)),
            ("File SHA-256", report.sourceSHA256?.hex), ("XML", Bytes.text(report.xmlByteCount)),
            ("XML SHA-256", report.xmlSHA256?.hex),
            ("Exported at", "\(layout.time(report.observedAt)) \(layout.zoneName)"),
            ("Offset", report.offsetSeconds.map { ReportText.offset($0) }), ("Locale", report.locale),
            ("Export version", report.exportVersion), ("Stream digest", report.streamDigest),
            ("Items", "\(Counts.grouped(report.readCount)) in \(Counts.of(report.types.count, "type"))"),
        ])
        text += ReportText.stop(line: report.stop?.line, byte: report.stop?.byte, reason: report.stop?.reason)
        var table = TextTable([.name("Type"), .right("Items"), .exact("From"), .exact("To")], indent: 2)
        for type in report.types {
            table.addRow([
                shortIdentifier(type.type) + (type.status == .completed ? "" : " (\(type.status.rawValue))"),
                Counts.grouped(type.read), layout.day(type.earliestStart), layout.day(type.latestEnd),
            ])
        }
        text += layout.section("Types (days in \(layout.zoneName))", table)
        text += ReportText.sideFiles(report.sideFiles, layout)
        text += ReportText.repairs(report.repairs, layout) + ReportText.quarantine(report.quarantine, layout)
        return text + ReportText.unknown(report.unknown, layout) + layout.section("Warnings", report.warnings)
    }
}
