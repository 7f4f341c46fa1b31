import Foundation

/// Runs one history through an archive and through the model, and says where they differ.
struct Verifier {
    private let history: ModelHistory
    let archive: any ArchiveUnderTest
    private let folder: URL
    /// Every difference, in words; empty where archive and model agree.
    private(set) var mismatches: [String] = []
    /// How many questions could be compared by their counts alone, because a choice hung on an unknown hash.
    var undecidedCount = 0
    private(set) var observations: [ModelObservation] = []
    private var identifiers: [Int] = []

    private init(_ history: ModelHistory, _ archive: any ArchiveUnderTest, folder: URL) {
        self.history = history
        self.archive = archive
        self.folder = folder
    }

    /// Writes the exports into the folder, imports them and compares everything that the contract promises.
    static func verify(_ history: ModelHistory, _ archive: any ArchiveUnderTest, folder: URL) -> Verifier {
        var verifier = Verifier(history, archive, folder: folder)
        do {
            try verifier.run()
        } catch {
            verifier.mismatches.append("failed: \(error)")
        }
        return verifier
    }

    mutating func note(_ text: String) { mismatches.append(text) }

    /// The path of an export's file.
    static func path(_ index: Int, in folder: URL) -> String {
        folder.appendingPathComponent("export-\(index + 1).xml").path
    }

