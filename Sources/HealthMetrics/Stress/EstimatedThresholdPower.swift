/// eFTP: 95 % of the best 20 minutes of power among the rides of 90 days, as in the published 20-minute test.
///
/// It is shown and never used as a threshold: condensing changes it. Critical power is another quantity and is not printed.
package enum EstimatedThresholdPower {
    package static let share = 0.95
    /// The length of an effort in active seconds.
    package static let seconds = 1200
    /// The share of its seconds that must have a power value.
    package static let coverage = 0.95
    /// The days whose rides count, the day itself included.
    package static let days = 90

    /// The best mean power of 1,200 consecutive active seconds with values for 95 % of them; seconds without count as 0.
    ///
    /// - Returns: nil for a workout without such seconds.
    package static func best(_ power: PowerFigures) -> Double? {
        best(zip(power.seconds, power.isCovered).map { $1 ? $0 : nil })
    }

    /// The same of watts by active second; nil where there is no value.
    ///
    /// - Complexity: one pass.
    package static func best(_ watts: [Double?]) -> Double? {
        guard watts.count >= seconds else { return nil }
        let needed = Int((coverage * Double(seconds)).rounded(.up))
        var sum = CompensatedSum()
        var covered = 0
        var best: Double?
        for index in watts.indices {
            if let value = watts[index] {
                sum.add(value)
                covered += 1
            }
            if index >= seconds, let left = watts[index - seconds] {
                sum.add(-left)
                covered -= 1
            }
            if index >= seconds - 1, covered >= needed {
                best = max(best ?? -.infinity, sum.value / Double(seconds))
            }
        }
        return best
    }

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
