package import Foundation
package import Presentation
internal import Store
package import Training

extension WorkoutTotals {
    /// Years as a table, hours a month as a chart, and months folded; empty where there is one month alone.
    ///
    /// - Parameters:
    ///   - entry: the question of the list, which takes an interval.
    ///   - isSimple: whether the page is short: years, and no more.
    package func document(_ zone: TimeZone, _ units: DisplayUnits, entry: Document.Link, isSimple: Bool) -> Document {
        guard months.count > 1 else { return Document() }
        var years: [Month] = []
        for month in months {
            let label = String(month.label.prefix(4))
            if years.last?.label != label { years.append(.init(label: label, start: month.start, end: month.end)) }
            years[years.count - 1].add(month)
            years[years.count - 1].end = month.end
        }
        var document = Document([.heading("By month and year")])
        if !isSimple {
            let hours = months.map { Chart.Span($0.start, $0.end, $0.label, $0.seconds / 3600) }
            var chart = Chart(
                "Hours a month", "Copies by other apps are not counted.", .spans([.init("hours", hours, .bars)]))
            (chart.unit, chart.zone, chart.entry) = ("h", zone, entry)
            document.append(.charts([chart]))
        }
        document.append([.table(table(years.reversed(), "Year", zone, units, entry))])
        guard !isSimple else { return document }
        document.append([.folded("Every month", [.table(table(months.reversed(), "Month", zone, units, entry))])])
        return document
    }

    private func table(
        _ rows: [Month], _ name: String, _ zone: TimeZone, _ units: DisplayUnits, _ entry: Document.Link
    ) -> Table {
        var table = Table([
            .exact(name), .right("Workouts"), .right("Time"), .right(units.distanceName), .right("kcal"),
            .right("Copies not counted"),
        ])
        for row in rows {
            table.addRow(
                [
                    row.label, Counts.grouped(Int64(row.workouts)), WorkoutText.clock(row.seconds),
                    units.distance(row.distance), WorkoutText.whole(row.activeEnergy),
                    row.copies == 0 ? "" : Counts.grouped(Int64(row.copies)),
                ], links: [0: entry.over(row.start, row.end, zone)])
        }
        return table
    }
}
