package import Analysis
internal import Archive
internal import HealthModel
internal import Presentation

/// A report as one HTML file: no script, no request, right on a phone, in the dark and on paper.
package enum ReportPage {
    /// The whole file.
    package static func html(_ report: ComparisonReport) -> String {
        let body =
            [FirstScreen.section(report), table(report)] + report.types.map { TypePage.section($0, report) }
            + [MethodPage.section(report)]
        let page = HTML.element(
            "html", ["lang": "en"],
            .element("head", [:], head(report)),
            .element("body", [:], .element("main", [:], body)))
        return "<!DOCTYPE html>\n" + page.text + "\n"
    }

    private static func head(_ report: ComparisonReport) -> [HTML] {
        [
            .void("meta", ["charset": "utf-8"]),
            .void(
                "meta",
                [
                    "http-equiv": "Content-Security-Policy",
                    "content": "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'",
                ]),
            .void("meta", ["name": "viewport", "content": "width=device-width, initial-scale=1"]),
            .void("meta", ["name": "referrer", "content": "no-referrer"]),
            .void("meta", ["name": "color-scheme", "content": "light dark"]),
            .element(
                "title", [:],
                HTML(
                    "Health exports of \(SideFacts.day(report.from.observation)) and "
                        + "\(SideFacts.day(report.to.observation)) compared")),
            .element("style", [:], .verbatim(ReportStyle.sheet)),
        ]
    }

    /// The table of types with links to their sections.
    private static func table(_ report: ComparisonReport) -> HTML {
        let heads: [(String, Bool)] = [
            ("Type", false), ("Before", true), ("After", true), ("Appeared", true), ("No longer visible", true),
            ("Consolidated", true), ("Representation changed", true),
        ]
        let rows = report.types.enumerated().map { index, type in
            HTML.element(
                "tr", [:],
                [
                    .element(
                        "td", [:],
                        .element("a", ["href": "#\(anchor(index))"], .foreign(shortIdentifier(type.diff.type))))
                ]
                    + [
                        type.diff.before, type.diff.after, type.diff.appeared, type.diff.disappeared,
                        type.consolidation?.verdict.explained ?? 0, type.diff.representationChanged,
                    ].map(number))
        }
        var pieces = [HTML.element("h2", [:], "Types with differences")]
        if rows.isEmpty {
            pieces.append(.element("p", [:], "No type differs between the two observations."))
        } else {
            pieces.append(Tables.scrolling(heads, rows))
        }
        if !report.unchanged.isEmpty {
            let names = report.unchanged.map {
                HTML([.foreign(shortIdentifier($0.type)), HTML(" (\(Counts.grouped($0.count)))")])
            }
            pieces.append(
                .element(
                    "details", [:],
                    .element(
                        "summary", [:], HTML(Counts.of(report.unchanged.count, "type") + " without any difference")),
                    .element("p", [:], HTML(names, separator: ", "))))
        }
        return .element("section", [:], pieces)
    }

    /// A cell with a count.
    static func number(_ count: Int64) -> HTML {
        .element("td", ["class": "n"], HTML(count == 0 ? "·" : Counts.grouped(count)))
    }

    /// The id of a type's section; its number, because identifiers come from the export.
    static func anchor(_ index: Int) -> String { "type-\(index + 1)" }

    /// The queries behind numbers, folded away.
    static func queries(_ queries: [NumberedQuery]) -> HTML {
        guard !queries.isEmpty else { return .empty }
        return .element(
            "details", [:],
            [.element("summary", [:], "The SQL behind these numbers")]
                + queries.flatMap { query in
                    [HTML.element("p", ["class": "note"], HTML(query.title)), .element("pre", [:], HTML(query.sql))]
                })
    }
}
