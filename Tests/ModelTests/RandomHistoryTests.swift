import Foundation
import Testing
import TestSupport

/// The built program against the model, over random histories.
///
/// `MODEL_HISTORIES` says how many, `MODEL_SEED` the first seed, `MODEL_FAILURES` where failing exports are kept.
@Suite("Random histories against the program")
struct RandomHistoryTests {
    /// One lane per core; each takes every second seed.
    @Test(
        "archive and model agree", .enabled(if: BuiltProgram.path != nil, "no built healthprobe was found"),
        arguments: 0..<2)
    func agree(lane: Int) throws { try agree(lane, count: HistorySettings.current.count, withGaps: false) }

    /// A third as many: what a span of observations holds hangs on what is missing and comes back.
    @Test(
        "archive and model agree on what comes back",
        .enabled(if: BuiltProgram.path != nil, "no built healthprobe was found"), arguments: 0..<2)
    func agreeOnReturns(lane: Int) throws {
        try agree(lane, count: HistorySettings.current.count / 3, withGaps: true)
    }

    private func agree(_ lane: Int, count: Int, withGaps: Bool) throws {
        let settings = HistorySettings.current
        let run = try makeRun()
        var failures = 0
        for index in stride(from: lane, to: count, by: 2) where failures < 3 {
            let seed = settings.firstSeed &+ UInt64(index)
            let failure = run.failure(seed: seed, withGaps: withGaps, shrinkBudget: settings.shrinkBudget)
            guard let failure else { continue }
            failures += 1
            Issue.record("\(failure)")
        }
    }

    /// Parts of exports that replace every copy under an old source name: the pairs hang on the names of the finished state.
    /// A row came back and is gone again within the span (20).
    @Test(
        "histories that once differed agree",
        .enabled(if: BuiltProgram.path != nil, "no built healthprobe was found"),
        arguments: [UInt64(20), 7258, 20300, 20405, 20548])
    func onceDiffered(seed: UInt64) throws {
        if let failure = try makeRun().failure(seed: seed, shrinkBudget: 0) { Issue.record("\(failure)") }
    }

    /// Of two equal records one comes back where the other was (100): neither appeared nor is gone. All records in one unit
    /// have a sync identifier, and a record that came back is converted later (127).
    @Test(
        "histories of what comes back that once differed agree",
        .enabled(if: BuiltProgram.path != nil, "no built healthprobe was found"), arguments: [UInt64(100), 127])
    func returnOnceDiffered(seed: UInt64) throws {
        if let failure = try makeRun().failure(seed: seed, withGaps: true, shrinkBudget: 0) {
            Issue.record("\(failure)")
        }
    }

    /// The rules by example, through the program.
    @Test("rule", .enabled(if: BuiltProgram.path != nil, "no built healthprobe was found"), arguments: RuleCase.all)
    func rule(_ example: RuleCase) throws {
        let exports = [example.before, example.after].enumerated().map { place, items in
            ModelExport(
                date: 1_714_600_000 + 86_400 * place, offsetSeconds: 0, me: Domain.me, items: items, cutAfter: nil,
                printingSeed: UInt64(place))
        }
        #expect(try makeRun().verify(ModelHistory(seed: 0, exports: exports)) == [])
    }

    private func makeRun() throws -> HistoryRun {
        let executable = try #require(BuiltProgram.path)
        return HistoryRun(
            makeArchive: { history, folder in
                // Every fourth history pages its listings three records at a time.
                ProgramUnderTest(executable: executable, folder: folder, pageSize: history.seed % 4 == 0 ? 3 : 1000)
            },
            failureFolder: HistoryRun.defaultFailureFolder)
    }
}
