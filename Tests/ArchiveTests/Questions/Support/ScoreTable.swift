internal import Foundation
internal import TestSupport

/// The table of `docs/heuristics.md`.
enum ScoreTable {
    private static let begin = "<!-- measured: written by make heuristics -->"
    private static let end = "<!-- end of measured -->"

    private static func percent(_ value: Double) -> String { String(format: "%.2f %%", value * 100) }

    /// What diffs linked, as Markdown.
    static func text(neighbours: LineageScore, distant: LineageScore, scenarios: Int) -> String {
        var lines = [
            "\(scenarios) phones with five dumps each, on which a unit, creation dates and names changed in different gaps.",
            "",
            "| changes of representation | true | linked | right | precision | recall |", "|---|---|---|---|---|---|",
        ]
        for (name, score) in [("from one dump to the next", neighbours), ("from the first dump to the last", distant)] {
            let counts = score.counts
            lines.append(
                "| \(name) | \(counts.truth) | \(counts.found) | \(counts.right) | \(percent(counts.precision)) | "
                    + "\(percent(counts.recall)) |")
        }
        lines += [
            "", "| days of discrete types | condensed | mean changed without a label and without a deleted record |",
            "|---|---|---|",
        ]
        for (name, score) in [("from one dump to the next", neighbours), ("from the first dump to the last", distant)] {
            lines.append("| \(name) | \(score.condensedMeans) | \(score.unfoundedMeans.count) |")
        }
        return lines.joined(separator: "\n")
    }

    /// A score as Markdown.
    static func text(_ score: MembershipScore, scenarios: Int, steps: Int) -> String {
        var lines = [
            "\(scenarios) scenarios, \(steps) steps from one dump to the next.", "",
            "| basis | records in groups | found | right | precision | recall |", "|---|---|---|---|---|---|",
        ]
        for (name, counts) in [("`condenserIdentifier`", score.marked), ("`intervalAndSum`", score.unmarked)] {
            lines.append(
                "| \(name) | \(counts.truth) | \(counts.found) | \(counts.right) | \(percent(counts.precision)) | "
                    + "\(percent(counts.recall)) |")
        }
        lines += ["", "| decoy | records no longer visible | called consolidation |", "|---|---|---|"]
        for (kind, counts) in score.decoys.sorted(by: { $0.key < $1.key }) {
            lines.append("| `\(kind)` | \(counts.records) | \(counts.called) |")
        }
        return lines.joined(separator: "\n")
    }

    /// Writes it between its marks.
    static func write(_ table: String) throws {
        let page = TestSupport.repository.appendingPathComponent("docs/heuristics.md")
        let text = try String(contentsOf: page, encoding: .utf8)
        guard let first = text.range(of: begin), let last = text.range(of: end) else { return }
        let new = text[..<first.upperBound] + "\n\n" + table + "\n\n" + text[last.lowerBound...]
        try String(new).write(to: page, atomically: true, encoding: .utf8)
    }
}
