internal import ArchiveTestSupport
internal import Care
internal import Foundation
internal import HealthModel
@testable internal import History
internal import Importing
internal import Testing

/// Observations anywhere in a chain are given what they lacked, and say then what an import of all at once had said.
@Suite struct SupplementTests {
    typealias Step = AnyOrderTests.Step

    /// What an observation is imported without at first.
    struct Lack {
        /// The export in the set.
        var index: Int
        var types: [String] = []
        var hasNoFiles = false
    }

    /// The types of the generator's exports that are left out at first.
    private static let types = [
        "HKQuantityTypeIdentifierStepCount", OrderGenerator.mass, OrderGenerator.sleep,
        "HKWorkoutRouteTypeIdentifier", "HKDataTypeIdentifierElectrocardiogram", "HKQuantityTypeIdentifierDietarySugar",
    ]

    private static func importing(
        _ step: Step, without types: [String], _ archive: TestArchive, _ writer: ArchiveWriter
    ) throws -> ImportOutcome {
        var options = ImportOptions()
        options.allowUnrelated = true
        let excluded = types.filter { $0 != step.without } + (step.without.map { [$0] } ?? [])
        if !excluded.isEmpty {
            options.types = TypeSelection(without: excluded)
        }
        return try ImportJob.run(
            try archive.container(step.export), options: options, writer: writer, isCancelled: { false },
            progress: { _ in })
    }

    /// Imports all with their lacks, in the given order, then each of those whole; compares with an archive that got all
    /// of them whole; nil where both say the same.
    static func disagreement(_ steps: [Step], _ order: [Int], lacks: [Lack]) throws -> String? {
        let (_, expected) = try AnyOrderTests.importing(steps, order, checksEach: false)
        let archive = try TestArchive()
        let writer = try archive.writer()
        for index in order {
            var step = steps[index]
            let lack = lacks.first { $0.index == index }
            if lack?.hasNoFiles == true { step.export.files = [:] }
            _ = try importing(step, without: lack?.types ?? [], archive, writer)
        }
        for lack in lacks {
            // One type after the other, the files last.
            for count in (0...lack.types.count).reversed() {
                var step = steps[lack.index]
                if lack.hasNoFiles, count > 0 { step.export.files = [:] }
                let outcome = try importing(step, without: Array(lack.types.prefix(count)), archive, writer)
                guard outcome.alreadyImported else { return "\(lack): imported as another observation" }
                let broken = try archive.check().invariants.filter { !$0.holds }
                if !broken.isEmpty {
                    return "\(lack): " + broken.map { "\($0.id): \($0.detail ?? "")" }.joined(separator: "; ")
                }
            }
        }
        writer.close()
        let differences = ContentDump.differences(expected, try archive.read { try ContentDump.lines($0) })
        return differences.isEmpty
            ? nil : "\(lacks) in order \(order):\n" + differences.prefix(12).joined(separator: "\n")
    }

    /// `HEALTHPROBE_SUPPLEMENTS` is the number of random sets (6), `HEALTHPROBE_SUPPLEMENTS_SEED` the first seed.
    @Test func randomSets() throws {
        for seed in OrderGenerator.seeds("HEALTHPROBE_SUPPLEMENTS", count: 2) {
            var generator = OrderGenerator(seed: seed)
            let steps = generator.steps()
            for index in steps.indices {
                let order = generator.order(steps.count)
                let lacking = generator.chance(30) ? [index, (index + 1) % steps.count] : [index]
                let lacks = lacking.map {
                    Lack(index: $0, types: generator.some(of: Self.types), hasNoFiles: generator.chance(50))
                }
                if let found = try Self.disagreement(steps, order, lacks: lacks) {
                    Issue.record("seed \(seed): \(found)\n\(OrderGenerator.described(steps))")
                    return
                }
            }
        }
    }

    private static func withoutHearts(_ options: inout ImportOptions) {
        options.allowUnrelated = true
        options.types = TypeSelection(without: [TestRecord.heart])
    }

    /// Three exports; heart rates come in the first, change in the second and go in part in the third.
    private static let exports = [
        TestExport(day: 1, TestRecord.steps(0..<3) + TestRecord.hearts(0..<5)),
        TestExport(
            day: 2, TestRecord.steps(0..<4) + TestRecord.hearts(0..<2) + TestRecord.hearts(2..<7, source: "Uhr")),
        TestExport(day: 3, TestRecord.steps(0..<5) + TestRecord.hearts(3..<7, source: "Uhr")),
    ]

