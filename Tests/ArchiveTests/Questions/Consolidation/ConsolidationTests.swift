internal import ArchiveTestSupport
internal import Foundation
internal import GRDB
internal import HealthModel
@testable internal import Questions
internal import Store
internal import Testing

@Suite struct ConsolidationTests {
    private static let raws = (0..<10).map { CondensedRecords.record("ActiveEnergyBurned", $0 * 60, $0 * 60 + 60, 1.5) }
    private static let other = CondensedRecords.record("ActiveEnergyBurned", 90_000, 90_060, 1)
    private static let halves = [
        CondensedRecords.record("ActiveEnergyBurned", 0, 300, 7.5, mark: CondensedRecords.mark(0.2, 300.1, 5)),
        CondensedRecords.record("ActiveEnergyBurned", 300, 600, 7.5, mark: CondensedRecords.mark(300.1, 600.4, 5)),
    ]
    private static let whole = CondensedRecords.record(
        "ActiveEnergyBurned", 0, 600, 15, mark: CondensedRecords.mark(0.2, 600.4, 10, version: 4))

    @Test func boundariesBelongToTheIntervalThatBeginsThere() throws {
        let archive = try TestArchive([Self.raws + [Self.other], Self.halves + [Self.other]])
        try archive.ask(1, 2) { answer, _, _ in
            let groups = try answer.summaries()
            #expect(groups == ["5 of 5, 5 disappeared, complete", "5 of 5, 5 disappeared, complete"])
            #expect(answer.verdicts.first?.explained == 10)
        }
    }

    /// A second behind one interval and a second before a shorter one.
    @Test func betweenTwoIntervalsTheEarlierOneIsTheNearest() throws {
        func energy(_ start: Int, _ end: Int) -> String {
            CondensedRecords.record("ActiveEnergyBurned", start, end, 1.5)
        }
        var gone = [energy(301, 301)]
        for start in 0..<5 { gone.append(energy(start * 60, start * 60 + 60)) }
        for start in 0..<3 { gone.append(energy(start * 60 + 302, start * 60 + 362)) }
        let replacements = [
            CondensedRecords.record("ActiveEnergyBurned", 0, 300, 9, mark: CondensedRecords.mark(0.2, 300.9, 6)),
            CondensedRecords.record("ActiveEnergyBurned", 302, 482, 4.5, mark: CondensedRecords.mark(302, 482.4, 3)),
        ]
        let archive = try TestArchive([gone + [Self.other], replacements + [Self.other]])
        let groups = try archive.groups(1, 2)
        #expect(groups == ["6 of 6, 6 disappeared, complete", "3 of 3, 3 disappeared, complete"])
    }

    @Test func whatAPhoneHasTwiceIsCondensedTwice() throws {
        let archive = try TestArchive([
            Self.raws + Self.raws + [Self.other], [Self.whole, Self.whole, Self.other],
        ])
        try archive.ask(1, 2) { answer, _, _ in
            let groups = try answer.summaries()
            #expect(groups == ["20 of 20, 20 disappeared, complete"])
            #expect(answer.verdicts.first?.explained == 20 && answer.verdicts.first?.unexplained == 0)
            #expect(answer.verdicts.first?.evidence.sumBefore == 30 && answer.verdicts.first?.evidence.sumAfter == 30)
            #expect(answer.verdicts.first?.replacements == 2)
            #expect(answer.verdicts.first?.evidence.bySourceRevision.map(\.sumAfter) == [30])
        }
    }

    @Test func aSeriesPrintedTwiceAddsToItsSourceOnce() throws {
        let archive = try TestArchive([Self.raws + [Self.other], [Self.whole, Self.whole, Self.other]])
        try archive.ask(1, 2) { answer, _, _ in
            let evidence = try #require(answer.verdicts.first?.evidence)
            #expect(evidence.sumAfter == 15 && evidence.bySourceRevision.map(\.sumAfter) == [15])
            #expect(evidence.countAfter == 2 && evidence.bySourceRevision.map(\.countAfter) == [2])
        }
    }

