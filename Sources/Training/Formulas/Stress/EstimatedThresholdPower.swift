/// eFTP: 95 % of the best 20 minutes of power among the rides of 90 days, as in the published 20-minute test.
///
/// It is shown and never used as a threshold: condensing changes it. Critical power is another quantity and is not printed.
package enum EstimatedThresholdPower {
    package static let share = 0.95
    /// The length of an effort in active seconds.
    package static let seconds = 1200
    /// The days whose rides count, the day itself included.
    package static let days = 90

    /// The estimate of each day.
    ///
    /// - Parameter efforts: the best 20 minutes of each ride with the number of its day among those of `count`.
    package static func series(_ efforts: [(index: Int, watts: Double)], count: Int) -> [Double?] {
        var best = [Double?](repeating: nil, count: count)
        for effort in efforts {
            for index in max(0, effort.index)..<max(0, min(count, effort.index + days)) {
                best[index] = max(best[index] ?? -.infinity, share * effort.watts)
            }
        }
        return best
    }
}
