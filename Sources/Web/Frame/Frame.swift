internal import Foundation
internal import HealthModel
internal import Presentation
internal import Reporting
internal import Store

/// What a page shows below the site's header.
struct PageContent {
    var title: String
    var parts: [HTML]
    /// The HTTP status.
    var status: Int

    init(_ title: String, _ parts: [HTML], status: Int = 200) {
        self.title = title
        self.parts = parts
        self.status = status
    }
}

/// What all pages share: header, navigation, notes about the archive, footer.
struct Frame: Sendable {
    private let address: Address?
    /// In which times are shown.
    let zone: DisplayZone
    private let theme: Settings.Theme
    private let failedChecks: [String]
    /// Whether the page cannot be shown because what it needs of the archive is damaged.
    private let isDamaged: Bool
    private var links = LinkAddresses()
    private var chains: [(name: String, address: Address)] = []
    private var chain: String?
    /// What the archive had when the page was made; nil without one.
    private var state: StatePage?
    private var programs: [(name: String, address: Address)]

    /// Around a message, where there is no archive to show.
    init(
        _ address: Address? = nil, _ zone: DisplayZone = DisplayZone(.gmt), settings: Settings = Settings(),
        failedChecks: [String] = [], isDamaged: Bool = false
    ) {
        (self.address, self.zone, theme) = (address, zone, settings.theme)
        (self.failedChecks, self.isDamaged) = (failedChecks, isDamaged)
        programs = address.map { own in own.page.twins.map { ($0.title, own.to(own.page, $0)) } } ?? []
    }

    /// Around a page of an archive.
    init(_ visit: Visit) {
        self.init(visit.address, visit.zone, settings: visit.settings, failedChecks: visit.failedChecks)
        links = visit.links
        let page = visit.address.page
        let switched = page.subject == .chain && page != .history && page != .go ? page : .home
        let other = visit.links.address(switched).with(.type, visit.address[.type])
        chains = visit.chains.map { ($0, other.with(.chain, $0)) }
        chain = visit.chain.name
        state = visit.state
        programs = visit.twins.map { ($0.title, visit.twin($0)) }
    }

    /// The answer with the whole page.
    func answer(_ content: PageContent) -> Answer { .html(content.status, text(content)) }

    private func text(_ content: PageContent) -> [UInt8] {
        let head = HTML.element(
            "head", [:], .void("meta", ["charset": "utf-8"]),
            .void("meta", ["name": "viewport", "content": "width=device-width, initial-scale=1"]),
            .void("meta", ["name": "color-scheme", "content": "light dark"]),
            .element("title", [:], HTML("\(content.title.unquoted) · HealthProbe")),
            .void("link", ["rel": "icon", "href": StaticFile.icon.path]),
            .void("link", ["rel": "stylesheet", "href": StaticFile.style.path]),
            .element("script", ["src": StaticFile.script.path, "defer": ""]))
        let body = HTML.element(
            "body", [:], .element("a", ["class": "skip", "href": "#main"], "Skip to the content"), header, banner,
            notice,
            .element("main", ["id": "main"], [.element("h1", [:], .prose(content.title))] + content.parts), footer)
        // Without a choice the browser follows the system.
        let theme = theme == .auto ? nil : theme.rawValue
        let page = HTML.element("html", ["lang": "en", "data-theme": theme], head, body)
        return Array("<!DOCTYPE html>\n\(page.text)\n".utf8)
    }

    private var header: HTML {
        .element(
            "header", [:],
            .element("a", ["class": "name", "href": links.address(.home).text], "HealthProbe"),
            .element("nav", ["aria-label": "Pages"], .element("ul", [:], Self.pages.map(entry))), goTo, chainSwitch)
    }

    /// Leads to a day, a kind, an activity, a source or a record.
    private var goTo: HTML {
        .element(
            "form", ["class": "go", "action": "/go", "role": "search"],
            links.chain.map { Form.hidden(Parameter.chain.rawValue, $0) } ?? .empty,
            .void(
                "input",
                [
                    "name": "q", "aria-label": "Go to a date, kind, activity, source or identity",
                    "placeholder": "Date, kind, activity …",
                ]),
            .element("button", ["class": "quiet"], "Go"))
    }

    private func entry(_ name: String, _ page: Page) -> HTML {
        let url = links.address(page).with(.chain, links.chain).text
        let current = page == address?.page ? "page" : nil
        return .element("li", [:], .element("a", ["href": url, "aria-current": current], HTML(name)))
    }

    private static let pages: [(String, Page)] = [
        ("Home", .home), ("Compare", .diff), ("Kinds", .types), ("Workouts", .workouts), ("Days", .metrics),
        ("Take out", .export), ("More", .more),
    ]

    /// Links to the other phones of the archive; nothing where there is one.
    private var chainSwitch: HTML {
        guard chains.count > 1 else { return .empty }
        let entries = chains.map { name, address in
            HTML.element(
                "li", [:],
                name == chain
                    ? .element("strong", ["aria-current": "true"], .foreign(name))
                    : .element("a", ["href": address.text], .foreign(name)))
        }
        return .element(
            "nav", ["class": "chains", "aria-label": "Chains"], .element("span", [:], "Chain"),
            .element("ul", [:], entries))
    }

    /// What stays on every page until a check passes.
    private var banner: HTML {
        guard !failedChecks.isEmpty || isDamaged else { return .empty }
        let text =
            failedChecks.isEmpty
            ? "What this page needs of the archive could not be read. Other pages stay readable."
            : "The last check failed: \(InvariantWords.text(failedChecks)). "
                + "Pages stay readable; imports wait until a check passes."
        return .element(
            "div", ["class": "banner", "role": "status"], .element("strong", [:], "Degraded."),
            HTML(" \(text) "),
            .element("a", ["href": Address(.health).text], "More about it"))
    }

    /// A line about what happens to the archive meanwhile; the script keeps it up to date.
    private var notice: HTML {
        guard let state else { return .empty }
        let text = state.importSince.map { "An import has been running since \(zone.time(Int64($0))) \(zone.name)." }
        return .element(
            "p",
            ["class": "notice", "id": "notice", "role": "status", "data-newest": state.newest.map { "\($0)" } ?? ""],
            HTML(text ?? ""))
    }

    private var footer: HTML {
        let places: [(String, Page)] = [("Jobs", .jobs), ("Settings", .settings), ("Help", .help)]
        let more = places.map { name, page in HTML.element("a", ["href": links.address(page).text], HTML(name)) }
        let twins = programs.filter(\.address.isTaken).map { name, address in
            HTML.element("a", ["href": address.text], HTML(name))
        }
        let statements = HTML.element("a", ["href": links.address(.help).text + "#sql"], "SQL")
        return .element(
            "footer", [:],
            twins.isEmpty
                ? .empty
                : .element("p", [:], ["The same for programs: "] + [HTML(twins + [statements], separator: " · ")]),
            .element("p", [:], HTML(more, separator: " · ")),
            .element("p", [:], HTML("\(HealthModel.program), on this computer alone.")))
    }
}
