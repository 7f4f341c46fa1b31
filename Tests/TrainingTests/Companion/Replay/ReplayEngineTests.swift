import Foundation
import Testing
import Training

/// Rules of firing that no vector of the contract reaches.
@Suite struct ReplayEngineTests {
    /// 3 m/s for ten minutes, without a heart rate.
    private let course = Self.course([Reading(0, 600, 1800)])

    private static func course(_ distance: [Reading], target: TargetPace? = nil) -> ReplayCourse {
        ReplayCourse(
            ActiveTime(Interval(0, 600)), distance: distance, heartRate: [], zoneBounds: [150], steps: [],
            timeZone: .gmt, target: target)
    }

    private func condition(
        _ id: String, _ text: String, playOnce: Bool? = nil, priority: Double = 50, branchKey: String? = nil,
        opens: String? = nil
    ) throws -> ScriptMessage {
        ScriptMessage(
            id: id, trigger: .condition(.init(expression: try TriggerExpression(text), branchKey: opens)),
            branchKey: branchKey, priority: priority, playOnce: playOnce)
    }

    private func replay(_ messages: [ScriptMessage], isBranched: Bool = false, plan: ReplayPlan? = nil) -> Replay {
        Replay(Script(id: "s", messages: messages, isBranched: isBranched), plan: plan, on: course)
    }

