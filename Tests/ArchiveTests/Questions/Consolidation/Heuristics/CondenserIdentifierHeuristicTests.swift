@testable internal import Questions
internal import Testing

@Suite struct CondenserIdentifierHeuristicTests {
    struct Case: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var values: [Double]
        var value: Double
        var declared: Int64
        var isCumulative = true
        var closed: [Int64] = []
        var expected: GroupJudgement
    }

    static let cases = [
        Case(
            testDescription: "all found, equal sum", values: [1, 2, 3], value: 6, declared: 3,
            expected: .accepted(.complete)),
        Case(
            testDescription: "within the sum of the tolerances", values: [1, 2, 3], value: 6.001_9, declared: 3,
            expected: .accepted(.complete)),
        Case(testDescription: "beyond them", values: [1, 2, 3], value: 6.002_1, declared: 3, expected: .totalsDiffer),
        Case(testDescription: "none found", values: [], value: 6, declared: 3, expected: .accepted(.none)),
        Case(testDescription: "some found", values: [1, 2], value: 6, declared: 3, expected: .accepted(.partial)),
        Case(
            testDescription: "some with more than the total", values: [4, 5], value: 6, declared: 3,
            expected: .totalsDiffer),
        Case(
            testDescription: "fewer by coalescing, equal sum", values: [3, 3], value: 6, declared: 4,
            expected: .accepted(.complete)),
        Case(
            testDescription: "one too many, told by the sum", values: [1, 2, 3, 7], value: 6, declared: 3,
            expected: .accepted(.complete, without: [4])),
        Case(
            testDescription: "two too many, told by the sum", values: [1, 5, 2, 3, 7], value: 6, declared: 3,
            expected: .accepted(.complete, without: [2, 5])),
        Case(
            testDescription: "three too many", values: [1, 2, 3, 7, 8, 9], value: 6, declared: 3,
            expected: .totalsDiffer),
        Case(
            testDescription: "one too many that went later", values: [1, 2, 3, 3], value: 6, declared: 3,
            closed: [2, 2, 2, 3], expected: .accepted(.complete, without: [4])),
        Case(
            testDescription: "reading inside the range", values: [60, 70, 80], value: 70, declared: 3,
            isCumulative: false,
            expected: .accepted(.complete)),
        Case(
            testDescription: "reading outside it", values: [60, 70, 80], value: 85, declared: 3, isCumulative: false,
            expected: .totalsDiffer),
        Case(
            testDescription: "one reading too many, told by the mean", values: [60, 70, 80, 76], value: 70, declared: 3,
            isCumulative: false, expected: .accepted(.complete, without: [4])),
    ]

    @Test(arguments: cases)
    func judges(_ test: Case) {
        let members = Tallies.members(test.values, seconds: test.isCumulative ? 60 : 0, closed: test.closed)
        let high = members.last?.end ?? 600
        let view = Tallies.replacement(test.value, high: high, declared: test.declared, isCumulative: test.isCumulative)
        let judgement = CondenserIdentifierHeuristic.judge(view, Tallies.tally(members, high: high), members: members)
        #expect(judgement == test.expected)
    }

    @Test func aSeriesCountsForWhatItDeclares() {
        var members = Tallies.members([4, 2])
        members[0].weight = 9
        let view = Tallies.replacement(6, high: 120, declared: 10)
        let tally = Tallies.tally(members, high: 120)
        #expect(tally.weight == 10)
        #expect(CondenserIdentifierHeuristic.judge(view, tally, members: members) == .accepted(.complete))
    }
}
