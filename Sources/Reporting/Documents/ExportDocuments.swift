internal import Archive
internal import HealthModel
package import Importing
package import Presentation

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
            ("Offset", offsetSeconds.map { Wording.offset($0) }), ("Locale", locale),
            ("Export version", exportVersion), ("Stream digest", streamDigest),
            ("Items", "\(Counts.grouped(readCount)) in \(Counts.of(types.count, "type"))"),
        ])
        if let sentence = Wording.stop(line: stop?.line, byte: stop?.byte, reason: stop?.reason) {
            document.paragraph(sentence, .apart)
        }
        var table = Table([.name("Type"), .right("Items"), .exact("From"), .exact("To")])
        for type in types {
            table.addRow(
                [Wording.label(type.type, status: type.status), Counts.grouped(type.read)]
                    + zone.days(type.earliestStart, type.latestEnd))
        }
        document.section("Types (days in \(zone.name))", table)
        document.sideFiles(sideFiles)
        document.remarks(repairs, quarantine, unknown, warnings)
        return document
    }
}

extension SourceSearch.Occurrence {
    /// Where an export says something, and what it says.
    package var document: Document {
        let number = line.map { "line \($0), " } ?? ""
        let inside = isNested ? " (inside this element)" : ""
        let lines = String(decoding: text, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
        return Document([
            .paragraph("\(member): \(number)bytes \(byteStart)..<\(byteEnd)\(inside)"),
            .list(lines.map { .init(String($0)) } + (isCut ? [.init("…")] : [])),
        ])
    }
}
