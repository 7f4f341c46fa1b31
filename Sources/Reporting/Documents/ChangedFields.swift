internal import HealthModel
package import Presentation
internal import TextFormats

extension RecordChange {
    /// The change as blocks of a page: a changed record with the fields that differ, and those that are equal folded.
    package func blocks(_ zone: DisplayZone) -> [Document.Block] {
        guard case .representationChanged(let matchRule, let names, let steps, let before, let after) = self else {
            return document(zone).blocks
        }
        let title = after.item(zone, marker: "~", note: Wording.reason(matchRule, names, steps))
        let sides = [before, after].map { Self.fields($0.json) }
        var differing = Table([.left("Field"), .left("Before"), .left("After")])
        differing.marksDifferences = true
        var equal = Table([.left("Field"), .left("Value")])
        let members =
            sides[0].map(\.name) + sides[1].map(\.name).filter { name in !sides[0].contains { $0.name == name } }
        for name in members where !Self.derived.contains(name) {
            let texts = sides.map { side in side.first { $0.name == name }?.text ?? "" }
            if texts[0].utf8.elementsEqual(texts[1].utf8) {
                equal.addRow([name, texts[0]])
            } else {
                differing.addRow([name] + texts)
            }
        }
        return [
            .list([title], isIndented: false), .table(differing),
            .folded("\(Counts.of(equal.rows.count, "field")) equal", [.table(equal)]),
        ]
    }

    /// What follows from the other fields.
    private static let derived: Set<String> = ["identity", "version", "ordinal"]

    /// The members of a record, those of its metadata and its device one by one.
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