    /// The later records are in the archive first.
    @Test func constituentsAreInTheOrderOfTime() throws {
        let archive = try TestArchive([
            Self.raws.suffix(5) + [Self.other], Self.raws + [Self.other], [Self.whole, Self.other],
        ])
        try archive.ask(2, 3) { answer, db, _ in
            let rows = try RecordReader(db)
            var starts: [Int64] = []
            try answer.forEachGroup { group in
                try answer.forEachConstituent(of: group) { starts.append(try rows.fetch($0.rowID).start ?? 0) }
            }
            #expect(starts.count == 10 && starts == starts.sorted())
        }
    }

    /// Whichever the archive had first: of units that are as frequent the last by name is printed.
    @Test(arguments: [["kcal", "kJ"], ["kJ", "kcal"]])
    func unitsThatAreAsFrequent(units: [String]) throws {
        let records = units.map { CondensedRecords.record("ActiveEnergyBurned", 0, 60, 1, unit: $0) }
        let archive = try TestArchive([records, records])
        try archive.ask(1, 2) { answer, _, _ in
            let printed = try answer.printedUnits()
            #expect(printed.unit(of: "HKQuantityTypeIdentifierActiveEnergyBurned", canonical: "kcal").name == "kcal")
        }
    }

    @Test func condensedAgain() throws {
        let archive = try TestArchive([
            Self.raws + [Self.other], Self.halves + [Self.other], [Self.whole, Self.other],
        ])
        #expect(try archive.groups(2, 3) == ["10 of 10, 2 disappeared, complete"])
        #expect(try archive.groups(1, 3) == ["10 of 10, 10 disappeared, complete"])
        try archive.ask(1, 3, through: true) { answer, _, _ in
            let groups = try answer.summaries()
            #expect(
                groups == [
                    "5 of 5, 5 disappeared, complete", "10 of 10, 2 disappeared, complete",
                    "5 of 5, 5 disappeared, complete",
                ])
            #expect(answer.diff?.types.first?.disappeared == 12)
            #expect(answer.verdicts.first?.explained == 12 && answer.verdicts.first?.unexplained == 0)
        }
    }

    @Test func whatWasGoneBeforeIsNotReplaced() throws {
        let archive = try TestArchive([
            Self.raws + [CondensedRecords.record("ActiveEnergyBurned", 30, 60, 3), Self.other],
            Self.raws + [Self.other],
            [Self.whole, Self.other],
        ])
        try archive.ask(1, 3, through: true) { answer, _, _ in
            let groups = try answer.summaries()
            #expect(groups == ["10 of 10, 10 disappeared, complete"])
            #expect(answer.verdicts.first?.unexplained == 1)
        }
    }

    @Test func constituentsThatGoLaterBelongToTheVisibleReplacement() throws {
        let archive = try TestArchive([
            Self.raws + [Self.other], Self.raws.suffix(4) + [Self.whole, Self.other], [Self.whole, Self.other],
        ])
        try archive.ask(1, 2) { answer, _, _ in
            let groups = try answer.summaries()
            #expect(groups == ["6 of 10, 6 disappeared, partial"])
            #expect(answer.verdicts.first?.uncertainty == [Uncertainty.constituentsMissing])
        }
        try archive.ask(2, 3) { answer, db, _ in
            let groups = try answer.summaries()
            #expect(groups == ["10 of 10, 4 disappeared, complete"])
            try answer.forEachGroup { group in
                var last: [Int64] = []
                try answer.forEachConstituent(of: group) { last.append($0.lastVisibleAt) }
                #expect(last.sorted() == [1, 1, 1, 1, 1, 1, 2, 2, 2, 2])
                let memberships = try answer.memberships(of: group.replacements[0])
                #expect(memberships.map(\.group) == [group.number] && memberships.map(\.role) == [.replacement])
            }
        }
    }

    @Test func answersAreStoredAndRead() throws {
        let archive = try TestArchive([Self.raws + [Self.other], Self.halves + [Self.other]])
        let fresh = try archive.ask(1, 2) { answer, _, _ in
            #expect(!answer.wasStored)
            return try answer.summaries()
        }
        try store(archive)
        try archive.ask(1, 2) { answer, _, _ in
            #expect(answer.wasStored)
            let groups = try answer.summaries()
            #expect(groups == fresh)
            #expect(answer.verdicts.first?.explained == 10)
        }
        #expect(try archive.failures() == [])
        // Another rules version or other states: the stored run is not used.
        let queue = try DatabaseQueue(path: archive.path)
        try queue.write { try $0.execute(sql: "UPDATE analysis_runs SET rules_version = rules_version + 1") }
        try queue.close()
        try archive.ask(1, 2) { answer, _, _ in #expect(!answer.wasStored) }
        try archive.add([Self.whole, Self.other], month: 3)
        try archive.ask(2, 3) { answer, _, _ in #expect(!answer.wasStored) }
        // The version was changed behind the program's back.
        #expect(try archive.failures() == ["S06-loggedRows"])
    }

    /// Stores the answer about the first two observations.
    private func store(_ archive: TestArchive) throws {
        let reader = try ArchiveReader(path: archive.path)
        let recorder = try reader.read { db -> ArchiveRecorder? in
            let chain = try #require(try Chain.read(db, name: "default"))
            let question = ConsolidationQuestion(from: chain.finished[0], to: chain.finished[1])
            let answer = try Consolidation.answer(db, chain: chain, question)
            defer { answer.close() }
            return Consolidation.store(answer, db, chain: chain, archive: archive.path)
        }
        reader.close()
        try #require(recorder != nil)
        recorder?.close()
    }

    @Test(arguments: [
        "UPDATE analysis_groups SET evidence = '{}'", "UPDATE analysis_groups SET evidence = 'x'",
        "UPDATE analysis_groups SET basis = 'x'", "UPDATE analysis_groups SET completeness = 'x'",
        "UPDATE analysis_groups SET evidence = json_set(evidence, '$.foundCount', 9223372036854775807)",
        "UPDATE analysis_members SET role = 7",
    ])
    func aDamagedStoredGroupIsNoGroupOfZeros(_ edit: String) throws {
        let archive = try TestArchive([Self.raws + [Self.other], Self.halves + [Self.other]])
        try store(archive)
        let queue = try DatabaseQueue(path: archive.path)
        try queue.writeWithoutTransaction {
            try $0.execute(sql: "PRAGMA ignore_check_constraints = ON; PRAGMA foreign_keys = OFF; \(edit)")
        }
        try queue.close()
        let error = #expect(throws: HealthProbeError.self) {
            try archive.ask(1, 2) { answer, db, _ in
                try #require(answer.wasStored)
                try answer.forEachGroup { _ in }
                for copy in try Int64.fetchAll(db, sql: "SELECT id FROM record_versions") {
                    _ = try answer.memberships(of: copy)
                }
            }
        }
        #expect(error?.code == .archiveDamaged)
    }

    @Test func aSampleKnowsWhatBecameOfIt() throws {
        let archive = try TestArchive([
            Self.raws + [Self.other], Self.halves + [Self.other], [Self.whole, Self.other],
        ])
        let reader = try ArchiveReader(path: archive.path)
        defer { reader.close() }
        try reader.read { db in
            let chain = try #require(try Chain.read(db, name: "default"))
            let rows = try RecordReader(db)
            func parts(_ id: Int64) throws -> [SampleConsolidation.Part] {
                let record = try rows.fetch(id)
                return try SampleConsolidation.read(db, chain: chain, records: [record])
            }
            let raw = try #require(try Int64.fetchOne(db, sql: "SELECT min(id) FROM record_versions WHERE value = 1.5"))
            let into = try parts(raw)
            #expect(into.count == 1 && into[0].role == .constituent)
            let series = try #require(into.first?.replacements.first)
            let roles = try parts(series.rowID).map(\.role)
            #expect(Set(roles) == [.constituent, .replacement])
            let listed = try parts(series.rowID).first { $0.role == .replacement }?.constituents.count
            #expect(listed == 5)
        }
    }
}
