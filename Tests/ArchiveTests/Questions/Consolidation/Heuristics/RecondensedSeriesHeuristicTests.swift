@testable internal import Questions
internal import Testing

@Suite struct RecondensedSeriesHeuristicTests {
    struct Case: CustomTestStringConvertible, Sendable {
        var testDescription: String
        /// Value and declared count of each new series.
        var new: [(Double, Int64)]
        /// Value and weight of each gone one.
        var old: [(Double, Int64)]
        var isCumulative = true
        var expected: Bool
    }

    static let cases = [
        Case(testDescription: "equal sums and counts", new: [(6, 3), (4, 2)], old: [(10, 5)], expected: true),
        Case(testDescription: "another sum", new: [(6, 3), (5, 2)], old: [(10, 5)], expected: false),
        Case(
            testDescription: "more gone than declared, another sum", new: [(6, 3), (4, 2)], old: [(10, 5), (1, 1)],
            expected: false),
        Case(testDescription: "some never seen", new: [(6, 3), (4, 2)], old: [(6, 3)], expected: false),
        Case(testDescription: "one new series alone", new: [(10, 5)], old: [(6, 3), (4, 2)], expected: false),
        Case(
            testDescription: "means inside the range", new: [(70, 3), (90, 2)], old: [(60, 2), (90, 3)],
            isCumulative: false, expected: true),
        Case(
            testDescription: "means outside it", new: [(70, 3), (60, 2)], old: [(80, 2), (90, 3)],
            isCumulative: false, expected: false),
        Case(
            testDescription: "fewer readings than declared", new: [(70, 3), (70, 2)], old: [(70, 4)],
            isCumulative: false, expected: false),
    ]

    @Test(arguments: cases)
    func judges(_ test: Case) {
        let replacements = test.new.enumerated().map { index, series in
            ReplacementView(
                id: Int64(index + 1), low: Int64(index) * 300, high: Int64(index) * 300 + 300, value: series.0,
                tolerance: 1e-4, declaredCount: series.1, isCumulative: test.isCumulative)
        }
        let members = test.old.enumerated().map { index, series in
            GroupTally.Member(
                id: Int64(index + 100), start: Int64(index) * 200, end: Int64(index) * 200 + 200, value: series.0,
                tolerance: 1e-4, weight: series.1, closed: 2)
        }
        #expect(RecondensedSeriesHeuristic.isOneGroup(replacements, members) == test.expected)
    }
}
