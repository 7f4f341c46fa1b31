internal import Foundation
package import HealthModel

/// What is asked of an archive by an export, in a form that answers the same in every copy of it.
package struct ExportQuestion: Sendable {
    package var kind: ExportKind
    package var format: ExportFormat
    package var chain: String
    /// The ids of the observations; `from` only where the kind has two sides.
    package var from: Int64?
    package var to: Int64
    /// Full identifiers, sorted; nil for all.
    package var types: [String]?
    /// Unix seconds.
    package var since: Int64?
    package var until: Int64?
    /// The changes chosen; of a diff none stands for all that a diff has.
    package var changes: [ExportChange] = []
    /// Whether the earlier side is everything that was visible from `from` up to, not including, `to`.
    package var through = false
    package var provenance = Provenance.hashed
    package var include: [Provenance.Part] = []
    /// Whether cells that a spreadsheet would run as formulas are neutralised.
    package var guardsFormulas = true
    /// The program that answers, `name version`.
    package var program = HealthModel.program

    package init(kind: ExportKind, format: ExportFormat, chain: String, from: Int64?, to: Int64) {
        self.kind = kind
        self.format = format
        self.chain = chain
        self.from = from
        self.to = to
    }

    /// The question as canonical JSON; `init(json:)` reads it again.
    package var json: CanonicalJSON {
        func number(_ value: Int64?) -> CanonicalJSON { value.map { .integer($0) } ?? .null }
        return .object([
            ("kind", .string(kind.rawValue)), ("format", .string(format.rawValue)), ("chain", .string(chain)),
            ("from", number(from)), ("to", .integer(to)),
            ("types", types.map { .array($0.map { .string($0) }) } ?? .null), ("since", number(since)),
            ("until", number(until)), ("changes", .array(changes.map { .string($0.rawValue) })),
            ("through", .bool(through)), ("provenance", .string(provenance.rawValue)),
            ("include", .array(include.map { .string($0.rawValue) })), ("guards_formulas", .bool(guardsFormulas)),
            ("program", .string(program)),
        ])
    }

    /// Reads what `json` wrote; nil for anything else.
    package init?(json text: String) {
        guard let object = (try? JSONSerialization.jsonObject(with: Data(text.utf8))) as? [String: Any],
            let kind = (object["kind"] as? String).flatMap(ExportKind.init(rawValue:)),
            let format = (object["format"] as? String).flatMap(ExportFormat.init(rawValue:)),
            let chain = object["chain"] as? String, let to = object["to"] as? NSNumber,
            let provenance = (object["provenance"] as? String).flatMap(Provenance.init(rawValue:))
        else { return nil }
        func number(_ name: String) -> Int64? { (object[name] as? NSNumber)?.int64Value }
        self.init(kind: kind, format: format, chain: chain, from: number("from"), to: to.int64Value)
        types = object["types"] as? [String]
        since = number("since")
        until = number("until")
        changes = (object["changes"] as? [String] ?? []).compactMap(ExportChange.init(rawValue:))
        through = object["through"] as? Bool ?? false
        self.provenance = provenance
        include = (object["include"] as? [String] ?? []).compactMap(Provenance.Part.init(rawValue:))
        guardsFormulas = object["guards_formulas"] as? Bool ?? true
        program = object["program"] as? String ?? HealthModel.program
    }
}
