import Testing
import Training

/// The vectors of the contract, and what must not change them.
@Suite struct ReplayVectorTests {
    private func vector(_ prefix: String) throws -> ReplayVector {
        try #require(ReplayVector.all.first { $0.name.hasPrefix(prefix + " ") || $0.name == prefix })
    }

    @Test func allVectorsAreRead() { #expect(ReplayVector.all.count == 38) }

    @Test(arguments: ReplayVector.all)
    func fires(vector: ReplayVector) { #expect(ReplayVector.fires(vector.replay) == vector.fired) }

    @Test("splitting each record at its middle changes nothing", arguments: ReplayVector.all)
    func halves(vector: ReplayVector) {
        var halved = vector
        halved.distance = vector.distance.flatMap { reading -> [Reading] in
            let middle = (reading.start + reading.end) / 2
            let share = vector.active.seconds(in: Interval(reading.start, middle))
            let first = reading.value * share / vector.active.seconds(in: reading.interval)
            return [
                Reading(reading.start, middle, first), Reading(middle, reading.end, reading.value - first),
            ]
        }
        #expect(ReplayVector.fires(halved.replay) == vector.fired)
    }

    @Test("one script gives the same fires each time, and each message is played or has a reason")
    func everyMessageIsAccountedFor() {
        for vector in ReplayVector.all {
            let replay = vector.replay
            #expect(replay == vector.replay)
            let names = Set(replay.fires.map(\.messageID)).union(replay.misses.map(\.messageID))
            #expect(names == Set(vector.script.messages.map(\.id)), "\(vector.name)")
            #expect(Set(replay.fires.map(\.messageID)).isDisjoint(with: replay.misses.map(\.messageID)))
        }
    }

    @Test(arguments: [
        ("V07", ["notApplicable"]), ("V09", ["notApplicable"]), ("V22", ["neverTrue"]), ("V23", ["neverTrue"]),
        ("V28", ["otherBranch"]), ("V30", ["otherBranch"]),
    ])
    func reasons(name: String, reasons: [String]) throws {
        #expect(try vector(name).replay.misses.map(\.reason.rawValue) == reasons)
    }

    @Test func wallTimeStandsBehindPauses() throws {
        let begin = 9 * 3600.0
        #expect(try vector("V13b").replay.fires.map { $0.tick.instant - begin } == [660])
        #expect(try vector("V13").replay.fires.map { $0.tick.instant - begin } == [960, 961])
    }

    @Test func theSameScriptIsComparedOnTwoSides() throws {
        let (condensed, raw) = (try vector("V33 F"), try vector("V33raw"))
        let changes = condensed.replay.changes(since: raw.replay, raw.script.messages)
        #expect(changes.map(\.kind) == [.shifted, .shifted] && changes.map(\.seconds) == [-83, -18])
        #expect(
            raw.replay.changes(since: raw.replay, raw.script.messages).allSatisfy {
                $0.kind == .same && $0.seconds == 0
            })
        let (before, after) = (try vector("V19"), try vector("V22 condensed"))
        let lost = after.replay.changes(since: before.replay, after.script.messages)
        #expect(lost.map(\.kind) == [.noLongerFires, .newlyFires] && lost.map(\.seconds) == [nil, nil])
    }

    @Test func uncertaintyIsThatOfTheRecord() throws {
        let condensed = try vector("V33 F")
        let fires = condensed.replay.fires
        let values = fires.map { condensed.course.uncertaintySeconds(of: $0, plan: condensed.plan) }
        // 1,000 m are reached 281.25 s after the record's start and 618.75 s before its end.
        #expect(abs(values[0] - 618.75) < 1e-6 && values.allSatisfy { $0 >= 450 })
        let rate = try vector("V22 condensed")
        let fire = try #require(rate.replay.fires.first)
        #expect(rate.course.uncertaintySeconds(of: fire, plan: nil) == 300)
        let time = try vector("V03")
        #expect(time.course.uncertaintySeconds(of: try #require(time.replay.fires.first), plan: nil) == 0)
    }
}