    /// Writes all exports of a history.
    static func write(_ history: ModelHistory, into folder: URL) throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for (index, export) in history.exports.enumerated() {
            try ExportWriter.text(export).write(toFile: path(index, in: folder), atomically: true, encoding: .utf8)
        }
    }

    /// Imports the history's mistake; nil without one.
    private func importMistake() throws -> Int? {
        guard let mistake = history.mistake else { return nil }
        let path = folder.appendingPathComponent("mistake.xml").path
        try ExportWriter.text(mistake.export).write(toFile: path, atomically: true, encoding: .utf8)
        return try archive.importMistake(at: path)
    }

    private mutating func run() throws {
        try Self.write(history, into: folder)
        var reports: [[String: Any]] = history.exports.map { _ in [:] }
        identifiers = history.exports.map { _ in 0 }
        let order = history.importOrder
        let mistake = history.mistake
        var withdrawn: Int?
        for (place, index) in order.enumerated() {
            if mistake?.after == place { withdrawn = try importMistake() }
            let report = try archive.importExport(at: Self.path(index, in: folder))
            guard let observation = report["observation"] as? [String: Any], let id = observation["id"] as? Int else {
                note("import \(index + 1): no observation id in \(report)")
                return
            }
            identifiers[index] = id
            reports[index] = report
        }
        if mistake?.after == order.count { withdrawn = try importMistake() }
        if let withdrawn { try archive.withdraw(withdrawn) }
        if order != Array(order.indices) || withdrawn != nil {
            // What an import said of a chain that was not complete yet is not what holds in the end.
            for index in order {
                var report = try archive.show(identifiers[index])
                for key in ["alreadyImported", "exitCode"] { report[key] = reports[index][key] }
                reports[index] = report
            }
        }
        let listings = try identifiers.map { try archive.records(at: $0) }
        let learning = HashLearning(samples: history.exports.flatMap(\.read), records: listings.flatMap { $0 })
        mismatches += learning.mismatches
        observations = ModelObservation.observe(history.exports, order: .learned(learning.table))
        for index in observations.indices {
            checkImport(index, reports[index])
            checkState(index, listings[index])
        }
        for to in observations.indices {
            for from in 0..<to { try checkDiff(from, to, hashes: learning.table) }
            // With one observation alone on the earlier side it is the same question.
            for from in 0..<max(0, to - 1) { try checkDiff(from, to, through: true, hashes: learning.table) }
        }
        try checkAgain()
    }

    /// The import's own report: identity of the observation, totals, types.
    private mutating func checkImport(_ index: Int, _ report: [String: Any]) {
        let export = history.exports[index]
        let observation = observations[index]
        let name = "import \(index + 1)"
        let described = report["observation"] as? [String: Any] ?? [:]
        expect(described["status"] as? String, observation.isPartial ? "partial" : "completed", "\(name): status")
        expect(Content.instant(described["observedAt"]), "\(export.date)", "\(name): observedAt")
        expect(described["offsetSeconds"] as? Int, export.offsetSeconds, "\(name): offsetSeconds")
        expect(report["alreadyImported"] as? Bool, false, "\(name): alreadyImported")
        if let status = report["exitCode"] as? Int {
            expect(status, observation.isPartial ? 3 : 0, "\(name): exit status")
        }
        let stopped = described["stoppedAt"] as? [String: Any]
        expect(stopped != nil, observation.isPartial, "\(name): stoppedAt is there")

        let before = index > 0 ? observations[index - 1].state : []
        let tallies = TypeTally.tallies(observation.comparison, before: before, after: observation.state)
        let readCounts = Dictionary(grouping: observation.read, by: \.type).mapValues(\.count)
        let undecided = undecidedTypes(index > 0 ? index - 1 : index, index, observation.comparison)
        checkTypes(name, report, tallies, undecided: undecided, afterName: "visible", readCounts: readCounts)
        if undecided.isEmpty {
            checkTotals(name, report, tallies, extra: ["read": observation.read.count, "quarantined": 0], "visible")
        }
        for (type, line) in Self.typeLines(report) {
            let isRead = readCounts[type] != nil
            if isRead {
                expect(
                    line["status"] as? String, observation.isPartial ? "incomplete" : "completed",
                    "\(name): status of \(type)")
            }
            if !isRead && (tallies[type]?.before ?? 0) > 0 && !observation.isPartial {
                expect(line["status"] as? String, "absent", "\(name): status of \(type)")
            }
        }
    }

    /// The visible state: contents, how many copies of how many versions, ordinals, texts of attributes and children.
    private mutating func checkState(_ index: Int, _ records: [[String: Any]]) {
        let name = "records at \(index + 1)"
        let undecided = observations[index].undecidedTypes
        let expected = Dictionary(grouping: observations[index].state) { Content($0) }
        let listed = Dictionary(grouping: records) { Content(record: $0) }
        for content in Set(expected.keys).union(listed.keys).sorted() where !undecided.contains(content.type) {
            let samples = expected[content] ?? []
            let lines = listed[content] ?? []
            expect(lines.count, samples.count, "\(name): copies of \(content)")
            let copies = Comparison.counts(samples).values.sorted()
            let byHash = Dictionary(grouping: lines) { SampleHashes(record: $0) }
            expect(byHash.values.map(\.count).sorted(), copies, "\(name): copies per version of \(content)")
            for (hashes, equal) in byHash {
                let ordinals = equal.compactMap { $0["ordinal"] as? Int }.sorted()
                expect(ordinals, Array(equal.indices), "\(name): ordinals of \(hashes?.short ?? "-") \(content)")
            }
            let text = lines.map { Self.json($0) }.joined()
            for mentioned in Set(samples.flatMap(\.mentioned)).sorted() where !text.contains(mentioned) {
                note("\(name): \(mentioned.debugDescription) is nowhere in the listing of \(content)")
            }
        }
    }

    /// The archive is sound, and the same file again makes no second observation.
    private mutating func checkAgain() throws {
        let check = try archive.check()
        expect(check["healthy"] as? Bool, true, "check: healthy, in \(Self.json(check))")
        if let status = check["exitCode"] as? Int { expect(status, 0, "check: exit status") }
        guard let last = identifiers.last else { return }
        let report = try archive.importExport(at: Self.path(identifiers.count - 1, in: folder))
        expect(report["alreadyImported"] as? Bool, true, "the last file again: alreadyImported")
        let observation = report["observation"] as? [String: Any]
        expect(observation?["id"] as? Int, last, "the last file again: observation")
    }

    /// Types that can be compared between two observations by their counts at most.
    func undecidedTypes(_ from: Int, _ to: Int, _ comparison: Comparison) -> Set<String> {
        observations[from].undecidedTypes.union(observations[to].undecidedTypes).union(comparison.undecidedTypes)
    }

    /// The archive's id of an observation.
    func identifier(_ index: Int) -> Int { identifiers[index] }
}
