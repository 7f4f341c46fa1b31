import Testing
import Training

@Suite struct WorkoutRulesTests {
    // MARK: - Pauses

    func facts(_ end: Double, duration: Double?, _ events: [(String, Double)]) -> WorkoutFacts {
        var facts = WorkoutFacts(activity: "HKWorkoutActivityTypeRunning", interval: Interval(0, end))
        facts.appleDuration = duration
        facts.events = events.map { WorkoutEvent("HKWorkoutEventType\($0.0)", Interval($0.1, $0.1)) }
        return facts
    }

    @Test("redundant events are ignored, and an open pause ends with the workout")
    func pauses() {
        let found = Pauses(
            facts(
                100, duration: 60,
                [
                    ("Resume", 5), ("Pause", 10), ("Pause", 15), ("Resume", 30), ("Resume", 35), ("Pause", 80),
                    ("Lap", 90),
                ]))
        #expect(found.list.map(\.interval) == [Interval(10, 30), Interval(80, 100)])
        #expect(!found.isMismatched && found.list.allSatisfy(\.isExplicit))
    }

    @Test("of events of one second the order does not count")
    func eventsOfOneSecond() {
        func pauses(_ events: [(String, Double)]) -> [Interval]? {
            let found = [events, events.reversed()].map { Pauses(facts(100, duration: nil, $0)).list }
            return found[0] == found[1] ? found[0].map(\.interval) : nil
        }
        #expect(pauses([("Pause", 10), ("Resume", 20), ("Pause", 20), ("Resume", 20)]) == [Interval(10, 20)])
        #expect(pauses([("Pause", 10), ("Pause", 20), ("Resume", 20)]) == [Interval(10, 20)])
        #expect(pauses([("Pause", 10), ("Resume", 10), ("Pause", 10), ("Resume", 20)]) == [Interval(10, 20)])
        #expect(pauses([("Pause", 10), ("Resume", 20), ("Pause", 20), ("Resume", 30)]) == [Interval(10, 30)])
        #expect(pauses([("Pause", 10), ("Resume", 10)]) == [])
    }

    @Test("a workout of very many pauses")
    func manyPauses() {
        let events = (0..<200_000).map { ($0 % 2 == 0 ? "Pause" : "Resume", Double($0)) }
        let found = Pauses(facts(200_000, duration: 100_000, events))
        #expect(found.list.count == 100_000 && found.list.allSatisfy(\.isExplicit))
    }

    @Test("what the workout states about itself is labelled in lists, too")
    func statedLabels() {
        func labels(_ facts: WorkoutFacts) -> Set<Label> { facts.labels(Pauses(facts)) }
        #expect(labels(facts(100, duration: 98, [])) == [])
        #expect(labels(facts(100, duration: 97, [])) == [.durationMismatch])
        #expect(labels(facts(-1, duration: 97, [])) == [.invalidInterval])
        #expect(labels(facts(48 * 3600, duration: nil, [])) == [])
        #expect(labels(facts(48 * 3600 + 1, duration: nil, [])) == [.implausible])
    }

    @Test("motion pauses count where that comes nearer to Apple's duration")
    func motion() {
        let events = [("Pause", 10.0), ("Resume", 20), ("MotionPaused", 15), ("MotionResumed", 40)]
        #expect(Pauses(facts(100, duration: 90, events)).list.map(\.interval) == [Interval(10, 20)])
        #expect(Pauses(facts(100, duration: 70, events)).list.map(\.interval) == [Interval(10, 40)])
        #expect(Pauses(facts(100, duration: 89, events)).isMismatched == false)
        #expect(Pauses(facts(100, duration: 50, events)).isMismatched)
        #expect(Pauses(facts(100, duration: nil, events)).list.map(\.interval) == [Interval(10, 20)])
    }

    // MARK: - Segments

    @Test("interleaved kilometres and miles are told apart")
    func segments() {
        let km = stride(from: 0.0, to: 1500, by: 300).map { Interval($0, $0 + 300) }
        let mile = [Interval(0, 482.8), Interval(482.8, 965.6), Interval(965.6, 1448.4)]
        let events = (mile + km).map { WorkoutEvent(WorkoutEvent.segment, $0) }
        func chain(_ length: Splits.Length) -> [Interval] {
            AppleSegments.chain(of: length, events, Interval(0, 1500)) { $0.seconds * 10 / 3 }
        }
        #expect(chain(.km) == km && chain(.mile) == mile)
        let onlyMiles = mile.map { WorkoutEvent(WorkoutEvent.segment, $0) }
        #expect(AppleSegments.chain(of: .km, onlyMiles, Interval(0, 1500)) { $0.seconds * 10 / 3 }.isEmpty)
    }

