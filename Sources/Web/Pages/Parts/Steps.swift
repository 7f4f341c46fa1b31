internal import ArchiveRows
internal import Presentation

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
