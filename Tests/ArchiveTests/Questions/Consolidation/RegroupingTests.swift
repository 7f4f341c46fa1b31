internal import ArchiveTestSupport
internal import Days
internal import Questions
internal import Testing

/// Series condensed again with other bounds, constituents that went in other gaps, and what coalescing and source versions
/// do to the counts.
@Suite struct RegroupingTests {
    private static let raws = (0..<10).map { CondensedRecords.record("ActiveEnergyBurned", $0 * 60, $0 * 60 + 60, 1.5) }
    private static let other = CondensedRecords.record("ActiveEnergyBurned", 90_000, 90_060, 1)

    private static func series(_ start: Int, _ end: Int, _ count: Int, version: Int) -> String {
        CondensedRecords.record(
            "ActiveEnergyBurned", start, end, Double(count) * 1.5,
            mark: CondensedRecords.mark(Double(start) + 0.25, Double(end) + 0.25, count, version: version))
    }

    /// Which series the second dump has, and which the third.
    struct Case: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var before: [(Int, Int, Int)]
        var after: [(Int, Int, Int)]
    }

    static let cases = [
        Case(testDescription: "one in two", before: [(0, 600, 10)], after: [(0, 300, 5), (300, 600, 5)]),
        Case(
            testDescription: "other bounds", before: [(0, 300, 5), (300, 600, 5)],
            after: [(0, 180, 3), (180, 600, 7)]),
        Case(
            testDescription: "two in three", before: [(0, 300, 5), (300, 600, 5)],
            after: [(0, 180, 3), (180, 420, 4), (420, 600, 3)]),
    ]

    @Test(arguments: cases)
    func condensedAgainWithOtherBounds(_ test: Case) throws {
        let archive = try TestArchive([
            Self.raws + [Self.other], test.before.map { Self.series($0.0, $0.1, $0.2, version: 5) } + [Self.other],
            test.after.map { Self.series($0.0, $0.1, $0.2, version: 6) } + [Self.other],
        ])
        #expect(try archive.groups(2, 3) == ["10 of 10, \(test.before.count) disappeared, complete"])
        try archive.ask(1, 3) { answer, _, _ in
            let groups = try answer.summaries()
            #expect(groups == ["10 of 10, 10 disappeared, complete"])
            #expect(answer.verdicts.first?.explained == 10 && answer.verdicts.first?.unexplained == 0)
            #expect(answer.verdicts.first?.labels == [DiffLabel.appeared, .disappeared, .consolidationLikely])
        }
        try archive.ask(1, 3, through: true) { answer, _, _ in
            #expect(answer.verdicts.first?.explained == Int64(10 + test.before.count))
            #expect(answer.verdicts.first?.unexplained == 0)
        }
    }

    @Test func otherTotalsAreNoGroup() throws {
        let wrong = CondensedRecords.record(
            "ActiveEnergyBurned", 300, 600, 8, mark: CondensedRecords.mark(300.25, 600.25, 5, version: 6))
        let archive = try TestArchive([
            [Self.series(0, 600, 10, version: 5), Self.other], [Self.series(0, 300, 5, version: 6), wrong, Self.other],
        ])
        try archive.ask(1, 2) { answer, _, _ in
            #expect(answer.verdicts.first?.explained == 0 && answer.verdicts.first?.unexplained == 1)
        }
    }

    @Test func seriesOfTwoGoOnIntoOne() throws {
        let archive = try TestArchive([
            Self.raws + [Self.other], [Self.series(0, 600, 10, version: 5), Self.other],
            [Self.series(0, 300, 5, version: 6), Self.series(300, 600, 5, version: 6), Self.other],
            [Self.series(0, 600, 10, version: 7), Self.other],
        ])
        #expect(try archive.groups(1, 4) == ["10 of 10, 10 disappeared, complete"])
        #expect(try archive.groups(3, 4) == ["10 of 10, 2 disappeared, complete"])
    }

    @Test func constituentsThatWentBeforeTheReplacementCame() throws {
        let archive = try TestArchive([
            Self.raws + [Self.other], Self.raws.dropFirst(4) + [Self.other],
            [Self.series(0, 600, 10, version: 5), Self.other],
        ])
        #expect(try archive.groups(1, 3) == ["10 of 10, 10 disappeared, complete"])
        #expect(try archive.groups(2, 3) == ["10 of 10, 6 disappeared, complete"])
        try archive.ask(1, 2) { answer, _, _ in
            #expect(answer.verdicts.first?.explained == 0 && answer.verdicts.first?.unexplained == 4)
        }
    }

    @Test func coalescedReadingsCountForThoseTheyStandFor() throws {
        let raws = (0..<10).map { CondensedRecords.record("HeartRate", $0 * 5, $0 * 5 + 5, 80, unit: "count/min") }
        let coalesced = CondensedRecords.record("HeartRate", 0, 20, 80, unit: "count/min")
        let series = CondensedRecords.record(
            "HeartRate", 0, 50, 80, unit: "count/min", mark: CondensedRecords.mark(0.25, 50.25, 10))
        let archive = try TestArchive([
            raws + [Self.other], [coalesced] + raws.dropFirst(4) + [Self.other], [series, Self.other],
        ])
        #expect(try archive.groups(1, 3) == ["10 of 10, 10 disappeared, complete"])
        #expect(try archive.groups(2, 3) == ["10 of 10, 7 disappeared, complete"])
    }

    @Test func versionsAreNotMixed() throws {
        func record(_ index: Int, _ version: String) -> String {
            CondensedRecords.record("ActiveEnergyBurned", index * 60, index * 60 + 60, 1.5, version: version)
        }
        func series(_ version: String, _ count: Int) -> String {
            CondensedRecords.record(
                "ActiveEnergyBurned", 0, 600, Double(count) * 1.5, version: version,
                mark: CondensedRecords.mark(0.25, 600.25, count))
        }
        let archive = try TestArchive([
            (0..<10).map { record($0, $0 % 3 == 0 ? "9.0" : "10.1") } + [Self.other],
            [series("9.0", 4), series("10.1", 6), Self.other],
        ])
        #expect(
            try Set(archive.groups(1, 2)) == ["4 of 4, 4 disappeared, complete", "6 of 6, 6 disappeared, complete"])
    }

    @Test func roundingIsNoChangeOfADay() throws {
        let raws = (0..<10).map {
            CondensedRecords.record("ActiveEnergyBurned", $0 * 60, $0 * 60 + 60, 19.975_4 + Double($0) * 1e-4)
        }
        let series = CondensedRecords.record(
            "ActiveEnergyBurned", 0, 600, 199.759, mark: CondensedRecords.mark(0.25, 600.25, 10))
        let archive = try TestArchive([raws, [series]])
        try archive.ask(1, 2) { answer, _, _ in
            #expect(answer.verdicts.first?.labels == [DiffLabel.appeared, .disappeared, .consolidationLikely])
        }
    }
}
