internal import Days
internal import HealthModel
internal import Presentation
internal import Questions
internal import Store

/// The charts of a type's section, each with its table.
extension TypeSection {
    /// How many records were visible at each observation of the chain, with the two compared ones marked.
    func countChart(_ report: ComparisonReport) -> Chart {
        let sides = [report.from.observation.id, report.to.observation.id]
        let compared = zip(report.observations, counts).filter { sides.contains($0.0.id) }
        return .visibleCounts(
            "Visible records",
            "At \(Counts.of(report.observations.count, "observation")) of the chain; compared here: "
                + compared.map { Counts.grouped($0.1) }.joined(separator: " and ") + ".",
            report.observations, counts, marked: sides)
    }

    /// By how much each day's aggregate differs between the two observations; nil where no day can be drawn.
    func dayChart(_ report: ComparisonReport) -> Chart? {
        let points = days.compactMap { day in day.difference.map { Chart.Point(day.start, day.label, $0) } }
        guard !points.isEmpty, let measure = days.lazy.compactMap(\.measure).first else { return nil }
        let bars = Self.bars(points, addsUp: measure.kind != .mean)
        let what = measure.kind == .count ? "number of records" : measure.kind.rawValue
        let zone = Wording.zoneName(report.zone)
        let left = dayCount - points.count
        return Chart(
            "Daily \(what), after minus before",
            "\(Counts.of(points.count, "day")) of \(zone) with another \(what)"
                + (measure.unit.map { ", in \($0)" } ?? "")
                + (bars.count < points.count ? "; drawn in spans of several days." : ".")
                + (left > 0 ? " \(Counts.of(left, "more day")) not drawn." : "") + labelledDays,
            .bars(bars), table: dayTable)
    }

    /// ` Consolidation likely on 2024-04-12 and 3 more days.`
    private var labelledDays: String {
        let labelled = days.filter { !$0.labels.isEmpty }
        guard !labelled.isEmpty else { return "" }
        let named = labelled.prefix(Self.mostNamed).map(\.label).joined(separator: ", ")
        let more = labelled.count - Self.mostNamed
        return " Consolidation likely on \(named)" + (more > 0 ? " and \(Counts.of(more, "more day"))." : ".")
    }

    /// Labelled days named below a drawing.
    private static let mostNamed = 10

    /// The days with the largest differences, in order.
    private var dayTable: Table {
        let largest = days.sorted {
            ($0.difference?.magnitude ?? .infinity) > ($1.difference?.magnitude ?? .infinity)
        }.prefix(Self.mostDays)
        var table = Table(
            [.words("Day"), .words("Measure"), .right("Before"), .right("After"), .right("Difference"), .left("Unit")]
                + Wording.labelColumn(largest))
        for day in largest.sorted(by: { $0.start < $1.start }) {
            table.addRow(
                [day.label, day.measure?.kind.rawValue ?? ""] + Wording.values(day, Wording.rounded)
                    + Wording.labels(day))
        }
        table.remark = Sentences.remark(table, of: Int64(dayCount), "days (those that differ most)")
        return table
    }

    /// A long time in equal spans of days, so that a drawing has a bounded number of bars: each has the sum of its days'
    /// differences for amounts, and the one farthest from zero for readings.
    private static func bars(_ days: [Chart.Point], addsUp: Bool) -> [Chart.Point] {
        guard days.count > mostBars, let first = days.first?.instant, let last = days.last?.instant else { return days }
        let span = (last - first) / Int64(mostBars) + 1
        var bars: [Chart.Point] = []
        for day in days {
            let start = first + (day.instant - first) / span * span
            guard let index = bars.indices.last, bars[index].instant == start else {
                bars.append(Chart.Point(start, day.label, day.value))
                continue
            }
            if addsUp {
                bars[index].value += day.value
            } else if day.value.magnitude > bars[index].value.magnitude {
                bars[index].value = day.value
            }
        }
        return bars
    }

    /// Days of a table at most.
    private static let mostDays = 100
    /// Bars of one drawing at most.
    private static let mostBars = 120
}
