internal import Days
internal import HealthModel
package import Presentation
package import Questions

extension DiffSummary {
    /// Bars of the types that changed most, before and after, and the days of each on which most changed.
    ///
    /// - Parameter mostDays: types with a drawing of their days.
    package func charts(mostDays: Int) -> [Chart] {
        let changed = types.filter { $0.changes > 0 }.sorted { ($1.changes, $0.type) < ($0.changes, $1.type) }
        guard !changed.isEmpty else { return [] }
        let days = changed.lazy.compactMap { $0.dayChart(Wording.zoneName(zone)) }
        return [sizes(Array(changed.prefix(Self.mostTypes)))] + days.prefix(mostDays)
    }

    private static let mostTypes = 5

    private func sizes(_ types: [TypeDiff]) -> Chart {
        let pairs = types.map {
            Chart.Pair(shortIdentifier($0.type), Double($0.before), Double($0.after)) { Counts.grouped(Int64($0)) }
        }
        var table = Table([.name("Type"), .right("Before"), .right("After")])
        for pair in pairs { table.addRow([pair.name] + pair.texts) }
        let all = self.types.count { $0.changes > 0 }
        return Chart(
            "Records before and after",
            (all > types.count ? "The \(types.count) types with most changes of \(all). " : "")
                + "Each type on a scale of its own.", .pairs(pairs), table: table)
    }
}

extension DiffSummary.TypeDiff {
    /// By how much the days differ that differ most; nil where none can be drawn.
    fileprivate func dayChart(_ zone: String) -> Chart? {
        let shown = days.largestKnown.filter { $0.difference != nil }.sorted { $0.start < $1.start }
        guard shown.count > 1, let measure = shown.lazy.compactMap(\.measure).first else { return nil }
        let what = measure.kind == .count ? "number of records" : measure.kind.rawValue
        var table = Table([.exact("Day"), .right("Before"), .right("After"), .right("Difference"), .left("Unit")])
        for day in shown { table.addRow([day.label] + Wording.values(day, Wording.rounded)) }
        let points = shown.map {
            Chart.Point(
                $0.start, $0.label, ($0.difference ?? 0) * (measure.kind == .count ? 1 : Percent.scale(measure.unit)))
        }
        let left = days.known - shown.count
        return Chart(
            "\(shortIdentifier(type).quoted): daily \(what), after minus before",
            "\(Counts.of(shown.count, "day")) of \(zone)" + (measure.unit.map { ", in \($0)" } ?? "")
                + (left > 0 ? ", those that differ most of \(Counts.grouped(days.known))." : "."),
            .bars(points), table: table)
    }
}
