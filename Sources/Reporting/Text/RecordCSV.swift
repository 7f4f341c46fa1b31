package import Archive
internal import HealthModel
package import TextFormats

/// Records as rows of CSV, for spreadsheets: cells that one would run as a formula are guarded.
package enum RecordCSV {
    /// The titles of the columns, the members of the contract's `record`.
    package static let header = [
        "identity", "version", "ordinal", "type", "startDate", "endDate", "value", "unit", "sourceName",
        "sourceVersion", "device", "creationDate", "metadata", "attributes", "children",
    ]

    /// Appends one record.
    /// - Parameter forTerminal: show what a terminal could obey instead of handing it on.
    package static func append(_ row: RecordRow, to out: inout CSVWriter, forTerminal: Bool = false) {
        let members = row.strictKey != nil || row.extras != nil ? ItemMembers(row) : nil
        func instant(_ seconds: Int64?) -> String { seconds.map { ISO8601.string(unixSeconds: $0) } ?? "" }
        let value: String
        switch row.value {
        case .number(let number): value = CanonicalNumber.text(number) ?? ""
        case .text(let text): value = text
        case .absent:
            if case .string(let text)? = members?.value { value = text } else { value = "" }
        }
        let children = members?.others.first { $0.0 == "children" }?.1.line ?? ""
        let cells: [String] = [
            row.identity.hex, row.version.hex, String(row.ordinal), row.type, instant(row.start), instant(row.end),
            value, row.unit ?? "", row.sourceName ?? "", row.sourceVersion ?? "", row.device ?? "",
            members?.creationDateText ?? instant(row.creation), row.metadata ?? "", members?.attributes?.line ?? "",
            children,
        ]
        out.appendRow(forTerminal ? cells.map(TerminalText.safe) : cells)
    }
}
