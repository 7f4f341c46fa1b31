internal import Testing
internal import Training

@Suite struct WorkoutStressTests {
    /// An hour's ride: 60 s at 300 W, 60 s at 100 W, one reading a second.
    private func ride(_ readings: [Reading], _ type: SeriesType = .cyclingPower) -> (WorkoutFacts, WorkoutSamples) {
        let facts = WorkoutFacts(activity: "HKWorkoutActivityTypeCycling", interval: Interval(0, 3600))
        return (facts, WorkoutSamples(series: [type: .init(readings)]))
    }

    private func athlete(_ watts: Double?, recorded: Double? = nil) throws -> Athlete {
        let text =
            watts.map {
                #"{"schema":"healthprobe.athlete/1","periods":[{"from":"1969-01-01","ftpWatts":\#($0)}]}"#
            } ?? #"{"schema":"healthprobe.athlete/1"}"#
        var athlete = Athlete(try AthleteSettings(Array(text.utf8)), on: 0)
        athlete.recordedThresholdPower = recorded
        return athlete
    }

    private var fine: [Reading] { (0..<3600).map { Reading(Double($0), Double($0), $0 / 60 % 2 == 0 ? 300 : 100) } }

    /// Means of 300 s, as condensing leaves them.
    private var condensed: [Reading] {
        (0..<12).map { Reading(Double($0) * 300, Double($0 + 1) * 300, $0 % 2 == 0 ? 220 : 180) }
    }

    @Test("condensing an hour of intervals takes 28 % of its stress")
    func condensing() throws {
        func stress(_ readings: [Reading]) throws -> Double {
            let (facts, samples) = ride(readings)
            let found = WorkoutStress(facts, samples, try athlete(250)).stress
            #expect(found.method == .power)
            return try #require(found.value)
        }
        #expect(abs(try stress(fine) - 91.5) < 0.1)
        #expect(abs(try stress(condensed) - 65.8) < 0.1)
    }

    @Test("the setting goes before the recorded threshold, and a run takes no record")
    func thresholds() throws {
        let (facts, samples) = ride(fine)
        #expect(WorkoutStress(facts, samples, try athlete(250, recorded: 500)).stress.intensityFactor ?? 0 > 0.9)
        #expect(WorkoutStress(facts, samples, try athlete(nil, recorded: 500)).stress.intensityFactor ?? 1 < 0.5)
        let missing = WorkoutStress(facts, samples, try athlete(nil)).stress
        #expect(missing.value == nil && missing.missingSettings == ["ftpWatts"])
        let (_, run) = ride(fine, .runningPower)
        var running = facts
        running.activity = "HKWorkoutActivityTypeRunning"
        #expect(WorkoutStress(running, run, try athlete(nil, recorded: 500)).stress.value == nil)
    }

    @Test("the best 20 minutes are those of rides")
    func best() throws {
        let (facts, samples) = ride(fine)
        #expect(WorkoutStress(facts, samples, try athlete(nil)).bestPower == 200)
        let (_, run) = ride(fine, .runningPower)
        #expect(WorkoutStress(facts, run, try athlete(nil)).bestPower == nil)
    }
}
