package import HealthModel

/// The question as the archive records it.
extension ExportQuestion {
    /// Which hash is recorded of a Health export: what was recorded with another one is another question.
    private static let hashVersion: Int64 = 3
    private static let changesState = "changes"

    /// Canonical JSON; `init(json:)` reads it again.
    package var json: CanonicalJSON {
        func number(_ value: Int64?) -> CanonicalJSON { value.map { .integer($0) } ?? .null }
        func texts(_ values: [String]) -> CanonicalJSON { .array(values.map { .string($0) }) }
        let common: [(String, CanonicalJSON)] = [
            ("kind", .string(kind.rawValue)), ("chain", .string(chain)), ("from", number(from)),
            ("to", .integer(to)), ("types", types.map(texts) ?? .null), ("since", number(since)),
            ("until", number(until)), ("provenance", .string(provenance.rawValue)),
            ("include", texts(include.map(\.rawValue))), ("program", .string(program)),
        ]
        guard kind == .health else {
            return .object(
                common + [
                    ("format", .string(format.rawValue)), ("changes", texts(changes.map(\.rawValue))),
                    ("through", .bool(through)), ("guards_formulas", .bool(guardsFormulas)),
                ])
        }
        return .object(
            common + [
                ("state", .string(from == nil ? state.rawValue : Self.changesState)),
                ("changes", texts(from == nil ? [] : chosenChanges.map(\.rawValue).sorted())),
                ("offset", number(offsetSeconds.map(Int64.init))), ("zip", .bool(isZip)),
                ("fills_creation_dates", .bool(fillsCreationDates)), ("hash_version", .integer(Self.hashVersion)),
            ])
    }

    /// Reads what `json` wrote; nil for anything else.
    package init?(json text: String) {
        guard let stored = CanonicalJSON.parse(text),
            let kind = stored["kind"]?.string.flatMap(ExportKind.init(rawValue:)),
            let chain = stored["chain"]?.string, let to = stored["to"]?.integer,
            let provenance = stored["provenance"]?.string.flatMap(Provenance.init(rawValue:))
        else { return nil }
        func texts(_ name: StaticString) -> [String] { stored[name]?.elements.compactMap(\.string) ?? [] }
        func flag(_ name: StaticString) -> Bool { if case .bool(true)? = stored[name] { true } else { false } }
        self.init(kind: kind, chain: chain, from: stored["from"]?.integer, to: to)
        if case .array? = stored["types"] { types = texts("types") }
        since = stored["since"]?.integer
        until = stored["until"]?.integer
        changes = texts("changes").compactMap(ExportChange.init(rawValue:))
        self.provenance = provenance
        include = texts("include").compactMap(Provenance.Part.init(rawValue:))
        if let program = stored["program"]?.string { self.program = program }
        guard kind == .health else {
            guard let format = stored["format"]?.string.flatMap(ExportFormat.init(rawValue:)) else { return nil }
            self.format = format
            through = flag("through")
            guardsFormulas = flag("guards_formulas")
            return
        }
        let name = stored["state"]?.string ?? ""
        if let state = HealthState(rawValue: name) {
            self.state = state
        } else if name != Self.changesState || from == nil {
            return nil
        }
        offsetSeconds = stored["offset"]?.integer.flatMap { Int32(exactly: $0) }
        isZip = flag("zip")
        fillsCreationDates = flag("fills_creation_dates")
    }
}
