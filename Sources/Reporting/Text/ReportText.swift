internal import Archive
internal import HealthModel
internal import Presentation
internal import TextFormats

/// The paragraphs that `import`, `show` and `inspect` share.
enum ReportText {
    /// Where the export came from and what it says of itself.
    static func source(
        _ observation: Observation, more: [(String, String?)] = [], _ layout: TextLayout
    ) -> String {
        let form =
            observation.sourceForm == "xml"
            ? observation.sourceName : "\(observation.sourceName): \(observation.sourceMember)"
        var observed = "\(layout.time(observation.observedAt)) \(layout.zoneName)"
        if let offset = observation.offsetSeconds { observed += ", the export's own offset is \(Self.offset(offset))" }
        return layout.facts(
            [
                ("Export", "\(form), \(Bytes.text(observation.sourceByteCount))"), ("Observed at", observed),
                ("Locale", observation.locale), ("Export version", observation.exportVersion),
                ("Note", observation.note),
                ("Types chosen", observation.typeSelection.text),
            ] + more)
    }

    /// `+02:00`.
    static func offset(_ seconds: Int64) -> String {
        let minutes = Int(seconds.magnitude / 60)
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return "\(seconds < 0 ? "-" : "+")\(two(minutes / 60)):\(two(minutes % 60))"
    }

    /// Where reading stopped early; nothing for a whole document.
    static func stop(line: Int64?, byte: Int64?, reason: String?) -> String {
        stopSentence(line: line, byte: byte, reason: reason).map { "\n\($0)\n" } ?? ""
    }

    /// The sentence on where reading stopped early; nil for a whole document.
    static func stopSentence(line: Int64?, byte: Int64?, reason: String?) -> String? {
        guard let reason else { return nil }
        let place = [line.map { "line \(Counts.grouped($0))" }, byte.map { "byte \(Counts.grouped($0))" }]
            .compactMap(\.self).joined(separator: ", ")
        return "The export ends early (\(TerminalText.safe(reason))\(place.isEmpty ? "" : " at \(place)")). "
            + "What was read stands; nothing counts as disappeared because of it."
    }

    static func repairs(_ repairs: [ObservationReport.Located], _ layout: TextLayout) -> String {
        var table = TextTable([.left("Repair"), .right("Count"), .right("First line")], indent: 2)
        for entry in Wording.notable(repairs) {
            table.addRow([Wording.repair(entry.name), Counts.grouped(entry.count), Counts.grouped(entry.firstLine)])
        }
        return layout.section("Repairs made while reading", table)
    }

    static func quarantine(_ groups: [ObservationReport.Located], _ layout: TextLayout) -> String {
        var table = TextTable([.left("Reason"), .right("Count"), .right("First line")], indent: 2)
        for entry in groups {
            table.addRow([Wording.quarantine(entry.name), Counts.grouped(entry.count), Counts.grouped(entry.firstLine)])
        }
        return layout.section("Quarantine: kept with their text, not stored as samples", table)
    }

    static func unknown(_ names: [ObservationReport.NamedCount], _ layout: TextLayout) -> String {
        var table = TextTable([.left("Name"), .right("Count")], indent: 2)
        for entry in names { table.addRow([entry.name, Counts.grouped(entry.count)]) }
        return layout.section("Unknown elements and attributes: kept verbatim", table)
    }

    static func sideFiles(_ entries: [(kind: String, count: Int64, byteCount: Int64)], _ layout: TextLayout) -> String {
        var table = TextTable([.left("Kind"), .right("Files"), .right("Size")], indent: 2)
        for entry in entries { table.addRow([entry.kind, Counts.grouped(entry.count), Bytes.text(entry.byteCount)]) }
        return layout.section("Side files", table)
    }

    /// Repairs, quarantine, unknown names and warnings.
    static func remarks(_ report: ObservationReport, _ layout: TextLayout) -> String {
        repairs(report.repairs, layout) + quarantine(report.quarantine, layout) + unknown(report.unknown, layout)
            + layout.section("Warnings", report.warnings)
    }
}
