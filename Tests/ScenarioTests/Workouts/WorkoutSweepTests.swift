internal import Foundation
internal import Testing
internal import TestSupport

/// Workouts that are read one after the other are those that are read alone.
@Suite(.enabled(if: BuiltProgram.isExpected)) struct WorkoutSweepTests {
    @Test("one page of all workouts is the same as many small ones", arguments: ["visible", "finest"])
    func pages(_ state: String) throws {
        let athlete = try Athlete(days: 8, later: [["condense=0.6"]])
        let all = try athlete.objects("workouts", "--state", state, "--limit", "1000")
        #expect(all.count > 8 && all.contains { $0["consolidated"] as? String == "yes" })
        var single: [[String: Any]] = []
        var after: [String] = []
        repeat {
            let arguments = ["workouts", "--json", "--state", state, "--limit", "4", "--settings"]
            let lines = try athlete.sandbox.run(arguments + [athlete.sandbox.path("athlete.json")] + after)
                .expecting(0).objects()
            single += lines.filter { $0["identity"] != nil }
            after = (lines.last?["next"] as? String).map { ["--after", $0] } ?? []
        } while !after.isEmpty
        #expect(single.map { $0 as NSDictionary } == all.map { $0 as NSDictionary })
    }

    @Test("the stress of each day's workout is that of the workout alone")
    func days() throws {
        let athlete = try Athlete(days: 10, later: [])
        var compared = 0
        for row in try athlete.objects("metrics", "daily") {
            guard let load = row["load"] as? [String: Any], load["workouts"] as? Int == 1,
                let identity = load["workoutId"] as? String
            else { continue }
            let workout = try #require(try athlete.objects("workout", identity).first)
            let stress = try #require(workout["stress"] as? [String: Any])
            #expect(load["tss"] as? NSObject == stress["value"] as? NSObject, "\(identity)")
            #expect(load["trimp"] as? NSObject == stress["trimp"] as? NSObject, "\(identity)")
            compared += 1
        }
        #expect(compared > 3)
    }
}
