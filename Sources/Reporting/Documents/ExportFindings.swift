internal import ArchiveReading
internal import ArchiveRows
internal import HealthModel
internal import Presentation

/// The parts that the documents of `import`, `show` and `inspect` share.
extension Document {
    /// Where the export came from and what it says of itself.
    mutating func source(_ observation: Observation, more: [(String, String?)], _ zone: DisplayZone) {
        let form =
            observation.sourceForm == "xml"
            ? observation.sourceName : "\(observation.sourceName): \(observation.sourceMember)"
        var observed = "\(zone.time(observation.observedAt)) \(zone.name)"
        if let offset = observation.offsetSeconds {
            observed += ", phone's UTC offset at export \(Wording.offset(offset))"
        }
        facts(
            [
                ("Export", "\(form), \(Bytes.text(observation.sourceByteCount))"), ("Observed at", observed),
                ("Locale", observation.locale), ("Export version", observation.exportVersion),
                ("Note", observation.note), ("Types chosen", observation.typeSelection.text),
            ] + more)
        if let sentence = observation.stopSentence { paragraph(sentence, .apart) }
    }

    mutating func sideFiles(_ entries: [(kind: String, count: Int64, byteCount: Int64)]) {
        var table = Table([.left("Kind"), .right("Files"), .right("Size")])
        for entry in entries { table.addRow([entry.kind, Counts.grouped(entry.count), Bytes.text(entry.byteCount)]) }
        section("Side files", table)
    }

    /// Repairs, quarantine, unknown names and warnings.
    mutating func remarks(
        _ repairs: [ObservationReport.Located], _ quarantine: [ObservationReport.Located],
        _ unknown: [ObservationReport.NamedCount], _ warnings: [String]
    ) {
        func located(_ name: String, _ entries: [ObservationReport.Located], _ word: (String) -> String) -> Table {
            var table = Table([.left(name), .right("Count"), .right("First line")])
            for entry in entries {
                table.addRow([word(entry.name), Counts.grouped(entry.count), Counts.grouped(entry.firstLine)])
            }
            return table
        }
        var names = Table([.left("Name"), .right("Count")])
        for entry in unknown { names.addRow([entry.name, Counts.grouped(entry.count)]) }
        section("Repairs made while reading", located("Repair", Wording.notable(repairs), Wording.repair))
        section(
            "Quarantine (kept as text, not stored as samples)",
            located("Reason", quarantine, Wording.quarantine))
        section("Unknown elements and attributes (kept verbatim)", names)
        section("Warnings", warnings)
    }
}

extension Observation {
    /// Where reading stopped early; nil for a whole document.
    var stopSentence: String? { Wording.stop(line: stoppedLine, byte: stoppedByte, reason: stoppedReason) }
}

extension DisplayZone {
    /// The cells of a span of days.
    func days(_ first: Int64?, _ last: Int64?) -> [String] { [day(first), day(last)] }
}

extension ObservationReport.TypeRun {
    /// The type's name, with its status where it is not complete.
    var label: String { Wording.label(type, status: status) }
}
