import Testing
import Training

/// Which workout a run is, and whether its cached values still hold.
@Suite struct RunLinkTests {
    private let run: CompanionRun

    init() throws { run = try Self.run("00000000-0000-4000-8000-00000000000A") }

    private static func run(_ id: String) throws -> CompanionRun {
        let text = """
            {"schema":"healthprobe.companion/1","runs":[{"id":"\(id)","startedAt":"1970-01-01T00:16:40Z",
            "endedAt":"1970-01-01T00:33:20Z","runType":"treadmill","mode":"free","personality":"p",
            "healthKitWorkoutUUID":"00000000-0000-4000-8000-00000000000B","cachedDistanceMeters":3000,
            "cachedDurationSeconds":940,"cachedAvgPaceSecPerKm":333.9}]}
            """
        return try #require(CompanionCheck(Array(text.utf8)).file?.runs.first)
    }

    private func workout(
        _ identity: String, _ start: Double = 5000, links: [Set<String>] = [[], []], uuids: Set<String> = [],
        isIndoor: Bool? = nil
    ) -> LinkableWorkout {
        LinkableWorkout(
            identity: identity, interval: Interval(start, start + 1000), linkValues: links, condenserUUIDs: uuids,
            isIndoor: isIndoor)
    }

    @Test("the first way that finds a workout decides")
    func order() {
        let byKey = workout("a", links: [[], ["00000000-0000-4000-8000-00000000000a"]])
        let byUUID = workout("b", uuids: ["00000000-0000-4000-8000-00000000000b"])
        let byTime = workout("c", 1002)
        func link(_ workouts: LinkableWorkout...) -> String {
            let link = RunLink.all([run], workouts)[0]
            return "\(link.kind.rawValue) \(link.workout?.identity ?? "-") \(link.candidates.map(\.identity))"
        }
        #expect(link(byTime, byUUID, byKey) == "metadataKey a []")
        #expect(link(byTime, byUUID) == "condenserUUID b []")
        #expect(link(byTime) == "time c []")
        #expect(link(workout("d", 1003)) == "none - []")
        #expect(link(byTime, workout("d", 998)) == "ambiguous - [\"c\", \"d\"]")
        #expect(link(byKey, workout("d", links: [[run.id], []])) == "metadataKey d []")
    }

    @Test func twoRunsOfOneWorkoutAreAmbiguous() throws {
        let links = RunLink.all([run, try Self.run("00000000-0000-4000-8000-00000000000C")], [workout("a", 1000)])
        #expect(links.map(\.kind) == [.ambiguous, .ambiguous] && links.allSatisfy { $0.candidates.count == 1 })
    }

    @Test func contradictionsAreLabels() {
        var run = run
        run.plays = [1000.0, 1999, 2000].map { PlayedMessage(messageID: "m", playedAt: $0) }
        let link = RunLink.all([run], [workout("a", 1000, isIndoor: false)])[0]
        #expect(link.labels == [.runTypeDisagrees, .playedOutsideWorkout])
        #expect(link.countInside(run.plays.map(\.playedAt)) == 2)
        #expect(RunLink.all([self.run], [workout("a", 1000)])[0].labels.isEmpty)
    }

    @Test func cachedValuesAgreeWithinTheirTolerance() {
        func words(_ truth: CachedTruth) -> [String] {
            CachedComparison.all(run, truth).map { "\($0.verdict.rawValue) \($0.matches?.rawValue ?? "-")" }
        }
        #expect(
            words(CachedTruth(distance: 3010, activeSeconds: 942, elapsedSeconds: 1000))
                == ["agrees -", "agrees active", "differs neither"])
        #expect(
            words(CachedTruth(distance: 2995, activeSeconds: 900, elapsedSeconds: 941))
                == ["agrees -", "agrees elapsed", "differs neither"])
        let elapsed = CachedComparison.all(run, CachedTruth(distance: 2995, activeSeconds: 900, elapsedSeconds: 941))
        #expect(elapsed.map(\.shown) == [2995, 941, 900.0 / 2995 * 1000])
        #expect(
            words(CachedTruth(distance: 2980, activeSeconds: 995, elapsedSeconds: 1000))
                == ["differs -", "differs neither", "agrees active"])
        #expect(
            words(CachedTruth(distance: nil, activeSeconds: 940, elapsedSeconds: 940))
                == ["unknown -", "agrees active", "unknown -"])
        // 0.5 % of a long run is more than 10 m.
        var long = run
        long.cachedDistance = 42_000
        let truth = CachedTruth(distance: 42_195, activeSeconds: 0, elapsedSeconds: 0)
        #expect(CachedComparison.all(long, truth)[0].verdict == .agrees)
        #expect(CachedComparison.all(long, truth)[0].difference == -195)
    }

    @Test func staleSinceTheFirstOfTheLastOnes() {
        var run = run
        run.cachedPace = nil
        func since(_ distances: [Double]) -> Int64? {
            Drift.staleSince(
                distances.enumerated().map {
                    (
                        Int64($0 + 1),
                        CachedComparison.all(run, CachedTruth(distance: $1, activeSeconds: 940, elapsedSeconds: 940))
                    )
                })
        }
        #expect(since([3000, 3100, 3100]) == 2 && since([3100, 3000, 3100]) == 3)
        #expect(since([3100, 3000]) == nil && since([]) == nil && since([3100]) == 1)
    }
}
