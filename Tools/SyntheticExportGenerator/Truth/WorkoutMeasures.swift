import Foundation

/// What the records of a dump say about a workout, second by second: what an analysis of the same records has to find.
///
/// The generator prints whole seconds, so a table with one entry for each second of the workout is exact; nothing here is
/// shared with the program that it judges.
struct WorkoutMeasures {
    /// Resting and highest heart rate and the factor b of TRIMP, in every line of the truth.
    static let restingHeartRate = 50.0
    static let maxHeartRate = 190.0
    static let exponent = 1.795
    /// Where the second to the fifth zone begin: 60, 70, 80 and 90 % of the reserve.
    static let zoneBounds = [134.0, 148, 162, 176]

    /// A row of the splits: metres and seconds since the row before.
    struct Split {
        let metres: Double
        let elapsedSeconds: Double
        let activeSeconds: Double
        /// How far the boundary can be off; nil for the rest.
        let uncertaintySeconds: Double?
    }

    let start: Int
    /// For each second whether it was no pause.
    let isActive: [Bool]
    /// Metres before each second, and at last all; nil without a distance.
    private(set) var metres: [Double]?
    private(set) var splits: [Split] = []
    /// Readings in order, and the value held in each second.
    private(set) var heartRates: [Sample] = []
    private(set) var heldHeartRates: [Double?] = []
    private(set) var powers: [Sample] = []
    /// Watts in each active second, 0 where no reading holds.
    private(set) var heldPowers: [Double?] = []
    private(set) var kilocalories: Double?
    private(set) var stepsPerMinute: Double?

    /// Measures the interval of a workout or of one of its sports.
    ///
    /// - Parameter samples: what a dump shows of the day by type.
    init(
        _ workout: SimulatedWorkout, activity: SimulatedWorkout.Activity, from start: Int, to end: Int,
        samples: [(type: SampleType, samples: [Sample])]
    ) {
        self.start = start
        let pauses = WorkoutCourse(workout).pauses
        isActive = (start..<end).map { second in !pauses.contains { second >= $0.start && second < $0.end } }
        for (type, samples) in samples {
            guard let quantity = type.recording?.quantity else { continue }
            let own = Self.own(samples, of: workout, from: start, to: end, mayBeOthers: quantity == .heartRate)
            guard !own.isEmpty else { continue }
            switch quantity {
            case .heartRate:
                heartRates = own
                heldHeartRates = held(own, seconds: 30)
            case .power:
                powers = own
                heldPowers = held(own, seconds: 5)
            case .distance where type.identifier == activity.distanceType: addDistance(own, type)
            case .activeEnergy: kilocalories = spread(own, factor: 1).reduce(0, +)
            case .steps where activity == .running || activity == .walking:
                stepsPerMinute = spread(own, factor: 1).reduce(0, +) / Double(activeSeconds) * 60
            case .distance, .basalEnergy, .steps, .strokes, .cadence: break
            }
        }
    }

    /// Seconds that were no pause.
    var activeSeconds: Int { isActive.count { $0 } }

    /// Active seconds with a known heart rate, their mean, and the load of them.
    var knownHeartRates: [Double] { zip(isActive, heldHeartRates).compactMap { $0 ? $1 : nil } }

    /// Banister's training impulse of the held heart rates.
    var impulse: Double {
        knownHeartRates.reduce(0) { sum, rate in
            let share = max(0, (rate - Self.restingHeartRate) / (Self.maxHeartRate - Self.restingHeartRate))
            return sum + share * 0.64 * exp(Self.exponent * share) / 60
        }
    }

    /// Seconds in each of the five zones.
    var zoneSeconds: [Int] {
        knownHeartRates.reduce(into: [0, 0, 0, 0, 0]) { seconds, rate in
            seconds[Self.zoneBounds.count { rate >= $0 }] += 1
        }
    }

    /// Watts in each active second.
    var watts: [Double] { zip(isActive, heldPowers).compactMap { $0 ? ($1 ?? 0) : nil } }

    /// Active seconds in which a power reading holds.
    var poweredSeconds: Int { zip(isActive, heldPowers).count { $0 && $1 != nil } }

    /// The fourth root of the mean of the fourth powers of all means over 30 s; nil for less than 30 s.
    var normalizedPower: Double? {
        let watts = self.watts
        guard watts.count >= 30 else { return nil }
        var window = watts[..<30].reduce(0, +)
        var sum = (window / 30) * (window / 30) * (window / 30) * (window / 30)
        for next in 30..<watts.count {
            window += watts[next] - watts[next - 30]
            sum += (window / 30) * (window / 30) * (window / 30) * (window / 30)
        }
        return (sum / Double(watts.count - 29)).squareRoot().squareRoot()
    }

