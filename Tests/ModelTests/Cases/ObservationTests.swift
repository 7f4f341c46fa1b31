import Testing

/// Whole and partial observations by example.
@Suite("Observations by example")
struct ObservationTests {
    private func export(_ items: [Element], cutAfter: Int? = nil) -> ModelExport {
        ModelExport(
            date: Domain.epoch, offsetSeconds: 0, me: [:], items: items, cutAfter: cutAfter, printingSeed: 1)
    }

    private func last(_ exports: [ModelExport]) throws -> ModelObservation {
        try #require(ModelObservation.observe(exports, order: .canonicalText).last)
    }

    @Test("nothing disappears because of a cut")
    func cut() throws {
        let items = [RuleCase.same("a"), .record("T", 0), .record("T", 60)]
        let observation = try last([export(items), export(items, cutAfter: 1)])
        #expect(observation.read.count == 1 && observation.state.count == 3)
        #expect(observation.comparison.unchanged.count == 3 && observation.comparison.disappeared.isEmpty)
    }

    @Test("what was read is applied: new items come, new representations take the old one's place")
    func applied() throws {
        let before = [RuleCase.same("a"), RuleCase.synced(nil, 0), .record("T", 0)]
        let after = [RuleCase.same("b"), RuleCase.synced(nil, 60), .record("T", 60), .record("T", 0)]
        let observation = try last([export(before), export(after, cutAfter: 3)])
        #expect(observation.state.count == 4)
        #expect(observation.comparison.pairs.map(\.evidence) == [.strictKey, .syncIdentifier])
        #expect(observation.comparison.appeared.count == 1 && observation.comparison.disappeared.isEmpty)
    }

    @Test("a partial export knows copies only as far as it was read")
    func copies() throws {
        let same = RuleCase.same()
        #expect(try last([export([same, same]), export([same, same], cutAfter: 1)]).state.count == 2)
        #expect(try last([export([same]), export([same, same], cutAfter: 2)]).state.count == 2)
    }

    @Test("in a partial export no source name counts as gone")
    func renamed() throws {
        let after = [RuleCase.synced(nil, 0, "71", source: "Uhr")]
        let observation = try last([export([RuleCase.synced(nil, 0)]), export(after, cutAfter: 1)])
        #expect(observation.state.count == 2 && observation.comparison.appeared.count == 1)
    }

    @Test("a nested record counts while its copy at top level is beyond the cut")
    func nestedBeyondTheCut() throws {
        let items = [Element.correlation("C", 0, [RuleCase.same()]), RuleCase.same()]
        let observation = try last([export(items), export(items, cutAfter: 1)])
        #expect(observation.read.count == 2 && observation.comparison.unchanged.count == 2)
    }

    @Test("what comes back after a gap appears anew, and is unchanged seen from before the gap")
    func reappearing() throws {
        let observations = ModelObservation.observe(
            [export([RuleCase.same()]), export([]), export([RuleCase.same()])], order: .canonicalText)
        #expect(observations.map(\.comparison.appeared.count) == [1, 0, 1])
        #expect(observations.map(\.comparison.disappeared.count) == [0, 1, 0])
        let (first, last) = (try #require(observations.first), try #require(observations.last))
        #expect(Comparison(first.state, last.state, order: .canonicalText).unchanged.count == 1)
    }
}
