internal import ArchiveTestSupport
internal import Foundation
internal import GRDB
internal import HealthModel
internal import Importing
@testable internal import Questions
internal import Store
internal import Testing

/// Types that an import's selection leaves out are said to be excluded, and what appears after them to be uncertain.
@Suite struct ExcludedTypeTests {
    private static let steps = "HKQuantityTypeIdentifierStepCount"

    /// The options of `--type` with these types, or of `--exclude-type`.
    private static func choose(_ options: inout ImportOptions, only: [String] = [], without: [String] = []) {
        options.allowUnrelated = true
        options.types = TypeSelection(only: only, without: without)
    }

    /// `type status read visible` of each row of an observation.
    private static func rows(_ archive: TestArchive, _ observation: Int64) throws -> [String] {
        try archive.texts(
            """
            SELECT t.display_name || ' ' || r.status || ' ' || r.read_count || ' ' || r.visible_count
            FROM type_runs r JOIN sample_types t ON t.id = r.sample_type_id WHERE r.import_id = \(observation) ORDER BY 1
            """)
    }

    /// What a diff says to be uncertain of the heart rates.
    private static func uncertainty(
        _ archive: TestArchive, _ from: Int64, _ to: Int64, through: Bool = false
    ) throws -> [Uncertainty] {
        try archive.read { db in
            let chain = try #require(try Chain.read(db, name: "default"))
            let sides = try [from, to].map { id in try #require(chain.finished.first { $0.id == id }) }
            let diff = try Diff.run(
                db, chain: chain, from: sides[0], to: sides[1], through: through, types: nil, source: nil, forEach: nil)
            return try #require(diff.types.first { $0.type == TestRecord.heart }).uncertainty
        }
    }

    @Test(arguments: [false, true]) func inTheFirstObservation(namesTaken: Bool) throws {
        let archive = try TestArchive()
        try archive.add(TestExport(day: 1, TestRecord.steps(0..<3) + TestRecord.hearts(0..<2))) {
            if namesTaken { Self.choose(&$0, only: ["StepCount"]) } else { Self.choose(&$0, without: ["HeartRate"]) }
        }
        #expect(try Self.rows(archive, 1) == ["HeartRate excluded 0 0", "StepCount completed 3 3"])
        try archive.add(TestExport(day: 2, TestRecord.steps(0..<4) + TestRecord.hearts(0..<3)))
        #expect(try Self.uncertainty(archive, 1, 2) == [.appearancesAfterExcluded])
        try archive.add(TestExport(day: 3, TestRecord.steps(0..<4) + TestRecord.hearts(0..<4)))
        #expect(try Self.uncertainty(archive, 2, 3).isEmpty)
    }

    /// Nothing is known of a type that a selection left out, whether or not the export had it.
    @Test func withoutBeingInTheExport() throws {
        let archive = try TestArchive()
        try archive.add(TestExport(day: 1, TestRecord.steps(0..<3))) { Self.choose(&$0, only: ["StepCount"]) }
        #expect(try Self.rows(archive, 1) == ["StepCount completed 3 3"])
        try archive.add(TestExport(day: 2, TestRecord.steps(0..<4) + TestRecord.hearts(0..<3)))
        #expect(try Self.uncertainty(archive, 1, 2) == [.appearancesAfterExcluded])
        #expect(try Self.rows(archive, 1) == ["StepCount completed 3 3"], "what is sealed stays as it is")
    }

    /// Where the later observation left the type out, its state is that of one before: that one's gaps are why records went.
    @Test func behindAnIncompleteOne() throws {
        let archive = try TestArchive()
        let broken = TestRecord(type: TestRecord.heart, minute: 1, value: "61").xml
            .replacingOccurrences(of: "startDate", with: "noDate")
        try archive.add(TestExport(day: 1, TestRecord.steps(0..<3) + TestRecord.hearts(0..<3)))
        try archive.add(TestExport(day: 2, TestRecord.steps(0..<3) + TestRecord.hearts(0..<1) + [broken]))
        try archive.add(TestExport(day: 3, TestRecord.steps(0..<4))) { Self.choose(&$0, without: ["HeartRate"]) }
        for sides in [(1, 2, false), (1, 3, false), (1, 3, true)] as [(Int64, Int64, Bool)] {
            let found = try Self.uncertainty(archive, sides.0, sides.1, through: sides.2)
            #expect(found == [.disappearancesTowardsIncomplete], "\(sides)")
        }
        try archive.add(TestExport(day: 4, TestRecord.steps(0..<3) + TestRecord.hearts(0..<1)))
        #expect(try Self.uncertainty(archive, 1, 4).isEmpty)
    }

    /// A type that the chain knows is excluded also where nothing of it is visible any more.
    @Test func knownBefore() throws {
        let archive = try TestArchive()
        try archive.add(TestExport(day: 1, TestRecord.steps(0..<3) + TestRecord.hearts(0..<2)))
        try archive.add(TestExport(day: 2, TestRecord.steps(0..<3)))
        try archive.add(TestExport(day: 3, TestRecord.steps(0..<4))) { Self.choose(&$0, without: ["HeartRate"]) }
        #expect(try Self.rows(archive, 2) == ["HeartRate absent 0 0", "StepCount completed 3 3"])
        #expect(try Self.rows(archive, 3) == ["HeartRate excluded 0 0", "StepCount completed 4 4"])
    }

    /// Items of every kind are seen although they are not taken: nested and broken ones, routes, ECGs.
    @Test func ofEveryKind() throws {
        let archive = try TestArchive()
        var sugar = TestRecord(type: "HKQuantityTypeIdentifierDietarySugar", unit: "g")
        sugar.value = "3"
        let food = """
            <Correlation type="HKCorrelationTypeIdentifierFood" sourceName="Phone" \
            startDate="\(TestRecord.time(0))" endDate="\(TestRecord.time(1))">\(sugar.xml)</Correlation>
            """
        let broken = TestRecord(type: TestRecord.heart, value: "60").xml.replacingOccurrences(
            of: "startDate", with: "noDate")
        let export = TestExport(
            day: 1,
            TestRecord.steps(0..<2) + [
                food, broken, SideFileTests.workout(), "<Me HKCharacteristicTypeIdentifierBloodType=\"A\"/>",
            ],
            files: SideFileTests.electrocardiogram())
        try archive.add(export) { Self.choose(&$0, only: ["StepCount"]) }
        let excluded = try Self.rows(archive, 1).filter { $0.hasSuffix(" excluded 0 0") }.map {
            $0.split(separator: " ")[0]
        }
        #expect(try Self.rows(archive, 1).count == excluded.count + 1)
        for type in ["DietarySugar", "HeartRate", "Workout", "WorkoutRoute", "Electrocardiogram", "BloodType"] {
            #expect(excluded.contains { $0.hasPrefix(type) }, "\(type)")
        }
        #expect(try archive.add(export) { $0.allowUnrelated = true }.supplemented)
        #expect(try !Self.rows(archive, 1).contains { $0.contains("excluded") })
    }

    /// A supplement of one type leaves the others excluded.
    @Test func supplementedInPart() throws {
        let archive = try TestArchive()
        let export = TestExport(day: 1, TestRecord.steps(0..<2) + TestRecord.hearts(0..<2) + [SideFileTests.workout()])
        try archive.add(export) { Self.choose(&$0, only: ["StepCount"]) }
        #expect(try archive.add(export) { Self.choose(&$0, only: ["HeartRate"]) }.supplemented)
        let found = try Self.rows(archive, 1)
        #expect(found.contains("HeartRate completed 2 2") && found.contains("StepCount completed 2 2"))
        #expect(found.count == 4 && found.filter { $0.contains(" excluded 0 0") }.count == 2)
    }

    /// The only observation of a chain is written again beside another chain, whose runs of identities stay in order.
    @Test func supplementedBesideAnotherChain() throws {
        let archive = try TestArchive()
        let export = TestExport(day: 1, TestRecord.steps(0..<2) + TestRecord.hearts(0..<2))
        try archive.add(export) { Self.choose(&$0, only: ["StepCount"]) }
        try archive.add(TestExport(day: 2, TestRecord.steps(0..<3))) { $0.chain = "other" }
        // Each import is followed by a deep check.
        #expect(try archive.add(export) { Self.choose(&$0, only: ["HeartRate"]) }.supplemented)
    }

    /// Types that the archive does not know belong to the observation's selection from then on, as if they had been named at
    /// first: an older export may have them. Nothing else changes.
    @Test(arguments: [["Nope"], ["Nope", "StepCount"], ["Nope*"]])
    func unknownTypesJoinTheSelection(types: [String]) throws {
        let archive = try TestArchive()
        let export = TestExport(day: 1, TestRecord.steps(0..<2) + TestRecord.hearts(0..<2))
        try archive.add(export) { Self.choose(&$0, only: ["StepCount"]) }
        func content() throws -> [String] {
            try archive.read { try ContentDump.lines($0) }.filter { !$0.hasPrefix("observation") }
        }
        let before = try content()
        let outcome = try archive.add(export) { Self.choose(&$0, only: types) }
        #expect(outcome.alreadyImported && outcome.supplemented)
        #expect(try content() == before && !before.isEmpty)
        let selection = try archive.texts("SELECT type_selection FROM imports WHERE id = 1").joined()
        #expect(types.allSatisfy(selection.contains), "\(selection)")
        #expect(try archive.add(export) { Self.choose(&$0, only: types + ["HeartRate"]) }.supplemented)
        #expect(try Self.rows(archive, 1).contains("HeartRate completed 2 2"))
    }

    /// An ECG that lies beside the same export later is taken, whichever types that import names.
    @Test func supplementTakesWhatWasChosenBefore() throws {
        let archive = try TestArchive()
        var export = TestExport(day: 1, TestRecord.steps(0..<2))
        try archive.add(export)
        export.files = SideFileTests.electrocardiogram()
        #expect(try archive.add(export) { Self.choose(&$0, only: ["StepCount"]) }.supplemented)
        #expect(
            try Self.rows(archive, 1).contains { $0.hasPrefix("Electrocardiogram") && $0.hasSuffix("completed 1 1") })
    }

    /// What a selection leaves out is known from exports before it, in whatever order they come.
    @Test func anyOrder() throws {
        let all = TestRecord.steps(0..<3) + TestRecord.hearts(0..<3)
        let without = TestRecord.steps(0..<3)
        for isTruncated in [false, true] {
            try AnyOrderTests.expectAgreement([
                .init(export: TestExport(day: 1, all)), .init(export: TestExport(day: 2, without)),
                .init(export: TestExport(day: 3, without, isTruncated: isTruncated), without: TestRecord.heart),
            ])
            try AnyOrderTests.expectAgreement([
                .init(export: TestExport(day: 1, all, isTruncated: isTruncated), without: TestRecord.heart),
                .init(export: TestExport(day: 2, without)),
                .init(export: TestExport(day: 3, without), without: TestRecord.heart),
            ])
        }
    }
}
