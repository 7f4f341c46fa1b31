internal import ArchiveTestSupport
internal import Questions
internal import Testing

/// Consolidation without the condenser's identifier inside a span: both sides of the question show the replacement.
@Suite struct SpanTests {
    private static let points = [10.0, 20, 30].enumerated().map {
        CondensedRecords.record("StepCount", $0 * 60, $0 * 60 + 60, $1, unit: "count")
    }
    private static let other = CondensedRecords.record("StepCount", 90_000, 90_060, 1, unit: "count")

    private static func whole(_ value: Double = 60, version: String = "10.1") -> String {
        CondensedRecords.record("StepCount", 0, 180, value, unit: "count", version: version)
    }

    @Test(arguments: [[whole(), whole()], [whole(), whole(version: "11")], [nil, whole(), whole()]])
    func replacedInBetween(later: [String?]) throws {
        let archive = try TestArchive(
            [Self.points + [Self.other]] + later.map { ($0.map { [$0] } ?? []) + [Self.other] })
        for through in [false, true] {
            try archive.ask(1, 1 + later.count, through: through) { answer, _, _ in
                let groups = try answer.summaries()
                #expect(groups == ["3 of -, 3 disappeared, complete"])
                #expect(answer.verdicts.first?.explained == 3 && answer.verdicts.first?.unexplained == 0)
            }
        }
    }

    @Test func otherTotals() throws {
        let archive = try TestArchive([
            Self.points + [Self.other], [Self.whole(70), Self.other], [Self.whole(70), Self.other],
        ])
        try archive.ask(1, 3, through: true) { answer, _, _ in
            let verdict = try #require(answer.verdicts.first)
            #expect(verdict.explained == 0 && verdict.unexplained == 3)
            #expect(verdict.aggregateChange?.sumAfter == 70)
        }
    }

    /// A record that was there with the points did not take their place.
    @Test func whatWasThereBefore() throws {
        let archive = try TestArchive([
            Self.points + [Self.whole(), Self.other], [Self.whole(version: "11"), Self.other],
            [Self.whole(version: "11"), Self.other],
        ])
        try archive.ask(1, 3, through: true) { answer, _, _ in
            #expect(answer.verdicts.first?.explained == 0 && answer.verdicts.first?.unexplained == 3)
        }
    }

    /// Every condensed series that the later observation shows is a group, if none of its originals was ever seen, and if
    /// the records that went with it have another total.
    @Test func seriesWithoutKnownOriginals() throws {
        func series(_ start: Int, _ value: Double) -> String {
            CondensedRecords.record(
                start: start, value: value,
                mark: CondensedRecords.mark(Double(start) + 0.5, Double(start) + 300.5, 5))
        }
        let raws = (0..<5).map { CondensedRecords.record(start: 600 + $0 * 60, length: 60, value: 1) }
        let archive = try TestArchive([
            [series(0, 5)] + raws + [Self.other], [series(0, 5), series(600, 9), Self.other],
        ])
        #expect(try archive.groups(1, 2) == [])
        #expect(
            try archive.groups(1, 2, through: true) == [
                "0 of 5, 0 disappeared, none", "0 of 5, 0 disappeared, none",
            ])
    }
}

extension CondensedRecords {
    fileprivate static func record(start: Int, length: Int = 300, value: Double, mark: String? = nil) -> String {
        record("ActiveEnergyBurned", start, start + length, value, mark: mark)
    }
}
