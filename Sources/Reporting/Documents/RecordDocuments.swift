package import ArchiveReading
internal import ArchiveRows
internal import HealthModel
package import Presentation
internal import TextFormats

extension RecordPage {
    /// A page of records as a table.
    ///
    /// - Parameter isOfOneType: whether one type was asked for, which then no row has to say.
    package func document(
        _ zone: DisplayZone, _ units: DisplayUnits = .metric, isOfOneType: Bool = false
    ) -> Document {
        let type: [Table.Column] = isOfOneType ? [] : [.name("Type")]
        var table = Table(
            type + [
                .exact("Start"), .exact("End", leftOut: 1), .right("Value", maxWidth: 40), .left("Unit"),
                .left("Source", leftOut: 3), .exact("Identity", leftOut: 2),
            ])
        for row in records {
            let (value, unit) = units.texts(row)
            table.addRow(
                type.map { _ in shortIdentifier(row.type) } + [
                    zone.time(row.start), row.end == row.start ? "" : zone.time(row.end),
                    value.quoted, unit, row.sourceName ?? "", row.identity.prefix,
                ], links: [type.count + 5: .sample(row.identity)],
                instants: [type.count: row.start, type.count + 1: row.end == row.start ? nil : row.end])
        }
        return Document([
            .title("Times in \(zone.name)"), records.isEmpty ? .paragraph("No records match.") : .table(table),
        ])
    }
}

extension RecordRow {
    /// The record as an entry of a list.
    func item(_ zone: DisplayZone, marker: String, note: String? = nil) -> Document.Item {
        Document.Item(phrase(zone), marker: marker, note: note, link: .sample(identity))
    }

    /// The record as a phrase: type, dates, value, source.
    func phrase(_ zone: DisplayZone) -> String {
        var parts = [shortIdentifier(type).quoted]
        if let start { parts.append(zone.time(start)) }
        if let end, end != start { parts.append("to " + zone.time(end)) }
        if !valueWithUnit.isEmpty { parts.append(valueWithUnit.quoted) }
        if let sourceName { parts.append("from " + sourceName.quoted) }
        return (parts + [identity.prefix]).joined(separator: "  ")
    }

    var valueWithUnit: String { [valueText, unit ?? ""].filter { !$0.isEmpty }.joined(separator: " ") }

    /// The value, or what an item has in its place: a workout's activity, a summary's day.
    var valueText: String {
        switch value {
        case .number(let number): return CanonicalNumber.text(number) ?? "-"
        case .text(let text): return shortValue(text)
        case .absent: break
        }
        guard let item, item.kind != .record else { return "" }
        let members = ItemMembers(item)
        if case .string(let text)? = members.value { return text }
        for name in ["workoutActivityType", "dateComponents", "identifier", "classification"] {
            if case .string(let text)? = members.attributes?[name] { return shortValue(text) }
        }
        return ""
    }
}
