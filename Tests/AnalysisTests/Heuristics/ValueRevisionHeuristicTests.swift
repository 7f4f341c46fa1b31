internal import Analysis
internal import Testing

@Suite struct ValueRevisionHeuristicTests {
    private static func resting(_ start: Int, _ value: Double, source: String = "Watch") -> String {
        SmallArchive.record("RestingHeartRate", start, start + 600, value, unit: "count/min", source: source)
    }

    @Test func pairsValuesOfTheLastDays() throws {
        let day = 86_400
        let archive = try SmallArchive([
            [Self.resting(0, 55), Self.resting(-3 * day, 57), Self.resting(-9 * day, 50), Self.resting(-2 * day, 51)],
            [
                Self.resting(0, 56), Self.resting(-3 * day, 58), Self.resting(-9 * day, 52), Self.resting(-2 * day, 51),
                Self.resting(-day, 60),
            ],
        ])
        try archive.ask(1, 2) { answer, _, _ in
            let verdict = try #require(answer.verdicts.first)
            // Two in the last days; the third is older, the one of another day is new.
            #expect(verdict.revisedValues == 2)
            #expect(
                verdict.labels.starts(with: ["appeared", "disappeared"]) && verdict.labels.contains("valueRevised"))
            #expect(!verdict.labels.contains("consolidationLikely"))
            #expect(verdict.explained == 0 && verdict.unexplained == 3)
        }
    }

    @Test func otherSourcesAreNoRevision() throws {
        let archive = try SmallArchive([
            [Self.resting(0, 55), Self.resting(-600, 50)],
            [Self.resting(0, 56, source: "App"), Self.resting(-600, 50)],
        ])
        try archive.ask(1, 2) { answer, _, _ in #expect(answer.verdicts.first?.revisedValues == 0) }
    }
}
