internal import Foundation
internal import Testing
internal import TestSupport

/// The answers about workouts and days fit the schemas of `docs/schemas`.
@Suite("Schemas of workouts and days", .enabled(if: BuiltProgram.isExpected)) struct AnswerSchemaTests {
    /// Commands by the name of the schema of their lines.
    private static let questions: [(schema: String, command: [String])] = [
        ("workouts", ["workouts"]), ("workouts", ["workouts", "--limit", "1", "--state", "finest"]),
        ("workout", ["workout", "latest", "--series"]), ("workout", ["workout", "latest", "--splits", "mile"]),
        ("workout", ["workout", "latest", "--from", "first", "--to", "latest", "--series"]),
        ("metrics-daily", ["metrics", "daily"]), ("metrics-daily", ["metrics", "daily", "--totals"]),
        ("metrics-features", ["metrics", "features"]), ("impact", ["impact"]),
        ("timeline", ["timeline", "--all"]), ("records", ["records", "--all"]),
        ("aggregates", ["aggregates"]), ("aggregates", ["aggregates", "--by", "month"]),
        ("impact", ["impact", "--from", "first", "--to", "latest", "--through"]),
    ]

    @Test(arguments: ["impact-of-condensing", "condensed-workouts", "routes-ecg-clinical", "truncated-then-complete"])
    func scenariosFit(_ scenario: String) throws {
        let sandbox = try Sandbox(scenario)
        try Inputs.importScenario(scenario, into: sandbox)
        var answered: Set<String> = []
        for (name, command) in Self.questions {
            let answer = try sandbox.run(command + ["--json"]).expecting(0, 64)
            // Not every scenario has workouts, or two observations.
            guard answer.status == 0 else { continue }
            let schema = try JSONSchema(name)
            for line in try answer.objects() {
                let complaints = schema.complaints(line)
                #expect(complaints.isEmpty, "\(command): \(complaints)")
                answered.insert(name)
            }
        }
        #expect(scenario != "impact-of-condensing" || answered == Set(Self.questions.map(\.schema)))
    }

    @Test func anAthletesWorkoutsFit() throws {
        let athlete = try Athlete(days: 8, later: [["condense=1"]])
        let (list, one) = try (JSONSchema("workouts"), JSONSchema("workout"))
        let rows = try athlete.objects("workouts")
        #expect(rows.count > 5)
        for row in rows {
            #expect(list.complaints(row).isEmpty, "\(list.complaints(row))")
            let identity = try #require(row["identity"] as? String)
            for line in try athlete.objects("workout", identity, "--from", "1", "--to", "2", "--series") {
                #expect(one.complaints(line).isEmpty, "\(identity): \(one.complaints(line))")
            }
        }
        let impact = try athlete.objects("impact")
        #expect(try JSONSchema("impact").complaints(try #require(impact.first)) == [])
    }

    @Test func aSchemaRefusesWhatIsNoAnswer() throws {
        let athlete = try Athlete(days: 2, later: [])
        var row = try #require(try athlete.objects("metrics", "daily").first)
        let schema = try JSONSchema("metrics-daily")
        row["quality"] = "high"
        #expect(schema.complaints(row).count == 1)
        row["colour"] = 1
        #expect(schema.complaints(row).count == 2)
    }
}