    // MARK: - Elevation and route

    @Test(
        "climbs count beyond 3 m",
        arguments: [
            ([100, 101, 102, 103, 104, 105, 104, 103, 102, 101, 100], 4.0, 4.0), ([100, 102, 100, 102], 0, 0),
            ([0, 3, 6, 9, 12], 12, 0), ([], 0, 0),
        ] as [([Double], Double, Double)])
    func elevation(metres: [Double], gain: Double, loss: Double) {
        let climb = Elevation.climb(metres)
        #expect(climb.gain == gain && climb.loss == loss)
    }

    @Test("a route leaves out pauses and points that are too uncertain, and names its gaps")
    func route() {
        func point(_ instant: Double, _ latitude: Double, accuracy: Double? = 5) -> Route.Point {
            Route.Point(instant, latitude: latitude, longitude: 0, horizontalAccuracy: accuracy)
        }
        let active = ActiveTime(Interval(0, 200), pauses: [Interval(50, 60)])
        let degree = 2 * Double.pi * 6_371_008.8 / 360
        let route = Route(
            [
                point(100, 0.003), point(0, 0), point(10, 0.001), point(10, 9), point(11, 5, accuracy: 51),
                point(49, 0.001),
                point(61, 0.002), point(201, 7), point(200, 0.004),
            ], active)
        #expect(route.points.map(\.instant) == [0, 10, 11, 49, 61, 100, 200])
        #expect(abs((route.metres ?? 0) - 0.003 * degree) < 0.001)
        #expect(route.gaps.map(\.interval) == [Interval(10, 49), Interval(61, 100), Interval(100, 200)])
        #expect(route.labels == [.gpsGap])
        #expect(Route([point(300, 1)], active).labels == [.routeOutsideWorkout])
        #expect(route.climb?.gain == nil)
    }

    @Test("an outline has the shape of a route, and says nothing of its place")
    func outline() throws {
        func point(_ instant: Double, _ latitude: Double, _ longitude: Double, accuracy: Double? = 5) -> Route.Point {
            Route.Point(instant, latitude: latitude, longitude: longitude, horizontalAccuracy: accuracy)
        }
        let active = ActiveTime(Interval(0, 200), pauses: [Interval(50, 60)])
        // At 60° north a degree of longitude is half as long; the date line lies in between.
        let route = Route(
            [
                point(0, 60, 179.999), point(10, 60, -179.999), point(20, 60.001, -179.999),
                point(21, 0, 0, accuracy: 51),
                // Behind a pause, and behind a gap.
                point(61, 60.002, 180), point(70, 60.003, 180), point(101, 60.003, 180), point(110, 60.004, 180),
            ], active)
        let lines = RouteOutline(route, active).lines
        let degree = 2 * Double.pi * 6_371_008.8 / 360
        func metres(_ east: Double, _ north: Double) -> [Double] { [east * degree / 2, north * degree] }
        let expected = [
            [metres(0, 0), metres(0.002, 0), metres(0.002, 0.001)],
            [metres(0.001, 0.002), metres(0.001, 0.003)], [metres(0.001, 0.003), metres(0.001, 0.004)],
        ]
        #expect(lines.map(\.count) == expected.map(\.count))
        for (place, wanted) in zip(lines.joined(), expected.joined()) {
            #expect(abs(place.east - wanted[0]) < 0.001 && abs(place.north - wanted[1]) < 0.001)
        }
        #expect(RouteOutline(Route([point(1, 1, 1)], active), active).lines.isEmpty)
    }

    // MARK: - Zones

