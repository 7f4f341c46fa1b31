import Foundation
import Testing

/// The model's own archive in place of the program: the harness accepts what is right and finds what is wrong.
@Suite("The harness itself")
struct HarnessTests {
    private func run(_ fault: ModelArchive.Fault?) -> HistoryRun {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("healthprobe-model-self-\(UUID())")
        return HistoryRun(makeArchive: { history, _ in ModelArchive(history, fault: fault) }, failureFolder: folder)
    }

    @Test("a right archive passes")
    func rightArchive() {
        for seed in UInt64(1)...60 {
            let mismatches = run(nil).verify(ModelHistory(seed: seed))
            #expect(mismatches.isEmpty, "seed \(seed): \(mismatches.prefix(5))")
        }
    }

    @Test(
        "a fault is found and made small",
        arguments: Evidence.allCases.map { ModelArchive.Fault.ignores($0) } + [
            .collapsesCopies, .repeatsOrdinals, .forgetsWhatWasNotRead, .forgetsReturns, .breaksTiesBackwards,
        ])
    func fault(_ fault: ModelArchive.Fault) throws {
        let run = run(fault)
        let first = (UInt64(1)...300).first { !run.verify(ModelHistory(seed: $0)).isEmpty }
        let seed = try #require(first)
        let failure = try #require(run.failure(seed: seed, shrinkBudget: 400))
        let count = failure.history.exports.reduce(0) { $0 + $1.items.count }
        #expect(count <= 6, "\(failure)")
        #expect(FileManager.default.fileExists(atPath: Verifier.path(0, in: failure.folder)))
        try FileManager.default.removeItem(at: run.failureFolder)
    }

    @Test("histories hold what they are meant to hold")
    func coverage() {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("healthprobe-model-\(UUID())")
        defer { try? FileManager.default.removeItem(at: folder) }
        var evidence: [Evidence: Int] = [:]
        var copies = 0
        var partial = 0
        var reappeared = 0
        var undecided = 0
        for seed in UInt64(1)...300 {
            let history = ModelHistory(seed: seed)
            let observations = ModelObservation.observe(history.exports, order: .canonicalText)
            for observation in observations {
                for pair in observation.comparison.pairs { evidence[pair.evidence, default: 0] += 1 }
                copies += Comparison.counts(observation.state).values.filter { $0 > 1 }.count
            }
            if seed <= 100 {
                undecided += Verifier.verify(history, ModelArchive(history), folder: folder).undecidedCount
            }
            partial += history.exports.filter(\.isPartial).count
            for (index, observation) in observations.enumerated().dropFirst(2) {
                let seen = Set(observations.prefix(index - 1).flatMap(\.state))
                reappeared += observation.comparison.appeared.filter(seen.contains).count
            }
        }
        let least: [Evidence: Int] = [
            .strictKey: 1000, .syncIdentifier: 200, .externalUUID: 50, .activityUUID: 15, .unitConversion: 150,
            .valueSynonym: 50,
        ]
        for (kind, count) in least { #expect(evidence[kind, default: 0] >= count, "\(kind): \(evidence)") }
        // Of some 20,000 lines of counts: the archive's listings tell nearly all hashes.
        #expect(undecided < 60)
        #expect(copies > 500 && partial > 100 && reappeared > 100, "\(copies) \(partial) \(reappeared)")
    }
}
