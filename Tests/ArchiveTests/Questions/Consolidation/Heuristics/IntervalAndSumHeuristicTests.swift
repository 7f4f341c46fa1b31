@testable internal import Questions
internal import Testing

@Suite struct IntervalAndSumHeuristicTests {
    @Test(arguments: [
        (values: [1.0, 2, 3], value: 6.0, high: Int64(180), expected: GroupJudgement.accepted(.complete)),
        ([1, 2, 3], 6.001, 180, .accepted(.complete)),
        ([1, 2, 3], 4.98, 180, .totalsDiffer),
        ([6], 6, 60, .nothing),
        ([1, 2, 3], 6, 181, .accepted(.complete)),
        ([1, 2, 3], 6, 182, .nothing),
        ([], 6, 180, .nothing),
    ])
    func judgesSums(values: [Double], value: Double, high: Int64, expected: GroupJudgement) {
        let members = Tallies.members(values)
        let view = Tallies.replacement(value, high: high)
        #expect(IntervalAndSumHeuristic.judge(view, Tallies.tally(members, high: high)) == expected)
    }

    @Test(arguments: [
        (80.0, GroupJudgement.accepted(.complete)), (81.5, .accepted(.complete)), (60, .totalsDiffer),
        (99, .totalsDiffer),
        (101, .totalsDiffer),
    ])
    func judgesReadings(value: Double, expected: GroupJudgement) {
        let members = Tallies.members([60, 80, 100], seconds: 0)
        let view = Tallies.replacement(value, high: 60, isCumulative: false)
        #expect(IntervalAndSumHeuristic.judge(view, Tallies.tally(members, high: 60)) == expected)
    }

    @Test func meansWeighReadingsByTheTimeToTheNext() {
        var tally = GroupTally(low: 0, high: 100)
        for (start, value) in [(Int64(0), 60.0), (80, 100)] {
            tally.add(.init(id: start, start: start, end: start, value: value, tolerance: 0, weight: 1, closed: 2))
        }
        #expect(tally.mean == 80)
        #expect(tally.timeWeightedMean == 68)
    }
}
