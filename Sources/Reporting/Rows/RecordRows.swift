package import Basics
internal import HealthModel
package import Presentation
package import Questions
package import Store

/// A record with what its item has beside the fields of a record.
package struct RecordLine {
    let record: RecordRow
    let members: ItemMembers?

    package init(_ record: RecordRow) {
        self.record = record
        members = record.item.map(ItemMembers.init)
    }

    /// A member that some kinds of items have.
    fileprivate func other(_ name: String) -> JSON? { members?.others.first { $0.0 == name }?.1 }
}

/// How records are listed.
package struct RecordListing: Sendable {
    /// Whether one type was asked for, which then no row of a table has to say.
    package var isOfOneType = false
}

extension RecordPage {
    /// The contract's `record`: fixed members, `null` where a record lacks one, then what other kinds have beside them.
    package static let columns = Columns<RecordLine, RecordListing>(nil) {
        Figure("identity", .digest, "Which sample it is.") { $0.row.record.identity }
            .shown(.exact("Identity", leftOut: 2), .last, link: { .sample($0.row.record.identity) }) {
                $0.row.record.identity.prefix
            }
        Figure("version", .digest, "Which representation of it.") { $0.row.record.version }
        Figure("ordinal", .count, "Which of several equal copies, from 0.") { $0.row.record.ordinal }
        Figure("type", .text, "The type's identifier.") { $0.row.record.type }
            .shown(.name("Type"), when: { !$0.isOfOneType }) { shortIdentifier($0.row.record.type) }
        Figure("startDate", .instant.optional, "When it starts.") { JSON.instant($0.row.record.start) }
            .shown(.exact("Start"), instant: { $0.row.record.start }) { $0.looks.zone.time($0.row.record.start) }
        Figure("endDate", .instant.optional, "When it ends.") { JSON.instant($0.row.record.end) }
            .shown(.exact("End", leftOut: 1), instant: { $0.row.endIfLater }) { shown in
                shown.row.record.end == shown.row.record.start ? "" : shown.looks.zone.time(shown.row.record.end)
            }
        Figure("value", .numberOrText.optional, "A number, or the category's word.") { $0.row.value }
            .shown(.right("Value", maxWidth: 40)) { $0.looks.units.texts($0.row.record).value.quoted }
        Figure("unit", .text.optional, "The unit, as exported.") { $0.row.record.unit }
            .shown(.left("Unit")) { $0.looks.units.texts($0.row.record).unit }
        Figure("sourceName", .text.optional, "The source.") { $0.row.record.sourceName }
            .shown(.left("Source", leftOut: 3)) { $0.row.record.sourceName ?? "" }
        Figure("sourceVersion", .text.optional, "The source's version.") { $0.row.record.sourceVersion }
        Figure("device", .texts.optional, "The device's fields.") { $0.row.record.device.map { JSON.canonical($0) } }
        Figure("creationDate", .text.optional, "When it was written: an instant, or other text.") {
            $0.row.record.item?.creationText?.json ?? JSON.instant($0.row.record.creation)
        }
        Figure("metadata", .metadata.optional, "Metadata by key; several values of one key as a list.") {
            $0.row.record.metadata.map { JSON.canonical($0) }
        }
        Figure("attributes", .attributes, "Attributes of other kinds of items, by name.", orAbsent: true) {
            $0.row.members?.attributes
        }
        Figure("beats", .list(nil), "Heart beats.", csv: "", orAbsent: true) { $0.row.other("beats") }
        Figure("children", .children, "Elements inside it.", orAbsent: true) { $0.row.other("children") }
        Figure("samples", .samples, "The samples of an ECG.", csv: "", orAbsent: true) { $0.row.other("samples") }
        Figure("text", .text, "Its text.", csv: "", orAbsent: true) { $0.row.other("text") }
        Figure("workout", .object(), "The workout that a route stands in.", csv: "", orAbsent: true) {
            $0.row.other("workout")
        }
    }

    private typealias Figure = Column<RecordLine, RecordListing>

    /// The lines of `records --json`: a record each, and one for the next page where there is one.
    package var lines: [UInt8] { Self.columns.lines(records.lazy.map(RecordLine.init), of: listing, next: next?.text) }

    private var listing: RecordListing { RecordListing() }

    /// The rows of `records --csv`, those of a later page without a heading.
    /// - Parameter forTerminal: show what a terminal could obey instead of handing it on.
    package func csv(forTerminal: Bool, withHeading: Bool = true) -> [UInt8] {
        Self.columns.csv(
            records.lazy.map(RecordLine.init), of: listing, forTerminal: forTerminal, withHeading: withHeading)
    }

    /// A page of records as a table.
    ///
    /// - Parameter isOfOneType: whether one type was asked for, which then no row has to say.
    package func document(
        _ zone: DisplayZone, _ units: DisplayUnits = .metric, isOfOneType: Bool = false
    ) -> Document {
        let table = Self.columns.table(
            records.lazy.map(RecordLine.init), of: RecordListing(isOfOneType: isOfOneType), Looks(zone, units))
        return Document([
            .title("Times in \(zone.name)"), records.isEmpty ? .paragraph("No records match.") : .table(table),
        ])
    }
}

extension RecordLine {
    fileprivate var endIfLater: Int64? { record.end == record.start ? nil : record.end }

    fileprivate var value: JSON? {
        switch record.value {
        case .number(let number): .double(number)
        case .text(let text): .string(text)
        case .absent: members?.value
        }
    }
}

extension RecordRow: JSONConvertible {
    package var json: JSON { RecordPage.columns.json(RecordLine(self), of: RecordListing()) }
}

extension ValueType {
    fileprivate static let numberOrText = ValueType("number or text", ["type": ["number", "string"]])
    fileprivate static let texts = ValueType(
        "object of texts", ["type": "object", "additionalProperties": ["type": "string"]])
    fileprivate static let metadata = ValueType(
        "object",
        ["type": "object", "additionalProperties": ["type": ["string", "array"], "items": ["type": "string"]]],
        definition: "metadata")
    fileprivate static let attributes = ValueType(
        "object", ["type": "object", "additionalProperties": ["type": ["string", "null"]]], definition: "attributes")
    fileprivate static let children = list(child, called: "list")
    private static let child = ValueType(
        "object",
        [
            "type": "object", "additionalProperties": false, "required": ["name"],
            "properties": [
                "name": ["type": "string"], "identity": ["type": "string", "pattern": "^[0-9a-f]{64}$"],
                "version": ["type": "string", "pattern": "^[0-9a-f]{64}$"],
                "attributes": ["$ref": "#/$defs/attributes"], "metadata": ["$ref": "#/$defs/metadata"],
                "children": ["type": "array", "items": ["$ref": "#/$defs/child"]], "beats": ["type": "array"],
                "text": ["type": "string"],
            ],
        ], definition: "child")
    fileprivate static let samples = ValueType(
        "object",
        [
            "type": "object", "additionalProperties": false, "required": ["count", "sha256"],
            "properties": [
                "count": ["type": "integer", "minimum": 0], "sha256": ["type": "string", "pattern": "^[0-9a-f]{64}$"],
            ],
        ])
}
