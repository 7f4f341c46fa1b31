/// Intervals that come one by one, joined now and then so that what overlaps needs no memory.
///
/// After each union there is room for as many again: the work is that of sorting them all, also where few of them overlap.
package struct GatheredIntervals {
    private var list: [Interval] = []
    private var limit: Int
    private let least: Int
    /// How often they were joined.
    package private(set) var unions = 0

    /// - Parameter least: so many are kept before they are joined.
    package init(least: Int = 100_000) { (self.least, limit) = (least, least) }

    /// Adds an interval.
    package mutating func append(_ interval: Interval) {
        list.append(interval)
        guard list.count >= limit else { return }
        list = list.united
        unions += 1
        limit = max(least, 2 * list.count)
    }

    /// The union of all of them.
    package var united: [Interval] { list.united }
}
