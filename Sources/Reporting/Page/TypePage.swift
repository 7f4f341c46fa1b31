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
        if let consolidation = type.consolidation, consolidation.verdict.groups > 0 {
            pieces += [
                .element("h3", [:], HTML("Consolidation: \(Counts.of(consolidation.verdict.groups, "group"))")),
                .element("p", [:], HTML(Sentences.evidence(consolidation.verdict))),
                Tables.table(.groups(consolidation, isCumulative: type.isCumulative)),
            ]
        }
        if type.unexplainedCount > 0 {
            pieces += [
                .element(
                    "h3", [:], HTML("No longer visible, unexplained: \(Counts.grouped(type.unexplainedCount))")),
                Tables.table(.unexplained(type, count: type.unexplainedCount)),
            ]
        }
        pieces.append(ReportPage.queries(type.queries))
        return .element("section", ["class": "type"], pieces)
    }

    private static func charts(_ type: TypeSection, _ report: ComparisonReport) -> [HTML] {
        let sides = [report.from.observation.id, report.to.observation.id]
        var charts = [
            CountChart.figure(
                zip(report.observations, type.counts).map { observation, count in
                    .init(
                        observedAt: observation.observedAt, day: SideFacts.day(observation), count: count,
                        isSide: sides.contains(observation.id))
                })
        ]
        if let density = DensityPairs(type) {
            charts.append(
                PairChart.figure(
                    title: "Density and interval length",
                    description: "Of the records that were consolidated and of those that replace them.",
                    density.pairs))
        }
        return charts + differences(type, report)
    }

    /// The daily differences, where there are any that can be drawn.
    private static func differences(_ type: TypeSection, _ report: ComparisonReport) -> [HTML] {
        let drawn = type.days.compactMap { day in
            day.difference.map { DifferenceChart.Day(start: day.start, label: day.label, difference: $0) }
        }
        guard !drawn.isEmpty, let measure = type.days.lazy.compactMap({ $0.after ?? $0.before }).first else {
            return []
        }
        let left = type.dayCount - drawn.count
        return [
            DifferenceChart.figure(
                drawn, what: measure.kind == .count ? "number of records" : measure.kind.rawValue,
                unit: measure.unit ?? "", zone: Sentences.zone(report), addsUp: measure.kind != .mean,
                remark: left > 0 ? " \(Counts.of(left, "more day")) not drawn." : "")
        ]
    }
}

extension TypeSection {
    /// How many records that are no longer visible no group explains.
    var unexplainedCount: Int64 { consolidation?.verdict.unexplained ?? diff.disappeared }
}
