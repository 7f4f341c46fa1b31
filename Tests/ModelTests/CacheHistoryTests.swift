import Foundation
import GRDB
import Testing
import TestSupport

/// Over random histories, in any order, with partial and withdrawn exports: the cache that imports keep is the one that is
/// made from nothing, and its rows are those that the model computes.
///
/// `MODEL_HISTORIES` is ten times the number of histories (2 without it).
@Suite("Random histories of the cache", .enabled(if: BuiltProgram.path != nil, "no built healthprobe was found"))
struct CacheHistoryTests {
    private static let seeds: ClosedRange<UInt64> = {
        let settings = HistorySettings.current
        let isNamed = ProcessInfo.processInfo.environment["MODEL_HISTORIES"] != nil
        return settings.firstSeed...settings.firstSeed + UInt64(isNamed ? max(settings.count / 10, 1) : 2) - 1
    }()

    @Test(arguments: seeds)
    func everyStepIsRight(seed: UInt64) throws {
        let history = seed % 2 == 0 ? ModelHistory(withGaps: seed) : ModelHistory(seed: seed)
        var run = try CacheHistory(history)
        let mistake = history.mistake
        for (place, index) in history.importOrder.enumerated() {
            if mistake?.after == place { try run.importMistake() }
            try run.add(history.exports[index], at: Verifier.path(index, in: run.folder))
            try run.check("seed \(seed), import \(place + 1)")
        }
        if mistake?.after == history.exports.count { try run.importMistake() }
        guard mistake != nil else { return }
        try run.check("seed \(seed), before the withdrawal")
        try run.withdrawMistake()
        try run.check("seed \(seed), after the withdrawal")
    }
}

/// An archive with its cache while a history is imported.
private struct CacheHistory {
    private let history: ModelHistory
    private let sandbox: Sandbox
    let folder: URL
    /// What was imported, by the archive's ids.
    private var imported: [(id: Int, export: ModelExport)] = []
    private var mistake: Int?
    /// All that exports showed and the archive listed: where its hashes are learned from.
    private var samples: [Sample] = []
    private var records: [[String: Any]] = []

    init(_ history: ModelHistory) throws {
        self.history = history
        sandbox = try Sandbox("cacheHistory")
        folder = URL(fileURLWithPath: sandbox.path("exports"))
        try Verifier.write(history, into: folder)
    }

    mutating func add(_ export: ModelExport, at path: String) throws {
        let report = try sandbox.run("import", path, "--allow-unrelated", "--json").expecting(0, 3).object()
        let id = try #require((report["observation"] as? [String: Any])?["id"] as? Int)
        imported.append((id, export))
        samples += export.read
        let listed = try sandbox.run("records", "--at", "\(id)", "--limit", "100000", "--json").expecting(0).objects()
        records += listed.filter { $0["type"] != nil }
    }

    mutating func importMistake() throws {
        guard let (export, _) = history.mistake else { return }
        let path = folder.appendingPathComponent("mistake.xml")
        try ExportWriter.text(export).write(to: path, atomically: true, encoding: .utf8)
        try add(export, at: path.path)
        mistake = imported.last?.id
    }

    mutating func withdrawMistake() throws {
        guard let mistake else { return }
        try sandbox.run(
            "observation", "withdraw", "\(mistake)", "--reason", "a mistake", "--confirm", "archive.sqlite"
        ).expecting(0)
        imported.removeAll { $0.id == mistake }
    }

    /// Brings the cache up to date, makes another one from nothing, and holds both against the model.
    func check(_ when: String) throws {
        let partial = try digest("--observation", "latest")
        #expect(try digest("--cache", sandbox.path("fresh-\(UUID()).cache")) == partial, "\(when): from nothing")
        try expectRows(when)
        #expect(try digest() == partial, "\(when): made anew")
    }

    /// The content of the cache once it has everything.
    private func digest(_ arguments: String...) throws -> String {
        let answer = try sandbox.run(["cache", "rebuild", "--json"] + arguments).expecting(0).object()
        #expect(answer["state"] as? String == "current")
        return try #require(answer["contentDigest"] as? String)
    }

    private func expectRows(_ when: String) throws {
        let chain = imported.sorted { $0.export.date < $1.export.date }
        let learning = HashLearning(samples: samples, records: records)
        let observed = ModelObservation.observe(chain.map(\.export), order: .learned(learning.table))
        let expected = CachedRows(
            zip(chain, observed).map { (id: $0.id, observation: $1) }, exports: chain.map(\.export))
        var configuration = Configuration()
        configuration.readonly = true
        try DatabaseQueue(path: sandbox.archive + ".cache", configuration: configuration).read { db in
            func expect(_ rows: [String], _ place: Int, _ view: String, _ columns: String, _ side: String) throws {
                let id = expected.observations[place].id
                let found = try Row.fetchAll(db, sql: "SELECT \(columns) FROM \(view) WHERE \(side) = \(id)")
                let texts = found.compactMap { row -> String? in
                    expected.isUndecided(place, row["sampleTypeIdentifier"]) ? nil : CachedRows.row(row.values)
                }
                let (wanted, cached) = (Set(rows), Set(texts))
                #expect(texts.count == rows.count, "\(when): \(view) at \(place)")
                #expect(
                    wanted == cached,
                    """
                    \(when): \(view) at \(place)
                    model alone: \(wanted.subtracting(cached).sorted().prefix(4))
                    cache alone: \(cached.subtracting(wanted).sorted().prefix(4))
                    """)
            }
            for place in expected.observations.indices {
                let id = "observationID"
                try expect(expected.types(at: place), place, "CachedTypeSummary", CachedRows.typeColumns, id)
                let months = expected.buckets(at: place, byMonth: true)
                try expect(months, place, "CachedMonthlyAggregate", CachedRows.bucketColumns, id)
                let isLast = place == expected.observations.count - 1
                let days = expected.buckets(at: place, byMonth: false) { _ in isLast }
                try expect(days, place, "CachedDailyAggregate", CachedRows.bucketColumns, id)
                guard place > 0 else { continue }
                try expect(
                    expected.diffs(to: place), place, "CachedDiffSummary", CachedRows.diffColumns, "toObservationID")
            }
        }
    }
}

extension Row {
    /// The values in the order of their columns.
    fileprivate var values: [(any CachedValue)?] {
        databaseValues.map { value in
            switch value.storage {
            case .int64(let number): Int(number)
            case .double(let number): number
            case .string(let text): text
            default: nil
            }
        }
    }
}