    /// The samples that are the workout's, in order: of its source, in its time, and not condensed for another workout. Of an
    /// app's copy without readings of its own they are the watch's.
    private static func own(
        _ samples: [Sample], of workout: SimulatedWorkout, from start: Int, to end: Int, mayBeOthers: Bool
    ) -> [Sample] {
        let inside = samples.filter {
            $0.start < end && ($0.end > start || ($0.start == $0.end && $0.start >= start))
        }.sorted { ($0.start, $0.end, $0.id) < ($1.start, $1.end, $1.id) }
        let own = inside.filter { sample in
            guard sample.source == workout.source else { return false }
            return sample.series.map { !$0.isMarked || $0.workout == workout.uuid } ?? true
        }
        return own.isEmpty && mayBeOthers && !workout.isWatchs ? inside.filter(\.source.isWatch) : own
    }

    /// The value held in each second: the sample that began last, held on for some seconds past its end.
    private func held(_ samples: [Sample], seconds: Int) -> [Double?] {
        var result = [Double?](repeating: nil, count: isActive.count)
        for sample in samples.sorted(by: { ($0.start, -$0.end, $1.id) < ($1.start, -$1.end, $0.id) }) {
            let first = max(0, sample.start - start)
            let last = min(result.count, sample.end + seconds - start)
            for second in first..<max(first, last) { result[second] = sample.value }
        }
        return result
    }

    /// What of each sample belongs to each second: spread over its active seconds that no sample before it covered.
    private func spread(_ samples: [Sample], factor: Double) -> [Double] {
        var result = [Double](repeating: 0, count: isActive.count)
        var isCovered = [Bool](repeating: false, count: isActive.count)
        for sample in samples where sample.end > sample.start {
            let length = sample.end - sample.start
            let inside = max(0, sample.start - start)..<min(isActive.count, sample.end - start)
            let outside = length - inside.count
            let free = inside.filter { !isCovered[$0] }
            let active = free.filter { isActive[$0] }
            let value = sample.value * factor * Double(free.count + outside) / Double(length)
            for second in inside { isCovered[second] = true }
            if active.isEmpty && outside == 0 {
                if !free.isEmpty { result[inside.upperBound - 1] += value }
            } else {
                for second in active { result[second] += value / Double(active.count + outside) }
            }
        }
        return result
    }

    private mutating func addDistance(_ samples: [Sample], _ type: SampleType) {
        let perSecond = spread(samples, factor: type.metresPerUnit)
        let covered = perSecond.reduce(into: [0.0]) { $0.append($0[$0.count - 1] + $1) }
        metres = covered
        let active = isActive.reduce(into: [0.0]) { $0.append($0[$0.count - 1] + ($1 ? 1 : 0)) }
        let whole = covered[covered.count - 1]
        var last = (second: 0.0, active: 0.0, metres: 0.0)
        for second in perSecond.indices {
            // A record that jumps several kilometres gives several rows.
            while covered[second + 1] >= last.metres + 1000 {
                let share = (last.metres + 1000 - covered[second]) / (covered[second + 1] - covered[second])
                let end = Double(second) + share
                let endActive = active[second] + share * (active[second + 1] - active[second])
                splits.append(
                    Split(
                        metres: 1000, elapsedSeconds: end - last.second, activeSeconds: endActive - last.active,
                        uncertaintySeconds: uncertainty(at: end + Double(start), samples)))
                last = (end, endActive, last.metres + 1000)
            }
        }
        let rest = Split(
            metres: whole - last.metres, elapsedSeconds: Double(isActive.count) - last.second,
            activeSeconds: active[active.count - 1] - last.active, uncertaintySeconds: nil)
        // Less than a metre belongs to the row before.
        guard rest.metres < 1, let row = splits.popLast() else { return splits.append(rest) }
        splits.append(
            Split(
                metres: row.metres + rest.metres, elapsedSeconds: row.elapsedSeconds + rest.elapsedSeconds,
                activeSeconds: row.activeSeconds + rest.activeSeconds, uncertaintySeconds: row.uncertaintySeconds))
    }

    private func uncertainty(at instant: Double, _ samples: [Sample]) -> Double {
        let sample = samples.first { Double($0.start) < instant && instant <= Double($0.end) }
        return sample.map { max(instant - Double($0.start), Double($0.end) - instant) } ?? 0
    }
}
