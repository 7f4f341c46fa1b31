internal import Analysis
internal import Archive
internal import Presentation

/// The end of a report: method, caveats, what the reading of the files met, and the digests.
enum MethodPage {
    static func section(_ report: ComparisonReport) -> HTML {
        .element(
            "section", [:],
            [.element("h2", [:], "Method")] + Method.sentences(report).map { .element("p", [:], HTML($0)) }
                + [
                    .element("h2", [:], "Caveats"),
                    .element("ul", [:], Caveats.all.map { .element("li", [:], HTML($0)) }),
                    .element("h2", [:], "Files and digests"),
                    .element(
                        "div", ["class": "cards"], side("Before", report.from, report.fromSeal),
                        side("After", report.to, report.toSeal)),
                    .element("p", ["class": "hash"], HTML(Method.head(report))),
                    .element("h2", [:], "How to verify"),
                    .element(
                        "ul", [:],
                        Method.verification(report).map {
                            .element("li", [:], .element("code", [:], .foreign($0.command)), HTML(": \($0.shows)"))
                        }),
                ])
    }

    private static func side(
        _ title: String, _ side: ObservationReport, _ seal: ComparisonReport.SealNote?
    ) -> HTML {
        .element(
            "section", ["class": "card"],
            [
                .element("h2", [:], HTML(title)),
                Tables.facts(
                    Method.digests(side, seal).map { name, value in
                        (name, value.map { .element("span", ["class": "hash"], .foreign($0)) })
                    }),
                located("Repairs", Wording.notable(side.repairs), Wording.repair),
                located("Quarantine", side.quarantine, Wording.quarantine),
                list("Unknown elements and attributes", side.unknown.map { "\($0.name): \(Counts.grouped($0.count))" }),
                list("Warnings", side.warnings),
            ])
    }

    private static func located(
        _ title: String, _ entries: [ObservationReport.Located], _ word: (String) -> String
    ) -> HTML {
        guard !entries.isEmpty else { return .element("p", ["class": "note"], HTML("\(title): none.")) }
        return list(
            title,
            entries.map {
                "\(word($0.name)): \(Counts.grouped($0.count)), first in line \(Counts.grouped($0.firstLine))"
            })
    }

    private static func list(_ title: String, _ lines: [String]) -> HTML {
        guard !lines.isEmpty else { return .empty }
        return HTML([
            .element("h3", [:], HTML(title)),
            .element("ul", [:], lines.map { .element("li", [:], .foreign($0)) }),
        ])
    }
}
