package import ArchiveReading
package import ArchiveRows
internal import HealthModel
package import TextFormats

extension RecordRow: JSONConvertible {
    /// The contract's `record`: fixed members, `null` where a record lacks one, then what other kinds have beside them.
    package var json: JSON {
        let members = item.map(ItemMembers.init)
        let value: JSON =
            switch self.value {
            case .number(let number): .double(number)
            case .text(let text): .string(text)
            case .absent: members?.value ?? .null
            }
        let record = JSON.row([
            "identity": identity, "version": version, "ordinal": ordinal, "type": type,
            "startDate": JSON.instant(start), "endDate": JSON.instant(end), "value": value, "unit": unit,
            "sourceName": sourceName, "sourceVersion": sourceVersion, "device": device.map { JSON.canonical($0) },
            "creationDate": item?.creationText?.json ?? JSON.instant(creation),
            "metadata": metadata.map { JSON.canonical($0) },
        ])
        return record.adding((members?.attributes.map { [("attributes", $0)] } ?? []) + (members?.others ?? []))
    }

    /// The columns of `records --csv`.
    package static let columns = [
        "identity", "version", "ordinal", "type", "startDate", "endDate", "value", "unit", "sourceName",
        "sourceVersion", "device", "creationDate", "metadata", "attributes", "children",
    ]
}

extension RecordPage {
    /// The lines of `records --json`: a record each, and one for the next page where there is one.
    package var lines: [UInt8] {
        let out = ByteBuffer()
        for record in records { out.append(line: record.json) }
        if let next { out.append(line: .row(["next": next.text])) }
        return out.view.array
    }

    /// The rows of `records --csv`, those of a later page without a heading.
    /// - Parameter forTerminal: show what a terminal could obey instead of handing it on.
    package func csv(forTerminal: Bool, withHeading: Bool = true) -> [UInt8] {
        var writer = CSVWriter(guardsFormulas: true)
        if withHeading { writer.appendRow(RecordRow.columns) }
        for record in records { writer.append(record.json, RecordRow.columns, forTerminal: forTerminal) }
        return writer.bytes
    }
}
