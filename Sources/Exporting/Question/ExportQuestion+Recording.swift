package import Basics

/// The question as the archive records it.
extension ExportQuestion {
    /// Which hash is recorded of a Health export: what was recorded with another one is another question.
    private static let hashVersion: Int64 = 3
    private static let changesState = "changes"

    /// Canonical JSON; `init(json:)` reads it again.
    package var json: JSON {
        let common = JSON.row([
            "kind": kind.rawValue, "chain": chain, "from": from, "to": to, "types": types, "since": since,
            "until": until, "provenance": provenance.rawValue, "include": include.map(\.rawValue), "program": program,
        ])
        guard kind == .health else {
            return common.adding([
                "format": format.rawValue, "changes": changes.map(\.rawValue), "through": through,
                // Part of the question since the first export; its hash is the export's id.
                "guards_formulas": true,
            ])
            .adding(state == .visible ? [:] : ["state": state.rawValue])
        }
        return common.adding([
            "state": from == nil ? state.rawValue : Self.changesState,
            "changes": from == nil ? [] : chosenChanges.map(\.rawValue).sorted(),
            "offset": offsetSeconds.map(Int64.init), "zip": isZip, "fills_creation_dates": fillsCreationDates,
            "hash_version": Self.hashVersion,
        ]).adding(sharing == nil ? [:] : ["sharing": sharing?.json])
    }

    /// Reads what `json` wrote; nil for anything else.
    package init?(json text: String) {
        guard let stored = JSON.parse(text),
            let kind = stored["kind"]?.string.flatMap(ExportKind.init(rawValue:)),
            let chain = stored["chain"]?.string, let to = stored["to"]?.int,
            let provenance = stored["provenance"]?.string.flatMap(Provenance.init(rawValue:))
        else { return nil }
        func texts(_ name: String) -> [String] { stored[name]?.elements.compactMap(\.string) ?? [] }
        func flag(_ name: String) -> Bool { stored[name]?.bool ?? false }
        self.init(kind: kind, chain: chain, from: stored["from"]?.int, to: to)
        if case .array? = stored["types"] { types = texts("types") }
        since = stored["since"]?.int
        until = stored["until"]?.int
        changes = texts("changes").compactMap(ExportChange.init(rawValue:))
        self.provenance = provenance
        include = texts("include").compactMap(Provenance.Part.init(rawValue:))
        if let program = stored["program"]?.string { self.program = program }
        guard kind == .health else {
            guard let format = stored["format"]?.string.flatMap(ExportFormat.init(rawValue:)) else { return nil }
            self.format = format
            through = flag("through")
            // Cells as they were are no longer written.
            guard flag("guards_formulas") else { return nil }
            state = stored["state"]?.string.flatMap(HealthState.init(rawValue:)) ?? .visible
            return
        }
        let name = stored["state"]?.string ?? ""
        if let state = HealthState(rawValue: name) {
            self.state = state
        } else if name != Self.changesState || from == nil {
            return nil
        }
        offsetSeconds = stored["offset"]?.int.flatMap { Int32(exactly: $0) }
        isZip = flag("zip")
        fillsCreationDates = flag("fills_creation_dates")
    }
}