    @Test func reasonsInTheirOrder() throws {
        let replay = replay(
            [
                try condition("loud", "duration >= 0", playOnce: true, priority: 60),
                try condition("short", "duration < 1"), try condition("unknown", "hr > 1"),
                try condition("never", "distance < 0"), ScriptMessage(id: "far", trigger: .at(.metres, 9000)),
                try condition("closed", "duration > 5", branchKey: "other"),
                ScriptMessage(id: "half", trigger: .halfway),
            ], isBranched: true)
        #expect(replay.fires.map(\.messageID) == ["loud"])
        #expect(
            replay.misses.map { "\($0.messageID) \($0.reason.rawValue)" } == [
                "short outranked", "unknown unknownThroughout", "never neverTrue", "far neverReached",
                "closed otherBranch", "half notApplicable",
            ])
        #expect(replay.unknownTicks.map(\.messageID) == ["unknown"] && replay.unknownTicks.map(\.ticks) == [601])
    }

    @Test("a condition without playOnce stays due while it is true, and comes again when it becomes true again")
    func edges() throws {
        let twice = try condition(
            "a", "duration >= 10 AND duration < 20 OR duration >= 30 AND duration < 40", playOnce: false)
        let other = ScriptMessage(id: "b", trigger: .at(.seconds, 10), priority: 90)
        let fires = replay([twice, other]).fires
        #expect(fires.map { "\($0.messageID)@\($0.tick.seconds)" } == ["b@10.0", "a@11.0", "a@30.0"])
        #expect(fires.map(\.dueAt) == [10, 10, 30])
    }

    @Test("on the last tick all that is due is played, by priority and then in the script's order")
    func last() {
        let messages = [(50.0, "a"), (60, "b"), (50, "c")].map {
            ScriptMessage(id: $1, trigger: .at(.seconds, 600), priority: $0)
        }
        #expect(replay(messages).fires.map(\.messageID) == ["b", "a", "c"])
    }

    @Test func paceOfRaces() {
        func pace(_ pacing: RaceSetup.Pacing, _ distance: Double, at metres: Double) -> Double {
            TargetPace.race(RaceSetup(distance: distance, targetTime: distance * 0.3, pacing: pacing)).pace(at: metres)
        }
        #expect(
            [0, 9999, 10_000, 30_000, 50_000].map { pace(.negative, 40_000, at: $0) } == [
                307.5, 307.5, 302.5, 292.5, 292.5,
            ])
        #expect(pace(.positive, 40_000, at: 0) == 292.5 && pace(.even, 40_000, at: 0) == 300)
        // 10 km at p and 5 km at p - 5 take 15 km at 300 s/km.
        #expect(abs(pace(.negative, 15_000, at: 0) - (300 + 5.0 / 3)) < 1e-9)
        #expect(pace(.negative, 5_000, at: 0) == 300)
    }

    @Test func cuesAreMessagesOfTheirOwn() {
        var setup = RaceSetup(distance: 1800, targetTime: 600, pacing: .even)
        setup.fuelling = [.at(.metres, 900)]
        setup.hydration = [.every(.metres, 900)]
        let replay = Replay(
            Script(id: "s", messages: [ScriptMessage(id: "half", trigger: .halfway)], isBranched: true),
            cues: setup.cues, plan: .metres(setup.distance), on: course)
        #expect(
            replay.fires.map { "\($0.messageID)@\($0.tick.seconds)" } == [
                "fuel:0@300.0", "hydration:0@301.0", "half@302.0", "hydration:0@600.0",
            ])
    }

    @Test("a runner who stands falls behind, and is back on pace after a minute in its band")
    func branches() {
        let distance = [Reading(0, 200, 600), Reading(200, 320, 0), Reading(320, 600, 840)]
        let messages = PaceBranch.allCases.map {
            ScriptMessage(id: $0.rawValue, trigger: .every(.seconds, 100), branchKey: $0.rawValue)
        }
        let replay = Replay(
            Script(id: "s", messages: messages, isBranched: true), plan: nil,
            on: Self.course(distance, target: .constant(1000 / 3.0)))
        #expect(
            replay.fires.map { "\($0.messageID)@\($0.tick.seconds)" } == [
                "on_pace@100.0", "on_pace@200.0", "behind_pace@300.0", "behind_pace@400.0", "on_pace@500.0",
                "on_pace@600.0",
            ])
    }

    @Test("3 % slower or faster is on pace", arguments: [1.03, 0.97])
    func edgeOfTheBand(ratio: Double) {
        // Two minutes open the branch of who falls behind; the rest is at the edge of the band.
        let metres = 280 / (0.3 * ratio)
        let replay = Replay(
            Script(
                id: "s",
                messages: [ScriptMessage(id: "on", trigger: .every(.seconds, 100), branchKey: "on_pace")],
                isBranched: true), plan: nil,
            on: Self.course([Reading(200, 320, 0), Reading(320, 600, metres)], target: .constant(300)))
        #expect(replay.fires.map(\.tick.seconds) == [100, 500, 600])
    }

    @Test("on the last tick the heart rate is that of its instant")
    func lastHeartRate() throws {
        func fires(at second: Double) throws -> Int {
            let course = ReplayCourse(
                ActiveTime(Interval(0, 600)), distance: [], heartRate: [Reading(second, second, 150)],
                zoneBounds: [100], steps: [], timeZone: .gmt, target: nil)
            let message = try condition("a", "hr > 100 AND hr_zone == 2 AND duration >= 600")
            return Replay(Script(id: "s", messages: [message], isBranched: false), plan: nil, on: course).fires.count
        }
        // A reading holds for 30 s, the end of them left out.
        #expect(try fires(at: 571) == 1 && fires(at: 570) == 0)
    }

    @Test("steps at the start's instant count in the first half minute")
    func firstSteps() throws {
        let course = ReplayCourse(
            ActiveTime(Interval(0, 60)), distance: [], heartRate: [], zoneBounds: nil,
            steps: [Reading(0, 0, 30), Reading(10, 10, 30)], timeZone: .gmt, target: nil)
        let message = try condition("a", "cadence == 180")
        let replay = Replay(Script(id: "s", messages: [message], isBranched: false), plan: nil, on: course)
        #expect(replay.fires.map(\.tick.seconds) == [20])
    }

    @Test func playsAreMatchedWithTheNearestFire() {
        let fires = replay([ScriptMessage(id: "A", trigger: .every(.seconds, 200))]).fires
        let plays = [(205.0, "a"), (431, "a"), (200, "b"), (210, "a")].map {
            PlayedMessage(messageID: $1, playedAt: $0)
        }
        let comparison = PlayedComparison(plays, fires)
        #expect(comparison.plays.map(\.delta) == [nil, 5, nil, nil])
        #expect(comparison.replayedOnly.map(\.tick.seconds) == [400, 600])
    }

    @Test func aWorkoutWithoutTimeHasOneTick() {
        let course = ReplayCourse(
            ActiveTime(Interval(5, 5)), distance: [], heartRate: [], zoneBounds: nil, steps: [], timeZone: .gmt,
            target: nil)
        let script = Script(id: "s", messages: [ScriptMessage(id: "a", trigger: .at(.seconds, 1))], isBranched: false)
        let replay = Replay(script, plan: nil, on: course)
        #expect(replay.tickCount == 1 && replay.misses.map(\.reason) == [.neverReached])
    }
}