    /// The exports as observations 1 to 3, one of them without heart rates at first and then with them.
    private static func supplemented(_ late: Int) throws -> TestArchive {
        let archive = try TestArchive()
        for (index, export) in exports.enumerated() {
            try archive.add(export) { if index + 1 == late { withoutHearts(&$0) } else { $0.allowUnrelated = true } }
        }
        let outcome = try archive.add(exports[late - 1])
        #expect(outcome.supplemented && outcome.observationID == Int64(late))
        #expect(outcome.rederived == (late < 3 ? [Int64(late) + 1] : []))
        return archive
    }

    @Test(arguments: 1...3) func anyObservationGetsItsTypes(late: Int) throws {
        let archive = try Self.supplemented(late)
        #expect(try archive.changes(1) == [8, 0, 0])
        #expect(try archive.changes(2) == [3, 0, 3])
        #expect(try archive.changes(3) == [1, 3, 0])
        #expect(try archive.texts("SELECT DISTINCT status FROM type_runs") == ["completed"])
        let logged = try archive.texts("SELECT outcome FROM run_log WHERE event = 'import' ORDER BY id DESC LIMIT 1")
        #expect(logged == ["supplemented"])
        // The new seal says anew what it changed, and leaves the old ones as they were.
        let superseded = try archive.texts(
            """
            SELECT json_extract(e.value, '$.facts.id') || ' ' || json_extract(e.value, '$.supersedes')
            FROM seals s, json_each(s.statement, '$.observations') e WHERE s.sequence = 4 ORDER BY 1
            """)
        #expect(superseded == (late < 3 ? ["\(late) \(late)", "\(late + 1) \(late + 1)"] : ["3 3"]))
        #expect(try archive.add(Self.exports[late - 1]).supplemented == false)
        try archive.add(TestExport(day: 4, TestRecord.steps(0..<5) + TestRecord.hearts(3..<7, source: "Uhr")))
        #expect(try archive.changes(4) == [0, 0, 0])
    }

    /// A supplement may name a type that only an older export has, which comes before it, between or behind.
    @Test(arguments: [
        (["StepCount"], [TestRecord.heart]), (["StepCount"], ["HeartRate"]), (["StepCount"], ["Heart*"]),
        (["StepCount", "BodyMass"], ["Heart*", "Body*"]),
    ])
    func typesThatOnlyAnOlderExportHas(_ first: [String], _ then: [String]) throws {
        let older = TestExport(day: 1, TestRecord.steps(0..<3) + TestRecord.hearts(0..<2))
        let newer = TestExport(day: 2, TestRecord.steps(0..<4))
        var contents: [[String]] = []
        for place in 0...2 {
            let archive = try TestArchive()
            var imports = [(newer, TypeSelection(only: first)), (newer, TypeSelection(only: then))]
            imports.insert((older, .all), at: place)
            for (export, types) in imports {
                try archive.add(export) {
                    $0.allowUnrelated = true
                    $0.types = types
                }
            }
            contents.append(try archive.read { try ContentDump.lines($0) })
            #expect(
                try archive.row("SELECT count(*) FROM visible_records WHERE observation_id = \(place == 0 ? 2 : 1)")
                    == [4])
        }
        for content in contents { #expect(ContentDump.differences(contents[0], content) == []) }
    }

