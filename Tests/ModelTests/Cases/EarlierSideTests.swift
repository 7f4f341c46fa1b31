import Foundation
import Testing
import TestSupport

/// `--through` by example: one sample (its labels are versions) and another one that is always there.
struct SpanCase: CustomTestStringConvertible, Sendable {
    /// What the exports show: versions of the one sample.
    let exports: [[String]]
    let before: Int
    let disappeared: Int
    let changed: Int

    init(_ exports: [[String]], before: Int, disappeared: Int = 0, changed: Int = 0) {
        self.exports = exports
        self.before = before
        self.disappeared = disappeared
        self.changed = changed
    }

    var testDescription: String { exports.map { $0.joined() }.joined(separator: "|") }

    static let all = [
        SpanCase([["a"], [], ["a"]], before: 1),
        SpanCase([["a"], [], ["b"], ["b"]], before: 1),
        SpanCase([["a"], [], ["a"], ["b"]], before: 1, changed: 1),
        SpanCase([["a"], [], ["b"], [], ["c"], ["c"]], before: 1),
        SpanCase([["a"], [], ["b"], []], before: 1, disappeared: 1),
        SpanCase([["a", "a"], [], ["b"], ["b"]], before: 2, disappeared: 1),
        SpanCase([["a", "b"], [], ["b", "c"], ["b", "c"]], before: 2),
        SpanCase([["a", "b"], [], ["c", "c", "c"], ["c", "c", "c"]], before: 3),
        // The version b that was there with a is there again: a is what is gone.
        SpanCase([["a", "b"], ["a"], ["b"], ["b"]], before: 2, disappeared: 1),
        SpanCase([["a", "b"], ["a"], [], ["b"], ["a"]], before: 2, disappeared: 1),
    ]

    func history() -> ModelHistory {
        let exports = exports.enumerated().map { index, versions in
            ModelExport(
                date: Domain.epoch + 86_400 * 30 * (index + 12), offsetSeconds: 0, me: Domain.me,
                items: [.record("T", 60)] + versions.map { RuleCase.same($0) }, cutAfter: nil, printingSeed: 1)
        }
        return ModelHistory(seed: 2, exports: exports)
    }
}

@Suite("What a span of observations holds, by example")
struct EarlierSideTests {
    @Test("the model", arguments: SpanCase.all)
    func model(_ test: SpanCase) throws {
        let observations = ModelObservation.observe(test.history().exports, order: .canonicalText)
        let side = EarlierSide(observations.dropLast(), order: .canonicalText)
        let last = try #require(observations.last).state
        let comparison = Comparison(
            side.samples, last, order: .canonicalText, areNeighbours: false, namesBefore: side.everVisible)
        // Characteristics and the other record are always there.
        let others = Domain.me.count + 1
        #expect(side.samples.count - others == test.before)
        #expect(comparison.disappeared.count == test.disappeared && comparison.pairs.count == test.changed)
    }

    @Test(
        "the program", .enabled(if: BuiltProgram.path != nil, "no built healthprobe was found"),
        arguments: SpanCase.all)
    func program(_ test: SpanCase) throws {
        let executable = try #require(BuiltProgram.path)
        let run = HistoryRun(
            makeArchive: { _, folder in ProgramUnderTest(executable: executable, folder: folder) },
            failureFolder: HistoryRun.defaultFailureFolder)
        let mismatches = run.verify(test.history())
        #expect(mismatches.isEmpty, "\(mismatches)")
    }
}
