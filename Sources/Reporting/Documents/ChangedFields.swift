internal import Basics
package import Presentation
internal import Store

extension RecordChange {
    /// The change as blocks of a page: a changed record with the fields that differ, and those that are equal folded.
    package func blocks(_ zone: DisplayZone) -> [Document.Block] {
        guard case .representationChanged(let matchRule, let names, let steps, let before, let after) = self else {
            return document(zone).blocks
        }
        let title = after.item(zone, marker: "~", note: Wording.reason(matchRule, names, steps))
        var differing = Table([.left("Field"), .left("Before"), .left("After")])
        differing.marksDifferences = true
        var equal = Table([.left("Field"), .left("Value")])
        for field in RecordFields.compared([before, after]) {
            if field.isEqual {
                equal.addRow([field.name, field.texts[0]])
            } else {
                differing.addRow([field.name] + field.texts)
            }
        }
        return [
            .list([title], isIndented: false), .table(differing),
            .folded("\(Counts.of(equal.rows.count, "field")) equal", [.table(equal)]),
        ]
    }
}

/// The members of records beside each other, those of metadata and device one by one.
enum RecordFields {
    /// A field of which at least one record has a value.
    struct Field {
        var name: String
        /// One a record; empty without a value.
        var texts: [String]

        var isEqual: Bool { texts.allSatisfy { $0.utf8.elementsEqual(texts[0].utf8) } }
    }

    /// What follows from the other fields.
    private static let derived: Set<String> = ["identity", "version", "ordinal"]

    static func compared(_ records: [RecordRow]) -> [Field] {
        let sides = records.map { fields($0.json) }
        var names: [String] = []
        for name in sides.joined().map(\.name) where !derived.contains(name) && !names.contains(name) {
            names.append(name)
        }
        return names.map { name in
            Field(name: name, texts: sides.map { side in side.first { $0.name == name }?.text ?? "" })
        }
    }

    private static func fields(_ json: JSON, _ path: String = "") -> [(name: String, text: String)] {
        switch json {
        case .object(let members):
            members.flatMap { name, value in fields(value, path.isEmpty ? name : "\(path).\(name)") }
        case .canonical(let text): JSON.parse(text).map { fields($0, path) } ?? [(path, text)]
        case .string(let text): [(path, text)]
        case .null: []
        default: [(path, json.line)]
        }
    }
}
