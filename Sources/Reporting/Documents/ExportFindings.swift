internal import Basics
internal import HealthModel
internal import Presentation
internal import Questions
internal import Store

/// The parts that the documents of `import`, `show` and `inspect` share.
extension Document {
    /// Where the export came from and what it says of itself.
    mutating func source(_ observation: Observation, more: [(String, String?)], _ zone: DisplayZone) {
        let form =
            observation.sourceForm == "xml"
            ? observation.sourceName.quoted
            : "\(observation.sourceName.quoted): \(observation.sourceMember.quoted)"
        var observed = "\(zone.time(observation.observedAt)) \(zone.name)"
        if let offset = observation.offsetSeconds {
            observed += ", phone's UTC offset at export \(ISO8601.offsetText(offset))"
        }
        facts(
            [
                ("Export", "\(form), \(Bytes.text(observation.sourceByteCount))"), ("Observed at", observed),
                ("Locale", observation.locale?.quoted), ("Export version", observation.exportVersion?.quoted),
                ("Note", observation.note?.quoted), ("Types chosen", observation.typeSelection.text),
            ] + more)
        if let sentence = observation.stopSentence { paragraph(sentence, .apart) }
    }

    mutating func sideFiles(_ entries: [(kind: String, count: Int64, byteCount: Int64)]) {
        var table = Table([.words("Kind"), .right("Files"), .right("Size")])
        for entry in entries { table.addRow([entry.kind, Counts.grouped(entry.count), Bytes.text(entry.byteCount)]) }
        section("Side files", table)
    }

    /// Repairs, quarantine, unknown names and warnings.
    mutating func remarks(
        _ repairs: [ObservationReport.Located], _ quarantine: [ObservationReport.Located],
        _ unknown: [ObservationReport.NamedCount], _ warnings: [String]
    ) {
        func located(_ name: String, _ entries: [ObservationReport.Located], _ word: (String) -> String) -> Table {
            var table = Table([.words(name), .right("Count"), .right("First line")])
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
    var stopSentence: String? {
        Wording.stop(line: stoppedLine, byte: stoppedByte, reason: stoppedReason, message: stoppedMessage)
    }

    /// What is behind the count of records visible at a partial observation; nil for a whole one.
    ///
    /// - Parameter read: how many records its export showed.
    package func carriedOver(read: Int64) -> String? {
        guard status == .partial else { return nil }
        return
            "its export ends early and shows \(Counts.of(read, "record")); the rest is carried over from the exports "
            + "before it, since what it does not show is no evidence"
    }

    /// Its notes in the timeline: how far a partial export was read, what somebody wrote, why an import failed.
    var remarks: String {
        let place = stoppedLine.map { "read up to line \(Counts.grouped($0))" } ?? "read in part"
        return [
            status == .partial ? "\(place); what it does not show is no evidence" : nil, note?.quoted, failure?.quoted,
        ].compactMap(\.self).joined(separator: "; ")
    }
}

extension DisplayZone {
    /// The cells of a span of days.
    func days(_ first: Int64?, _ last: Int64?) -> [String] { [day(first), day(last)] }
}

extension ObservationReport.TypeRun {
    /// How many records are visible, appeared, are no longer visible and changed their representation.
    var counts: [Int64] { [visible, appeared, disappeared, representationChanged] }

    /// Where these counts of an observation lead to, by the index of their column.
    ///
    /// - Parameter previous: the observation before it.
    func links(from column: Int, at id: Int64, since previous: Int64?) -> [Int: Document.Link?] {
        var links: [Int: Document.Link?] = [column: visible > 0 ? .records(at: id, type: type) : nil]
        for (index, kind) in DiffChange.Kind.allCases.enumerated() where counts[index + 1] > 0 {
            links[column + 1 + index] = .comparison("diff/records", from: previous, to: id, type: type, change: kind)
        }
        return links
    }

    /// The type's name, with its status where it is not complete.
    var label: String { Wording.label(type, status: status) }

    /// The status; of a type that was read in part, with the share of its visible records that the export showed.
    var completeness: String {
        guard status == .incomplete, visible > 0 else { return status.rawValue }
        return "\(status.rawValue), \(min(100, read * 100 / visible)) % read"
    }
}