    @Test func rowsOfSeveralChainsAndSupplementsLieMixed() throws {
        let archive = try TestArchive()
        for chain in ["default", "other"] {
            for export in Self.exports {
                try archive.add(export) {
                    Self.withoutHearts(&$0)
                    $0.chain = chain
                }
            }
        }
        for index in [1, 0, 2] {
            for chain in ["other", "default"] {
                #expect(
                    try archive.add(Self.exports[index]) {
                        $0.chain = chain
                    }.supplemented)
            }
        }
        let rows = try archive.row("SELECT count(*) FROM record_versions")
        for chain in ["default", "other"] {
            try archive.add(TestExport(day: 4, Self.exports[2].items)) { $0.chain = chain }
            try archive.add(TestExport(day: 1, Self.exports[0].items + ["<!-- again -->"])) { $0.chain = chain }
        }
        #expect(try archive.row("SELECT count(*) FROM record_versions") == rows)
        #expect(try archive.changes(2) == [3, 0, 3])
        #expect(try archive.changes(6) == [1, 3, 0])
    }

    @Test func aRepairFindsTheRowsAgain() throws {
        let archive = try Self.supplemented(2)
        try archive.tamper("DELETE FROM row_spans; DELETE FROM identity_runs")
        let new = archive.folder + "/repaired.sqlite"
        let report = try ArchiveRepair.run(archive: archive.path, to: new) { _ in }
        #expect(report.lost.isEmpty && report.rederived.isEmpty, "\(report)")
        let repaired = try TestArchive(copyOf: new)
        try repaired.expectHealthy()
        try repaired.add(TestExport(day: 4, Self.exports[2].items))
        #expect(try repaired.changes(4) == [0, 0, 0])
    }

    @Test func laterObservationsFollowWhatTheyTookOver() throws {
        let archive = try TestArchive()
        let items = TestRecord.steps(0..<2) + [SideFileTests.workout()]
        try archive.add(TestExport(day: 1, items))
        try archive.add(TestExport(day: 2, items + TestRecord.steps(2..<3)))
        try archive.add(TestExport(day: 3, items, files: SideFileTests.track(point: "2")))
        #expect(try archive.changes(3) == [0, 1, 0])
        let files = SideFileTests.track().merging(SideFileTests.electrocardiogram()) { a, _ in a }
        let outcome = try archive.add(TestExport(day: 1, items, files: files))
        #expect(outcome.supplemented && outcome.rederived == [2, 3])
        // The second has the ECG of the first now, the third has no folder of ECGs.
        #expect(try archive.row("SELECT sum(visible_count) FROM type_runs WHERE import_id = 2") == [6])
        #expect(try archive.changes(1) == [5, 0, 0])
        #expect(try archive.changes(2) == [1, 0, 0])
        #expect(try archive.changes(3) == [0, 1, 0])
    }

    @Test func singleFilesAreAddedToo() throws {
        let archive = try TestArchive()
        let second = SideFileTests.workout(40).replacingOccurrences(of: "route_1", with: "route_2")
        var export = TestExport(day: 1, [SideFileTests.workout(), second], files: SideFileTests.track())
        try archive.add(export)
        try archive.add(TestExport(day: 2, export.items))
        export.files["workout-routes/route_2.gpx"] = "<gpx><trk><trkseg><trkpt lat=\"5\"/></trkseg></trk></gpx>"
        #expect(try archive.add(export).supplemented)
        #expect(try archive.row("SELECT count(*) FROM import_side_files WHERE import_id = 1") == [2])
        #expect(try archive.row("SELECT count(side_file_id) FROM shown_routes WHERE import_id = 1") == [2])
        #expect(try archive.changes(2) == [0, 0, 0])
        #expect(try archive.add(export).supplemented == false)
    }

    @Test func aCancelledSupplementOfAnOldObservationChangesNothing() throws {
        let archive = try TestArchive()
        try archive.add(Self.exports[0], Self.withoutHearts)
        try archive.add(Self.exports[1])
        let before = try archive.read { try ContentDump.lines($0) }
        #expect(throws: HealthProbeError.self) { try archive.add(Self.exports[0], isCancelled: true) }
        #expect(try archive.read { try ContentDump.lines($0) } == before)
        #expect(try archive.add(Self.exports[0]).supplemented)
    }

    @Test func theEndThatADamagedContainerHidIsRegained() throws {
        let archive = try TestArchive()
        try archive.add(Self.exports[0], Self.withoutHearts)
        // As if the container had been damaged behind the last byte of the XML.
        try archive.tamper("UPDATE imports SET status = 'partial'")
        let writer = try archive.writer()
        defer { writer.close() }
        _ = try Self.importing(Step(export: Self.exports[0]), without: [], archive, writer)
        #expect(try archive.row("SELECT count(*) FROM imports WHERE status = 'completed'") == [1])
    }

    /// What is stored, a further selection, and what is stored then.
    private static let selections: [[TypeSelection]] = [
        [.all, .init(only: ["A"]), .all], [.init(only: ["A"]), .all, .all],
        [.init(without: ["A", "B"]), .init(without: ["B"]), .init(without: ["B"])],
        [.init(without: ["B"]), .init(without: ["A", "B"]), .init(without: ["B"])],
        [.init(only: ["A"], without: ["B"]), .init(only: ["A"]), .init(only: ["A"])],
        [.init(without: ["A"]), .init(only: ["B"], without: ["A"]), .init(without: ["A"])],
    ]

    @Test(arguments: selections) func aSelectionThatAnotherIncludesIsDropped(selections: [TypeSelection]) {
        #expect(selections[0].union(selections[1]) == selections[2])
    }

    @Test func selectionsThatDoNotIncludeOneAnotherAreJoined() throws {
        let both = TypeSelection(only: ["A, C"]).union(TypeSelection(without: ["C"]))
        #expect(both.json == #"[{"only":["A, C"],"without":[]},{"only":[],"without":["C"]}]"#)
        #expect(both.text == "only A, C | without C")
        #expect(TypeSelection(json: both.json) == both)
        let wider = both.union(TypeSelection(only: ["B", "A, C"]))
        #expect(wider.text == "without C | only B, A, C")
    }

    @Test(arguments: ["", "null", "[{}]", "[1]", #"[{"only":["A"]}]"#, #"[{"only":["A"], "without":[]}]"#])
    func anotherTextIsNoSelection(text: String) {
        #expect(TypeSelection(json: text) == nil)
    }
}
