import Testing
import Training

extension SeriesType {
    fileprivate static let running = SeriesType(rawValue: "HKQuantityTypeIdentifierDistanceWalkingRunning")
}

/// What a run of ten minutes amounts to.
@Suite struct WorkoutFiguresTests {
    private let run = WorkoutFacts(activity: "HKWorkoutActivityTypeRunning", interval: Interval(0, 600))

    private func truth(_ facts: WorkoutFacts, _ series: [SeriesType: [Reading]]) throws -> WorkoutTruth {
        let athlete = Athlete(try AthleteSettings(Array(#"{"schema":"healthprobe.athlete/1"}"#.utf8)), on: 0)
        return WorkoutTruth(facts, WorkoutSamples(series: series.mapValues { .init($0) }), athlete)
    }

    @Test("steps at the instant of a start count, in the first split and in a nested activity, too")
    func cadence() throws {
        var run = run
        var leg = WorkoutFacts(activity: nil, interval: Interval(300, 600))
        leg.statistics = [WorkoutStatistic(.running, sum: 1000)]
        run.activities = [NestedActivity(uuid: nil, stepKeyPath: nil, facts: leg)]
        let steps = stride(from: 0.0, to: 600, by: 60).map { Reading($0, $0, 150) }
        let truth = try truth(run, [.running: [Reading(0, 600, 2000)], .steps: steps])
        #expect(truth.cadence?.average == 150)
        // The steps of the instant at which a split ends are that split's.
        #expect(truth.splits.rows?.map(\.cadence) == [180, 120])
        #expect(truth.activities.map(\.truth.cadence?.average) == [150])
    }

    @Test("a distance that is off by exactly 1 or 5 % is not off by more")
    func distanceGap() throws {
        func labels(_ apple: Double, _ samples: Double) throws -> Set<Label> {
            var run = run
            run.statistics = [WorkoutStatistic(.running, sum: apple)]
            return try truth(run, [.running: [Reading(0, 600, samples)]]).distance.labels
        }
        for apple in [1000, 1100, 2900, 4101.1] {
            for sign in [-1.0, 1] {
                #expect(try labels(apple, apple + sign * apple / 100) == [], "\(apple)")
                #expect(try labels(apple, apple + sign * (apple / 100 + 0.001)) == [.distanceGap], "\(apple)")
                #expect(try labels(apple, apple + sign * apple / 20) == [.distanceGap], "\(apple)")
                #expect(try labels(apple, apple + sign * (apple / 20 + 0.001)) == [.distanceUnreliable], "\(apple)")
            }
        }
    }

    @Test("energy is the statistic, else that of the records, else the workout's own total")
    func energy() throws {
        var run = run
        run.totalEnergy = 120
        let records = [SeriesType.activeEnergy: [Reading(-600, 600, 200)]]
        #expect(try truth(run, [:]).energy.active == 120)
        #expect(try truth(run, records).energy.active == 100)
        #expect(try WorkoutFigure.energy.types(of: truth(run, records)) == [.activeEnergy])
        run.statistics = [WorkoutStatistic(.activeEnergy, sum: 110)]
        #expect(try truth(run, records).energy.active == 110)
    }

    @Test("what was not read is neither consolidated nor not")
    func consolidated() {
        func consolidated(_ isCondensed: Bool, unavailable: Set<SeriesType>) -> WorkoutTruth.Consolidation? {
            let beats = SampleSelection.Series([Reading(0, 600, 150, isCondensed: isCondensed)])
            return WorkoutSamples(series: [.heartRate: beats], unavailable: unavailable).consolidated(
                distance: .running)
        }
        #expect(consolidated(true, unavailable: []) == .yes && consolidated(false, unavailable: [.steps]) == .no)
        #expect(consolidated(true, unavailable: [.heartRate]) == nil)
        #expect(consolidated(true, unavailable: [.running]) == nil)
    }

    @Test("zones and stress want the settings that they lack, and none without a heart rate")
    func missingSettings() throws {
        let beats = [Reading(0, 600, 150)]
        #expect(try truth(run, [.heartRate: beats]).missingSettings == ["maxHeartRate", "restingHeartRate"])
        #expect(try truth(run, [.runningPower: beats]).missingSettings == ["runningThresholdWatts"])
        #expect(try truth(run, [:]).missingSettings == [])
    }
}
