import Foundation

/// How many histories to try, and where: from the environment.
struct HistorySettings {
    let count: Int
    let firstSeed: UInt64
    /// Histories tried at most to make a failing one small.
    let shrinkBudget: Int

    /// `MODEL_HISTORIES` (12), `MODEL_SEED` (1), `MODEL_SHRINK` (400).
    static var current: HistorySettings {
        let environment = ProcessInfo.processInfo.environment
        return HistorySettings(
            count: environment["MODEL_HISTORIES"].flatMap(Int.init) ?? 12,
            firstSeed: environment["MODEL_SEED"].flatMap(UInt64.init) ?? 1,
            shrinkBudget: environment["MODEL_SHRINK"].flatMap(Int.init) ?? 400)
    }
}

/// Runs seeded histories through archives of one kind and makes failures small and readable.
struct HistoryRun {
    /// Makes an empty archive in an empty folder. The history is for archives that are no programs.
    let makeArchive: (ModelHistory, URL) throws -> any ArchiveUnderTest
    /// Where failing histories are kept.
    let failureFolder: URL

    /// `$MODEL_FAILURES`, else a folder in the temporary directory.
    static var defaultFailureFolder: URL {
        let named = ProcessInfo.processInfo.environment["MODEL_FAILURES"]
        return named.map { URL(fileURLWithPath: $0) }
            ?? FileManager.default.temporaryDirectory.appendingPathComponent("healthprobe-model-failures")
    }

    /// A failing history, made small.
    struct Failure: CustomStringConvertible {
        let history: ModelHistory
        let mismatches: [String]
        let folder: URL

        var description: String {
            let items = history.exports.map { "\($0.items.count)\($0.cutAfter.map { " cut after \($0)" } ?? "")" }
            let lines = mismatches.prefix(12).joined(separator: "\n  ")
            return """
                seed \(history.seed) (MODEL_SEED=\(history.seed) MODEL_HISTORIES=1), shrunk to exports of \
                \(items.joined(separator: ", ")) items in \(folder.path):
                  \(lines)
                """
        }
    }

    /// Compares the history of one seed; `nil` where archive and model agree.
    func failure(seed: UInt64, withGaps: Bool = false, shrinkBudget: Int) -> Failure? {
        let history = withGaps ? ModelHistory(withGaps: seed) : ModelHistory(seed: seed)
        guard !verify(history).isEmpty else { return nil }
        let small = Shrinker.shrink(history, budget: shrinkBudget) { !verify($0).isEmpty }
        let folder = failureFolder.appendingPathComponent("seed-\(seed)")
        try? FileManager.default.removeItem(at: folder)
        let mismatches = verify(small)
        try? Verifier.write(history, into: folder.appendingPathComponent("original"))
        try? Verifier.write(small, into: folder)
        try? mismatches.joined(separator: "\n").write(
            to: folder.appendingPathComponent("mismatches.txt"), atomically: true, encoding: .utf8)
        return Failure(history: small, mismatches: mismatches, folder: folder)
    }

    /// All mismatches of one history, in a scratch folder of its own.
    func verify(_ history: ModelHistory) -> [String] {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("healthprobe-model-\(UUID())")
        defer { try? FileManager.default.removeItem(at: folder) }
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            return Verifier.verify(history, try makeArchive(history, folder), folder: folder).mismatches
        } catch {
            return ["failed: \(error)"]
        }
    }
}
