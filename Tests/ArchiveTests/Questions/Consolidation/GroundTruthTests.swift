internal import Foundation
internal import SyntheticExportGenerator
internal import Testing

/// The analysis against the generator's ground truth; `make heuristics` runs many seeds and writes the table.
@Suite struct GroundTruthTests {
    /// How many scenarios; `HEALTHPROBE_SEEDS` says otherwise.
    static let count = ProcessInfo.processInfo.environment["HEALTHPROBE_SEEDS"].flatMap { UInt64($0) } ?? 8

    @Test func groupsAreTheGeneratorsGroups() throws {
        var score = MembershipScore()
        var steps = 0
        for number in 1...Self.count {
            let scenario = try SeededScenarios.scenario(number)
            let phone = try AnalysedPhone(scenario)
            for to in 2...scenario.dumps.count {
                score += try MembershipScore(phone, from: to - 1, to: to, seed: number)
                steps += 1
            }
        }
        if let path = ProcessInfo.processInfo.environment["HEALTHPROBE_REMARKS"] {
            try score.remarks.joined(separator: "\n").write(toFile: path, atomically: false, encoding: .utf8)
        }
        let linked = try linkedChanges()
        let table = ScoreTable.text(score, scenarios: Int(Self.count), steps: steps) + "\n\n" + linked
        #expect(score.marked.truth > 100 && score.unmarked.truth > 100, "too little to judge:\n\(table)")
        #expect(score.marked.precision >= 0.99, "\(table)")
        #expect(score.marked.recall >= 0.99, "\(table)")
        #expect(score.unmarked.precision >= 0.95, "\(table)")
        #expect(score.unmarked.recall >= 0.95, "\(table)")
        #expect(score.decoys.values.allSatisfy { $0.called == 0 }, "\(table)")
        #expect(score.unbalanced == 0)
        if Self.count >= 200 { try ScoreTable.write(table) }
    }

    /// Diffs of neighbours and of the first and last dump link what the generator changed, and nothing of it is unexplained.
    ///
    /// - Returns: the table of what was linked.
    private func linkedChanges() throws -> String {
        var neighbours = LineageScore()
        var distant = LineageScore()
        let scenarios = max(1, Self.count / 24)
        for number in 1...scenarios {
            let scenario = try SeededScenarios.distantScenario(number)
            let phone = try AnalysedPhone(scenario, truthDetail: .full)
            for to in 2...scenario.dumps.count { neighbours += try LineageScore(phone, from: to - 1, to: to) }
            distant += try LineageScore(phone, from: 1, to: scenario.dumps.count)
        }
        let table = ScoreTable.text(neighbours: neighbours, distant: distant, scenarios: Int(scenarios))
        for score in [neighbours, distant] {
            #expect(score.counts.truth > 1_000, "too little to judge:\n\(table)")
            #expect(score.counts.precision >= 0.999 && score.counts.recall >= 0.999, "\(table)")
            #expect(score.unexplained.isEmpty && score.unfounded.isEmpty, "\(score.unexplained) \(score.unfounded)")
            #expect(
                score.condensedMeans > 0 && score.unfoundedMeans.isEmpty,
                "\(score.condensedMeans) \(score.unfoundedMeans)")
        }
        return table
    }
}
