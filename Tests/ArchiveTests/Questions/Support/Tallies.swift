@testable internal import Questions

/// Small groups for the tests of heuristics.
enum Tallies {
    /// Records of these values, one after the other, `seconds` long each, from second 0.
    static func members(
        _ values: [Double], seconds: Int64 = 60, closed: [Int64] = [], tolerance: Double = 0.000_5
    ) -> [GroupTally.Member] {
        values.enumerated().map { index, value in
            let start = Int64(index) * max(seconds, 30)
            return GroupTally.Member(
                id: Int64(index + 1), start: start, end: start + seconds, value: value, tolerance: tolerance, weight: 1,
                closed: closed.indices.contains(index) ? closed[index] : 2)
        }
    }

    static func tally(_ members: [GroupTally.Member], low: Int64 = 0, high: Int64) -> GroupTally {
        var tally = GroupTally(low: low, high: high)
        for member in members { tally.add(member) }
        return tally
    }

    static func replacement(
        _ value: Double, high: Int64, declared: Int64? = nil, isCumulative: Bool = true
    ) -> ReplacementView {
        ReplacementView(
            id: 99, low: 0, high: high, value: value, tolerance: 0.000_5, declaredCount: declared,
            isCumulative: isCumulative)
    }
}