    @Test("the bounds of zones come from what consolidation does not change")
    func zones() throws {
        let run = facts(100, duration: nil, [])
        func zones(_ period: String, rest: Double? = nil) throws -> HeartRateZones? {
            let text =
                #"{"schema":"healthprobe.athlete/1","birthDate":"1984-06-01","periods":[{"from":"2020-01-01"\#(period)}]}"#
            return HeartRateZones.of(
                run, Athlete(try AthleteSettings(Array(text.utf8)), on: 19_800, recordedRestingHeartRate: rest))
        }
        #expect(try zones(#","zones":[1,2]"#) == HeartRateZones(origin: .settings, bounds: [1, 2]))
        #expect(
            try zones(#","thresholdHeartRate":171"#)
                == HeartRateZones(origin: .threshold, bounds: [116, 142, 161, 180]))
        #expect(
            try zones(#","maxHeartRate":190,"restingHeartRate":50"#)
                == HeartRateZones(origin: .reserve, bounds: [134, 148, 162, 176]))
        #expect(try zones("") == nil)
        // 2024-03-18: 39 years old, 220 - 39 = 181.
        #expect(
            try zones("", rest: 50)?.bounds == [129, 142, 155, 168])
        let number = HeartRateZones(origin: .settings, bounds: [100, 120])
        #expect([99.9, 100, 119, 120].map { number.number(of: $0) } == [1, 2, 2, 3])
    }

    // MARK: - Power

    @Test("normalized power weighs hard minutes")
    func normalizedPower() {
        func normalized(_ seconds: [Double]) -> Double { (PowerFigures.normalized(seconds) ?? 0) }
        #expect(normalized(Array(repeating: 200, count: 600)) == 200)
        let halves = Array(repeating: 100.0, count: 300) + Array(repeating: 300, count: 300)
        #expect(abs(normalized(halves) - 251.67) < 0.005)
        let minutes = (0..<20).flatMap { Array(repeating: $0 % 2 == 0 ? 300.0 : 100, count: 60) }
        #expect(abs(normalized(minutes) - 239.37) < 0.005)
        #expect(PowerFigures.normalized(Array(repeating: 200, count: 29)) == nil)
    }

    @Test("power holds for 5 s, and seconds without are 0 W")
    func power() {
        let active = ActiveTime(Interval(0, 20.5), pauses: [Interval(10, 12)])
        let power = PowerFigures([Reading(0, 1, 200), Reading(9, 9, 300)], active)
        #expect(power.seconds == [200, 200, 200, 200, 200, 200, 0, 0, 0, 300, 300, 300, 0, 0, 0, 0, 0, 0])
        #expect(power.coveredSeconds == 9 && power.maximum == 300)
        let endless = ActiveTime(Interval(-62_135_596_800, 253_402_300_799))
        #expect(PowerFigures([Reading(0, 1, 200)], endless).watts.count == 1_000_000)
    }

    // MARK: - Best efforts

    @Test("the fastest stretch is found wherever it begins")
    func bestEffort() {
        let active = ActiveTime(Interval(0, 600))
        let records = (0..<60).map { Reading(Double($0) * 10, Double($0) * 10 + 10, (20..<30).contains($0) ? 50 : 30) }
        let curve = DistanceCurve(records, active)
        #expect(abs((BestEfforts.fastest(400, curve, active) ?? 0) - 80) < 1e-9)
        #expect(abs((BestEfforts.fastest(1000, curve, active) ?? 0) - (100 + 500.0 / 3)) < 1e-9)
        #expect(BestEfforts.fastest(5000, curve, active) == nil)
        let condensed = DistanceCurve([Reading(0, 600, 2000)], active)
        #expect(BestEfforts.fastest(400, condensed, active) == nil)
        // Who waits at the start is not slower.
        let late = DistanceCurve((10..<18).map { Reading(Double($0) * 10, Double($0) * 10 + 10, 50) }, active)
        #expect(BestEfforts.fastest(400, late, active).map { abs($0 - 80) < 1e-9 } == true)
    }

    @Test("a best power has values for its length: condensed records and the time beside a ride give none")
    func bestPower() {
        let active = ActiveTime(Interval(0, 3600))
        func best(_ seconds: Int, _ readings: [Reading]) -> Double? {
            BestEfforts.highest(seconds, PowerFigures(readings, active), readings, active)
        }
        // A triathlon: power in its middle alone.
        let ride = (900..<2400).map { Reading(Double($0), Double($0), $0 < 1500 ? 240 : 180) }
        #expect(best(300, ride) == 240)
        #expect(abs((best(1200, ride) ?? 0) - 210) < 1e-9)
        let condensed = [Reading(900, 1800, 220), Reading(1800, 2400, 180)]
        #expect(best(300, condensed) == nil && best(1200, condensed) == nil)
        #expect(best(1500, condensed).map { abs($0 - 204) < 1e-9 } == true)
    }

    // MARK: - Selection

    @Test("the first evidence that holds counts, and other sources only without any")
    func selection() {
        func candidate(
            _ start: Double, _ source: String, _ owner: SampleSelection.Owner = .unknown, nested: Bool = false
        )
            -> SampleSelection.Candidate
        {
            .init(type: .heartRate, reading: Reading(start, start, 100), source: source, isNested: nested, owner: owner)
        }
        let all = [
            candidate(0, "B", nested: true), candidate(1, "A"), candidate(2, "B", .this), candidate(3, "A", .another),
            candidate(4, "C"),
        ]
        let chosen = SampleSelection.choose(all, of: "A", shared: [], order: SourceOrder([]))
        #expect(chosen.series[.heartRate]?.readings.map(\.evidence) == [.nested, .sameSource, .condenser])
        #expect(chosen.labels.isEmpty)
        let others = SampleSelection.choose(
            [candidate(0, "C"), candidate(1, "B"), candidate(2, "C")], of: "A", shared: [], order: SourceOrder([]))
        #expect(others.series[.heartRate]?.readings.map(\.start) == [1] && others.labels == [.otherSource])
        let ordered = SampleSelection.choose(
            [candidate(0, "C"), candidate(1, "B"), candidate(2, "C")], of: "A", shared: [], order: SourceOrder(["C"]))
        #expect(ordered.series[.heartRate]?.readings.map(\.start) == [0, 2])
        let shared = SampleSelection.choose(
            [candidate(5, "A")], of: "A", shared: [Interval(0, 100)], order: SourceOrder([]))
        #expect(shared.labels == [.sharedInterval])
        #expect(SampleSelection.folded("Anna\u{A0}e\u{301}") == "Anna \u{E9}")
    }

    @Test("a UUID belongs to the workout of the source that shares most with its series, then the shorter")
    func condensedWorkouts() {
        let workouts = [
            CondensedWorkouts.Workout(interval: Interval(0, 1000), source: "A"),
            .init(interval: Interval(0, 500), source: "A"), .init(interval: Interval(0, 500), source: "B"),
        ]
        func owner(_ bounds: [Interval], _ workouts: [CondensedWorkouts.Workout]) -> CondensedWorkouts.Owner {
            CondensedWorkouts.owner(of: bounds, source: "A", among: workouts)
        }
        #expect(owner([Interval(0, 200), Interval(150, 400)], workouts) == .workout(1))
        #expect(owner([Interval(0, 800)], workouts) == .workout(0))
        #expect(owner([Interval(800, 1200)], workouts) == .none)
        #expect(owner([Interval(0, 400)], workouts + [workouts[1]]) == .ambiguous)
    }

    @Test("of two workouts at one time the one with its own series counts")
    func duplicates() {
        func workout(_ start: Double, _ end: Double, own: Bool, watch: Bool = false, _ identity: String)
            -> Duplicates.Workout
        {
            .init(
                interval: Interval(start, end), hasOwnSeries: own, isWatch: watch, statisticsCount: 1,
                identity: identity)
        }
        #expect(
            Duplicates.primaries(of: [
                workout(0, 100, own: false, "a"), workout(10, 90, own: true, "b"), workout(200, 300, own: false, "c"),
                workout(95, 210, own: false, "d"),
            ]) == [1, nil, nil, nil])
        #expect(
            Duplicates.primaries(of: [workout(0, 100, own: true, "b"), workout(0, 100, own: true, "a")]) == [1, nil])
    }

    @Test("the table of activities is read, and an unknown activity has the distance of its statistics")
    func activities() {
        #expect(ActivityTable.shared.activities.count > 10)
        var run = WorkoutFacts(activity: "HKWorkoutActivityTypeRunning", interval: Interval(0, 1))
        #expect(
            ActivityTable.shared.distanceType(of: run)?.rawValue == "HKQuantityTypeIdentifierDistanceWalkingRunning")
        run.activity = "HKWorkoutActivityTypeNew"
        #expect(ActivityTable.shared.distanceType(of: run) == nil)
        run.statistics = [WorkoutStatistic(SeriesType(rawValue: "HKQuantityTypeIdentifierDistanceRowing"), sum: 1)]
        #expect(ActivityTable.shared.distanceType(of: run)?.rawValue == "HKQuantityTypeIdentifierDistanceRowing")
    }
}
