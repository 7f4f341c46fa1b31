import Testing
import TestSupport
import Training

/// How records are cut must not matter, as long as their rate stays.
@Suite struct DistanceCurvePropertyTests {
    /// A random workout: pauses, and records one after the other, some of them longer than a pause.
    private struct Workout {
        var active: ActiveTime
        var records: [Reading] = []

        init(seed: UInt64) {
            var random = SeededGenerator(seed: seed)
            let length = Double(Int.random(in: 600...7200, using: &random))
            let pauses = (0..<Int.random(in: 0...3, using: &random)).map { _ in
                let start = Double(Int.random(in: 0..<Int(length), using: &random))
                return Interval(start, min(length, start + Double(Int.random(in: 1...300, using: &random))))
            }
            active = ActiveTime(Interval(0, length), pauses: pauses.united)
            var start = 0.0
            while start < length {
                let end = min(length, start + Double(Int.random(in: 1...900, using: &random)))
                // A record without an active part is a step: it has no rate that could stay.
                if active.seconds(in: Interval(start, end)) > 0 {
                    records.append(Reading(start, end, Double.random(in: 1...3000, using: &random)))
                }
                start = end
            }
        }

        /// The records cut in two at random places, at equal rate over active time.
        func split(seed: UInt64) -> [Reading] {
            var random = SeededGenerator(seed: seed)
            return records.flatMap { record -> [Reading] in
                let cut = Double.random(in: record.start...record.end, using: &random)
                let share = active.seconds(in: Interval(record.start, cut)) / active.seconds(in: record.interval)
                guard share > 0, share < 1 else { return [record] }
                return [
                    Reading(record.start, cut, record.value * share),
                    Reading(cut, record.end, record.value * (1 - share)),
                ]
            }
        }
    }

    @Test("cutting records, and joining them again, moves no metre and no split", arguments: UInt64(1)...60)
    func cutting(seed: UInt64) {
        let workout = Workout(seed: seed)
        let whole = DistanceCurve(workout.records, workout.active)
        let cut = DistanceCurve(workout.split(seed: seed &+ 1000), workout.active)
        #expect(abs(whole.total - cut.total) < 1e-6)
        for step in 0...100 {
            let instant = workout.active.workout.end * Double(step) / 100
            #expect(abs(whole.value(at: instant) - cut.value(at: instant)) < 1e-6, "\(instant)")
        }
        var metres = 1000.0
        while metres < whole.total - 1 {
            let (a, b) = (whole.crossing(of: metres)?.instant, cut.crossing(of: metres)?.instant)
            #expect(abs((a ?? .nan) - (b ?? .nan)) < 1e-3, "\(metres) m")
            metres += 1000
        }
    }

    @Test("the curve never falls, and ends with the sum of what lies in the workout", arguments: UInt64(1)...60)
    func total(seed: UInt64) {
        let workout = Workout(seed: seed)
        let curve = DistanceCurve(workout.records, workout.active)
        #expect(abs(curve.total - workout.records.reduce(0) { $0 + $1.value }) < 1e-6)
        var last = 0.0
        for step in 0...200 {
            let value = curve.value(at: workout.active.workout.end * Double(step) / 200)
            #expect(value >= last)
            last = value
        }
    }
}
