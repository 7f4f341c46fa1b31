internal import Basics
internal import HealthModel
package import Importing
package import Presentation
package import Store

extension InspectReport {
    /// What an export says of itself, for people.
    ///
    /// - Parameter file: what its file is called among several.
    package func document(_ file: String, _ zone: DisplayZone) -> Document {
        var document = Document(title: file)
        document.facts([
            ("Main XML", sourceForm == "xml" ? nil : sourceMember),
            ("File", sourceForm == "folder" ? nil : Bytes.text(sourceByteCount)), ("File SHA-256", sourceSHA256?.hex),
            ("XML", Bytes.text(xmlByteCount)), ("XML SHA-256", xmlSHA256?.hex),
            ("Exported at", "\(zone.time(observedAt)) \(zone.name)"),
            ("Phone's UTC offset at export", offsetSeconds.map { ISO8601.offsetText($0) }), ("Locale", locale),
            ("Export version", exportVersion), ("Stream digest", streamDigest),
            ("Items", "\(Counts.grouped(readCount)) in \(Counts.of(types.count, "type"))"),
        ])
        if let sentence = Wording.stop(line: stop?.line, byte: stop?.byte, reason: stop?.reason, message: stop?.message)
        {
            document.paragraph(sentence, .apart)
        }
        var table = Table([.name("Type"), .right("Items"), .exact("From"), .exact("To")])
        for type in types {
            table.addRow(
                [Wording.label(type.type, status: type.status), Counts.grouped(type.read)]
                    + zone.days(type.earliestStart, type.latestEnd))
        }
        document.section("Types (days in \(zone.name))", table)
        document.findings(findings)
        document.sideFiles(sideFiles)
        document.remarks(repairs, quarantine, unknown, warnings)
        return document
    }
}

extension SourceSearch.Occurrence {
    /// Where an export has a sample, from the first byte to the last, and the lines there as they are.
    package func document(_ observation: Observation) -> Document {
        let number = line.map { "line \(Counts.grouped($0)), " } ?? ""
        let bytes = "bytes \(Counts.grouped(byteStart))-\(Counts.grouped(max(byteStart, byteEnd - 1)))"
        let notes = (isNested ? " (inside this element)" : "") + (isCut ? " (only the first bytes are shown)" : "")
        let lines = String(decoding: text, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
        return Document(
            (["\(member) of observation \(observation.id): \(number)\(bytes)\(notes)"] + lines.map(String.init)).map {
                .paragraph($0)
            })
    }
}
