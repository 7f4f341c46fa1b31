package import Archive
internal import HealthModel
package import TextFormats

/// The contract's `record`: fixed members, `null` where a record lacks one, then what other kinds have beside them.
package enum RecordJSON {
    /// Appends a record.
    /// - Complexity: O(length); plain ASCII members are copied as they are stored.
    package static func append(_ row: RecordRow, to out: inout JSONWriter) {
        let members = row.strictKey != nil || row.extras != nil ? ItemMembers(row) : nil
        out.append(raw: "{\"identity\":\"\(row.identity.hex)\",\"version\":\"\(row.version.hex)\"")
        out.append(raw: ",\"ordinal\":\(row.ordinal),\"type\":")
        out.append(row.type)
        appendInstant("startDate", row.start, to: &out)
        appendInstant("endDate", row.end, to: &out)
        out.append(raw: ",\"value\":")
        switch row.value {
        case .number(let number): out.append(number)
        case .text(let text): out.append(text)
        case .absent: out.append(members?.value ?? .null)
        }
        appendText("unit", row.unit, to: &out)
        appendText("sourceName", row.sourceName, to: &out)
        appendText("sourceVersion", row.sourceVersion, to: &out)
        appendStored("device", row.device, to: &out)
        if let text = members?.creationDateText {
            appendText("creationDate", text, to: &out)
        } else {
            appendInstant("creationDate", row.creation, to: &out)
        }
        appendStored("metadata", row.metadata, to: &out)
        if let attributes = members?.attributes {
            out.append(raw: ",\"attributes\":")
            out.append(attributes)
        }
        for (name, value) in members?.others ?? [] {
            out.append(raw: ",")
            out.append(name)
            out.append(raw: ":")
            out.append(value)
        }
        out.append(raw: "}")
    }

    /// One record as a line.
    package static func appendLine(_ row: RecordRow, to out: inout JSONWriter) {
        append(row, to: &out)
        out.append(raw: "\n")
    }

    /// The line that ends a page which is not the last.
    package static func appendNext(_ cursor: RecordCursor, to out: inout JSONWriter) {
        out.appendLine(["next": .string(cursor.text)])
    }

    private static func appendInstant(_ name: String, _ seconds: Int64?, to out: inout JSONWriter) {
        let text = seconds.map { "\"\(ISO8601.string(unixSeconds: $0))\"" } ?? "null"
        out.append(raw: ",\"\(name)\":\(text)")
    }

    private static func appendText(_ name: String, _ text: String?, to out: inout JSONWriter) {
        out.append(raw: ",\"\(name)\":")
        if let text { out.append(text) } else { out.append(raw: "null") }
    }

    /// Appends stored JSON; what a terminal could obey in it is escaped on the way.
    private static func appendStored(_ name: String, _ json: String?, to out: inout JSONWriter) {
        out.append(raw: ",\"\(name)\":")
        guard let json else {
            out.append(raw: "null")
            return
        }
        if json.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) {
            out.append(raw: json)
        } else {
            out.append(JSON.parse(json) ?? .null)
        }
    }
}

extension RecordJSON {
    /// A record as a value, for documents that hold few of them.
    package static func value(_ row: RecordRow) -> JSON {
        var writer = JSONWriter()
        append(row, to: &writer)
        return JSON.parse(writer.text) ?? .null
    }
}
