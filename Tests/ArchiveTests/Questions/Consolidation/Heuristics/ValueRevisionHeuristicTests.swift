internal import ArchiveTestSupport
internal import Days
internal import Questions
internal import Testing

@Suite struct ValueRevisionHeuristicTests {
    private static func resting(_ start: Int, _ value: Double, source: String = "Watch") -> String {
        CondensedRecords.record("RestingHeartRate", start, start + 600, value, unit: "count/min", source: source)
    }

    @Test func pairsValuesOfTheLastDays() throws {
        let day = 86_400
        let archive = try TestArchive([
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
                verdict.labels.starts(with: [.appeared, .disappeared]) && verdict.labels.contains(.valueRevised))
            #expect(!verdict.labels.contains(.consolidationLikely))
            #expect(verdict.explained == 0 && verdict.unexplained == 3)
        }
    }

    @Test func otherSourcesAreNoRevision() throws {
        let archive = try TestArchive([
            [Self.resting(0, 55), Self.resting(-600, 50)],
            [Self.resting(0, 56, source: "App"), Self.resting(-600, 50)],
        ])
        try archive.ask(1, 2) { answer, _, _ in #expect(answer.verdicts.first?.revisedValues == 0) }
    }

    /// A record that an export in between lacks and that comes back in another unit is linked by nothing; its values agree.
    @Test func otherUnitIsNoRevision() throws {
        func distance(_ value: Double, _ unit: String) -> String {
            CondensedRecords.record("DistanceWalkingRunning", 0, 600, value, unit: unit)
        }
        let archive = try TestArchive([
            [distance(1.60934, "km"), Self.resting(0, 50)], [Self.resting(0, 50)],
            [distance(1, "mi"), Self.resting(0, 50)], [distance(1.1, "mi"), Self.resting(0, 50)],
        ])
        for (to, revised) in [(3, 0), (4, 1)] {
            try archive.ask(1, to) { answer, _, _ in
                let verdict = try #require(answer.verdicts.first { $0.type.hasSuffix("DistanceWalkingRunning") })
                #expect(verdict.revisedValues == revised)
            }
        }
    }

    /// Each export but the first is both older and newer than another one.
    @Test(arguments: [[55.0, 56, 56], [55, 56, 57]])
    func insideASpan(values: [Double]) throws {
        let archive = try TestArchive(values.map { [Self.resting(0, $0), Self.resting(-600, 50)] })
        try archive.ask(1, 3, through: true) { answer, _, _ in
            let verdict = try #require(answer.verdicts.first)
            #expect(verdict.revisedValues == 1 && verdict.labels.contains(.valueRevised))
        }
    }

    /// What the first export showed already is no new value, whatever became of its representation.
    @Test func whatWasThereIsNoRevision() throws {
        let both = [Self.resting(0, 55), Self.resting(0, 56)]
        let archive = try TestArchive([
            both, [CondensedRecords.record("RestingHeartRate", 0, 600, 56, unit: "count/min", version: "11")],
            [CondensedRecords.record("RestingHeartRate", 0, 600, 56, unit: "count/min", version: "11")],
        ])
        try archive.ask(1, 3, through: true) { answer, _, _ in
            #expect(answer.verdicts.first?.unexplained == 1 && answer.verdicts.first?.revisedValues == 0)
        }
    }
}
