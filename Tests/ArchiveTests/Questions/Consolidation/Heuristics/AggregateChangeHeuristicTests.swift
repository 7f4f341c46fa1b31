internal import ArchiveTestSupport
internal import Days
internal import Questions
internal import Testing

@Suite struct AggregateChangeHeuristicTests {
    private static let before = (0..<5).map { CondensedRecords.record("ActiveEnergyBurned", $0 * 60, $0 * 60 + 60, 2) }
    private static let other = CondensedRecords.record("ActiveEnergyBurned", 90_000, 90_060, 1)

    @Test(arguments: [nil, CondensedRecords.mark(0.2, 300.1, 5)])
    func otherTotalsAreNoConsolidation(mark: String?) throws {
        let archive = try TestArchive([
            Self.before + [Self.other],
            [CondensedRecords.record("ActiveEnergyBurned", 0, 300, 9, mark: mark), Self.other],
        ])
        try archive.ask(1, 2) { answer, _, _ in
            let verdict = try #require(answer.verdicts.first)
            #expect(verdict.groups == 0 && verdict.explained == 0 && verdict.unexplained == 5)
            #expect(verdict.labels == [.appeared, .disappeared, .aggregateChanged])
            let change = try #require(verdict.aggregateChange)
            #expect(change.sumBefore == 10 && change.sumAfter == 9 && change.countBefore == 5)
        }
    }
}
