/// The days that have a row: those of the data's own span, and single days far outside of it.
///
/// A record with a wrong year shall not make a row of every day since. The span is that of the days with records around the
/// export's day of which none is more than ten years from the next; where there are none, the latest such days before it, if
/// they are a fortnight. It reaches to the export's day, and no more than 150 years from it. Days with records outside of it
/// are rows of their own, which follow from their own records alone.
package struct DayRange: Sendable, Equatable {
    /// Consecutive days, the export's among them.
    package let span: ClosedRange<Int64>
    /// In order.
    package let isolated: [Int64]

    /// Ten years.
    package static let farthestNeighbour: Int64 = 3653
    /// 150 years: longer than a life.
    package static let longest: Int64 = 54_787
    /// Fewer days far from the export's day are no data of their own.
    package static let leastDays = 14

    /// - Parameter days: those on which a record starts.
    package init(_ days: Set<Int64>, exportDay: Int64) {
        let sorted = days.sorted()
        /// The days that hang together, in order.
        var groups: [[Int64]] = []
        for day in sorted where abs(day - exportDay) <= Self.longest {
            if let last = groups.last?.last, day - last <= Self.farthestNeighbour {
                groups[groups.count - 1].append(day)
            } else {
                groups.append([day])
            }
        }
        let near = groups.filter {
            ($0.first ?? .max) - Self.farthestNeighbour <= exportDay
                && ($0.last ?? .min) + Self.farthestNeighbour >= exportDay
        }
        let earlier = groups.last { $0.count >= Self.leastDays && ($0.last ?? .max) < exportDay }
        let chosen = near.isEmpty ? earlier ?? [] : near.flatMap(\.self)
        let span = min(chosen.first ?? exportDay, exportDay)...max(chosen.last ?? exportDay, exportDay)
        self.span = span
        isolated = sorted.filter { !span.contains($0) }
    }
}
