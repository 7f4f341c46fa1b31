internal import HealthModel
package import TextFormats

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
    package var json: JSON {
        return .object([
            ("kind", .string(kind.rawValue)), ("format", .string(format.rawValue)), ("chain", .string(chain)),
            ("from", .optional(from)), ("to", .int(to)),
            ("types", types.map { .array($0.map { .string($0) }) } ?? .null), ("since", .optional(since)),
            ("until", .optional(until)), ("changes", .array(changes.map { .string($0.rawValue) })),
            ("through", .bool(through)), ("provenance", .string(provenance.rawValue)),
            ("include", .array(include.map { .string($0.rawValue) })), ("guards_formulas", .bool(guardsFormulas)),
            ("program", .string(program)),
        ])
    }

    /// Reads what `json` wrote; nil for anything else.
    package init?(json text: String) {
        guard let object = JSON.parse(text), let kind = object["kind"]?.string.flatMap(ExportKind.init(rawValue:)),
            let format = object["format"]?.string.flatMap(ExportFormat.init(rawValue:)),
            let chain = object["chain"]?.string, let to = object["to"]?.int,
            let provenance = object["provenance"]?.string.flatMap(Provenance.init(rawValue:))
        else { return nil }
        func texts(_ name: String) -> [String] { object[name]?.elements.compactMap(\.string) ?? [] }
        self.init(kind: kind, format: format, chain: chain, from: object["from"]?.int, to: to)
        if case .array? = object["types"] { types = texts("types") }
        since = object["since"]?.int
        until = object["until"]?.int
        changes = texts("changes").compactMap(ExportChange.init(rawValue:))
        through = object["through"]?.bool ?? false
        self.provenance = provenance
        include = texts("include").compactMap(Provenance.Part.init(rawValue:))
        guardsFormulas = object["guards_formulas"]?.bool ?? true
        program = object["program"]?.string ?? HealthModel.program
    }
}
