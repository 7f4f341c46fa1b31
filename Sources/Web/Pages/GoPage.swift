internal import Basics
internal import HealthModel
internal import Presentation
internal import Questions
internal import Reporting
internal import Store
internal import Training

/// What the go-to box leads to: a day, a kind, a source, a record, or a list of what it could mean.
struct GoPage: SitePage {
    let visit: Visit
    private let text: String

    init(_ visit: Visit) throws {
        self.visit = visit
        text = (visit.address[.q] ?? "").filter { !$0.isWhitespace || $0 == " " }
        if let day = Self.day(text, isMonthFirst: visit.settings.units == .imperial) {
            throw Visit.Redirection(address: visit.links.address(.day).with(.date, day))
        }
        let exact = try kinds.filter { shortIdentifier($0).lowercased() == folded }
        if exact.count == 1 { throw Visit.Redirection(address: kind(exact[0])) }
    }

    func twin(_ form: Page.Form) throws -> Answer { throw WebError(.notFound) }

    private var folded: String { text.lowercased().filter { $0 != " " } }

    private var kinds: [String] {
        get throws { try RecordPage.typeIdentifiers(visit.db) }
    }

    private func kind(_ type: String) -> Address { visit.links.address(.type).with(.type, type) }

    /// `2022-10-01` of that, of `1.10.2022` and of `10/1/2022`, or of `1/10/2022` where the day comes first.
    static func day(_ text: String, isMonthFirst: Bool) -> String? {
        func number(_ part: Substring) -> Int? { Int(part) }
        func spelled(_ year: Int?, _ month: Int?, _ day: Int?) -> String? {
            guard let year, let month, let day, 1000...9999 ~= year, 1...12 ~= month,
                1...CivilDate.daysInMonth(year: year, month: month) ~= day
            else { return nil }
            return "\(year)-\(month < 10 ? "0" : "")\(month)-\(day < 10 ? "0" : "")\(day)"
        }
        for (separator, order) in [("-", [0, 1, 2]), (".", [2, 1, 0])] as [(Character, [Int])] {
            let parts = text.split(separator: separator).map { number($0) }
            if parts.count == 3 { return spelled(parts[order[0]], parts[order[1]], parts[order[2]]) }
        }
        let parts = text.split(separator: "/").map { number($0) }
        guard parts.count == 3 else { return nil }
        let (first, second) = isMonthFirst ? (parts[0], parts[1]) : (parts[1], parts[0])
        // A number beyond twelve can only be a day.
        return spelled(parts[2], first, second) ?? spelled(parts[2], second, first)
    }

    func content() throws -> PageContent {
        let isDate = text.split { "-./".contains($0) }.count { !$0.isEmpty && $0.allSatisfy(\.isNumber) } == 3
        var links: [(name: String, address: Address)] =
            isDate ? [("The day of the latest export", visit.links.address(.day))] : []
        if !folded.isEmpty, !isDate {
            links += try kinds.filter { shortIdentifier($0).lowercased().contains(folded) }.prefix(20).map {
                ("Kind: \(shortIdentifier($0))", kind($0))
            }
            let latest = visit.chain.finished.last.map { "\($0.id)" }
            links.append(("Workouts: \(text)", visit.links.address(.workouts).with(.at, latest).with(.type, text)))
            links.append(
                ("Records of the source \(text)", visit.links.address(.records).with(.at, latest).with(.source, text)))
            if folded.utf8.count >= 4, folded.allSatisfy(\.isHexDigit) {
                links.append(("The record or workout \(text)", visit.links.address(.history).with(.identity, folded)))
            }
        }
        let list = HTML.element(
            "ul", [:],
            links.filter(\.address.isTaken).map {
                .element("li", [:], .element("a", ["href": $0.address.text], .foreign($0.name)))
            })
        let lead =
            isDate
            ? "There is no such day. Write it like 2024-05-01, 1.5.2024 or 5/1/2024."
            : links.isEmpty
                ? "Type a date, a kind, an activity, a source or the first digits of a record." : "It could be:"
        return PageContent("Go to", [.element("p", [:], HTML(lead)), list])
    }
}

/// Pages that the menu has no room for.
enum MorePage {
    static func content(_ visit: Visit) -> PageContent {
        let pages: [(String, Page, String)] = [
            ("Exports of the phone", .timeline, "all imports, and what each changed"),
            ("A day", .day, "one local day, then and now"), ("Nights", .nights, "stages, falling asleep and waking"),
            ("ECGs", .ecg, "their traces, to scale"), ("Records", .records, "one by one, with filters"),
            ("Days and months in numbers", .aggregates, "counts, sums and ranges of each kind"),
            ("Sources", .sources, "apps and devices with their versions"),
            ("Merged records", .consolidation, "what was merged, with the evidence"),
            ("Impact", .impact, "what merging did to workouts and days"),
            ("Report", .report, "a comparison as one file"),
            ("Files made here", .exports, "what was taken out, and when"),
            ("State of the archive", .health, "checks, seals and the log"), ("Import", .upload, "a new export"),
            ("Jobs", .jobs, "what pages have started"), ("Settings", .settings, "how pages look"),
            ("Help", .help, "the words and their meaning"),
        ].filter { $0.1 != .upload || visit.site.offersUpload }
        return PageContent(
            "More",
            [
                .element(
                    "ul", [:],
                    pages.map { name, page, what in
                        let url = visit.links.address(page).text
                        return .element("li", [:], .element("a", ["href": url], HTML(name)), HTML(": \(what)"))
                    })
            ])
    }
}
