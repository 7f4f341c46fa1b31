internal import Analysis
internal import Archive
internal import HealthModel
internal import Presentation

/// A type's section: charts, groups with their evidence, records that nothing explains, and the queries.
enum TypePage {
    static func section(_ type: TypeSection, _ report: ComparisonReport) -> HTML {
        let index = report.types.firstIndex { $0.diff.type == type.diff.type } ?? 0
        var pieces: [HTML] = [
            .element("h2", ["id": ReportPage.anchor(index)], .foreign(shortIdentifier(type.diff.type))),
            .element("p", ["class": "note hash"], .foreign(type.diff.type)),
            .element("p", [:], HTML(Sentences.type(type))),
        ]
        if !type.diff.labels.isEmpty {
            pieces.append(
                .element("p", [:], type.diff.labels.map { .element("span", ["class": "label"], HTML($0)) }))
        }
        if !type.diff.uncertainty.isEmpty {
            pieces.append(
                .element("p", ["class": "note"], HTML("Uncertain: " + type.diff.uncertainty.joined(separator: "; "))))
        }
        pieces.append(.element("div", ["class": "charts"], charts(type, report)))
        if let consolidation = type.consolidation, consolidation.groupCount > 0 {
            pieces += groups(consolidation, type)
        }
        pieces += unexplained(type)
        pieces.append(ReportPage.queries(type.queries))
        return .element("section", ["class": "type"], pieces)
    }

    private static func charts(_ type: TypeSection, _ report: ComparisonReport) -> [HTML] {
        let sides = [report.from.observation.id, report.to.observation.id]
        var charts = [
            CountChart.figure(
                zip(report.observations, type.counts).map { observation, count in
                    .init(observedAt: observation.observedAt, count: count, isSide: sides.contains(observation.id))
                })
        ]
        if let evidence = type.consolidation?.evidence, let before = evidence.medianIntervalBefore,
            let after = evidence.medianIntervalAfter, let thick = evidence.densityBefore,
            let thin = evidence.densityAfter
        {
            charts.append(
                PairChart.figure(
                    title: "Density and interval length",
                    description: "Of the records that were consolidated and of those that replace them.",
                    [
                        .init(name: "Records an hour", before: thick, after: thin) { Sentences.number($0) },
                        .init(name: "Median interval", before: before, after: after) { Durations.text(seconds: $0) },
                    ]))
        }
        if !type.days.isEmpty {
            charts.append(
                DifferenceChart.figure(
                    type.days.map { .init(start: $0.start, difference: $0.difference) },
                    unit: type.days.first?.unit ?? "", isCumulative: type.isCumulative))
        }
        return charts
    }

    private static func groups(_ consolidation: TypeSection.Consolidation, _ type: TypeSection) -> [HTML] {
        let rows = consolidation.groups.map { group in
            HTML.element(
                "tr", [:],
                .element("td", [:], HTML(group.replacements.compactMap(\.start).min().map(Sentences.time) ?? "-")),
                .element("td", [:], HTML(Sentences.basis(group))),
                ReportPage.number(Int64(group.replacements.count)), ReportPage.number(group.constituentCount),
                .element("td", ["class": "n"], HTML(group.declaredCount.map { Counts.grouped($0) } ?? "-")),
                .element("td", ["class": "n"], HTML(group.sumBefore.map(Sentences.number) ?? "-")),
                .element("td", ["class": "n"], HTML(group.sumAfter.map(Sentences.number) ?? "-")),
                .element("td", [:], .foreign(group.unit ?? "")))
        }
        return [
            .element("h3", [:], HTML("Consolidation: \(Counts.of(consolidation.groupCount, "group"))")),
            .element("p", [:], HTML(Sentences.evidence(consolidation, isCumulative: type.isCumulative))),
            Tables.scrolling(
                [
                    ("First record (UTC)", false), ("Evidence", false), ("Replacements", true), ("Found", true),
                    ("Declared", true), (type.isCumulative ? "Sum before" : "Mean before", true),
                    (type.isCumulative ? "Sum after" : "Mean after", true), ("Unit", false),
                ], rows),
            more(Int64(consolidation.groups.count), consolidation.groupCount, "groups"),
        ]
    }

    private static func unexplained(_ type: TypeSection) -> [HTML] {
        let count = type.consolidation?.unexplained ?? type.diff.disappeared
        guard count > 0 else { return [] }
        let rows = type.unexplained.map { record in
            HTML.element(
                "tr", [:],
                .element("td", [:], HTML(record.start.map(Sentences.time) ?? "-")),
                .element("td", [:], HTML(record.end.map(Sentences.time) ?? "-")),
                .element("td", ["class": "n"], .foreign(RecordText.value(record))),
                .element("td", [:], .foreign(record.unit ?? "")),
                .element("td", [:], .foreign(record.sourceName ?? "")),
                .element("td", ["class": "hash"], HTML(String(record.identity.hex.prefix(12)))))
        }
        return [
            .element("h3", [:], HTML("No longer visible, unexplained: \(Counts.grouped(count))")),
            Tables.scrolling(
                [
                    ("Start (UTC)", false), ("End (UTC)", false), ("Value", true), ("Unit", false), ("Source", false),
                    ("Identity", false),
                ], rows),
            more(Int64(type.unexplained.count), count, "records"),
        ]
    }

    private static func more(_ shown: Int64, _ all: Int64, _ what: String) -> HTML {
        all > shown
            ? .element(
                "p", ["class": "note"], HTML("\(Counts.grouped(shown)) of \(Counts.grouped(all)) \(what) shown."))
            : .empty
    }
}
