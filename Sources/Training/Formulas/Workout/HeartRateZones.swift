internal import Basics

/// The bounds between heart-rate zones, from the first of these that exists: the zones that the workout prints, the
/// athlete's zones, the threshold heart rate, the heart-rate reserve. Never from the highest heart rate seen.
package struct HeartRateZones: Sendable, Equatable {
    package enum Origin: String, Sendable {
        case workout, settings, threshold, reserve
    }

    package var origin: Origin
    /// bpm, or W of power, ascending; zone i reaches from bound i up to, not including, bound i + 1. The first and last zone are open.
    package var bounds: [Double]
    /// The seconds that Apple printed for each zone; nil but for zones of the workout.
    package var printedSeconds: [Double]?

    package init(origin: Origin, bounds: [Double], printedSeconds: [Double]? = nil) {
        (self.origin, self.bounds, self.printedSeconds) = (origin, bounds, printedSeconds)
    }

    /// Shares of the threshold heart rate (Friel's zones, five of them).
    private static let thresholdShares = [0.68, 0.83, 0.94, 1.05]
    /// Shares of the reserve between resting and maximum heart rate (Karvonen).
    private static let reserveShares = [0.6, 0.7, 0.8, 0.9]

    /// The zones of a workout; nil where nothing says where they are.
    package static func of(_ facts: WorkoutFacts, _ athlete: Athlete) -> HeartRateZones? {
        if let printed = facts.zones, !printed.bounds.isEmpty {
            return HeartRateZones(origin: .workout, bounds: printed.bounds, printedSeconds: printed.seconds)
        }
        if let zones = athlete.period?.zones { return HeartRateZones(origin: .settings, bounds: zones) }
        if let threshold = athlete.period?.thresholdHeartRate {
            return HeartRateZones(
                origin: .threshold, bounds: thresholdShares.map { ($0 * threshold).rounded() })
        }
        guard let maximum = athlete.maxHeartRate, let rest = athlete.restingHeartRate, rest < maximum else {
            return nil
        }
        return HeartRateZones(
            origin: .reserve, bounds: reserveShares.map { (rest + $0 * (maximum - rest)).rounded() })
    }

    /// The zone of a heart rate, counted from 1.
    package func number(of heartRate: Double) -> Int { bounds.partitionPoint { $0 <= heartRate } + 1 }

    /// The zones of cycling power that a workout prints, in W; nil without. No other origin has any.
    package static func ofPower(_ facts: WorkoutFacts) -> HeartRateZones? {
        facts.powerZones.map { HeartRateZones(origin: .workout, bounds: $0.bounds, printedSeconds: $0.seconds) }
    }

    /// The active seconds in each zone of power; those without a reading are in none.
    package func seconds(_ power: PowerFigures) -> [Double] {
        var sums = Array(repeating: 0.0, count: bounds.count + 1)
        for watts in power.watts { if let watts { sums[number(of: watts) - 1] += 1 } }
        return sums
    }

    /// The active seconds in each zone.
    package func seconds(_ held: HeldValues, _ active: ActiveTime) -> [Double] {
        var sums = Array(repeating: CompensatedSum(), count: bounds.count + 1)
        held.forEach(in: active.workout, active) { sums[number(of: $0) - 1].add($1) }
        return sums.map(\.value)
    }
}
