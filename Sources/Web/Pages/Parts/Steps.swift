internal import Basics
internal import Presentation
internal import Store

/// Rows of links to neighbouring pages.
enum Steps {
    /// The same page one observation earlier and later; filters stay.
    static func observations(_ visit: Visit, _ observation: Observation) -> HTML {
        func step(_ other: Observation?, _ name: String, rel: String) -> HTML {
            guard let other else { return .empty }
            return .element("a", ["href": visit.address(at: other).text, "rel": rel], HTML(name))
        }
        let previous = visit.chain.previous(of: observation)
        let next = visit.chain.next(of: observation)
        return .element(
            "nav", ["class": "steps", "aria-label": "Observations"],
            step(previous, "‹ Observation \(previous?.id ?? 0)", rel: "prev"),
            step(next, "Observation \(next?.id ?? 0) ›", rel: "next"))
    }

    /// The first and the next page of a list; nothing where there is one page.
    static func pages(_ visit: Visit, next: String?) -> HTML {
        let first = visit.address[.after] == nil ? nil : visit.address.with(.after, nil)
        let links = [first.map { ("First", $0) }, next.map { ("Next", visit.address.with(.after, $0)) }]
        let shown = links.compactMap(\.self).filter { $0.1.isTaken }
        guard !shown.isEmpty else { return .empty }
        return .element(
            "nav", ["class": "pages", "aria-label": "Pages of the list"],
            shown.map { name, address in .element("a", ["href": address.text], HTML(name)) })
    }

    /// Other pages about the same thing.
    static func links(_ links: [(name: String, address: Address)]) -> HTML {
        .element(
            "ul", ["class": "links"],
            links.filter(\.address.isTaken).map { name, address in
                .element("li", [:], .element("a", ["href": address.text], HTML(name)))
            })
    }
}

/// Which part of a list is asked for.
struct ListPart {
    /// Nil where nothing is said.
    let limit: Int?
    /// How many entries come before, or the number of the last of them.
    let after: Int

    /// - Parameters:
    ///   - entries: what the list is of, in words.
    ///   - place: what `after` takes, in words.
    ///   - hasAllInJSON: whether JSON is of the whole list, too.
    /// - Throws: `WebError.usage`; for JSON lines, too, which are of a whole list.
    init(
        _ visit: Visit, of entries: String, place: String = "what the page before gave", hasAllInJSON: Bool = false
    ) throws {
        limit = try visit.limit(1...1000)
        guard let after = Int(visit.address[.after] ?? "0"), after >= 0 else {
            throw WebError(.usage, "after takes \(place).")
        }
        self.after = after
        guard limit != nil || after > 0 else { return }
        if visit.address.form == .ndjson {
            throw WebError(.usage, "JSON lines have all \(entries); limit and after go with JSON.")
        }
        if hasAllInJSON, visit.address.form == .json {
            throw WebError(.usage, "JSON has all \(entries); limit and after go with the page.")
        }
    }
}

extension Visit {
    /// A part of a list for programs: its members, and where the next part begins.
    func listAnswer(_ schema: String, _ members: JSON.Members, next: (some JSONConvertible)?) -> Answer {
        let url = next.map { address.with(.after, "\($0)").text }
        return .json(JSON.line(schema, members).adding(["next": next, "nextURL": url]))
    }
}
