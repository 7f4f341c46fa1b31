internal import ArchiveTestSupport
internal import GRDB
internal import HealthModel
@testable internal import History
internal import Store
internal import Testing
internal import TestSupport

/// How many items that have a visible row the merge join leaves to sorting.
@Suite(.serialized) struct MergeJoinTests {
    private static let rows = 12_000
    /// Rows of one sample type in an archive of one import.
    private static let archive = Result {
        let archive = try TestArchive(checksImports: false)
        try archive.add(TestExport(day: 1, TestRecord.steps(0..<rows)))
        return archive
    }

    /// What came of items: those that have a row that was not found, and rows that were reported as unmatched.
    private struct Outcome {
        var missed = 0
        var unmatched = 0
        var shown = 0
    }

    /// Joins items with the visible rows; an item is the place of a visible row by start, or nil for a new one.
    private func join(_ archive: TestArchive, _ items: (_ rows: Int) -> [Int?]) throws -> Outcome {
        let writer = try archive.writer()
        defer { writer.close() }
        return try writer.read { db in
            let chain = try #require(try Chain.read(db, name: "default"))
            try db.createTemporary(TemporaryTable.importing)
            defer { try? ImportSession.restoreConnection(db) }
            let transition = try StateTransition(db, .importing)
            let visible = "c.closed_observation_id = \(ArchiveFormat.open)"
            let merge = StateMergeJoin(
                db, spans: try RowSpans.read(db, chain: chain.id), visible: visible,
                unmatched: try transition.earlierInsert())
            var rows: [VersionRow] = []
            let shown = try Bitmap(db, "SELECT id FROM record_versions c WHERE \(visible)")
            try VersionRow.forEach(db, shown) { rows.append($0) }
            var outcome = Outcome()
            for (number, item) in items(rows.count).enumerated() {
                if let item {
                    outcome.shown += 1
                    let row = rows[item]
                    let found = try merge.match(row.type, row.identity, row.version, number: Int64(number + 1))
                    if found == nil { outcome.missed += 1 } else { #expect(found == row.id) }
                } else {
                    let digest = Digest256(hashing: "new \(number)")
                    #expect(try merge.match(rows[0].type, digest, digest, number: Int64(number + 1)) == nil)
                }
            }
            try merge.finish()
            outcome.unmatched = try #require(try Int.fetchOne(db, sql: "SELECT count(*) FROM \(transition.before)"))
            return outcome
        }
    }

    /// A gap that is longer than a window is caught up with.
    @Test(arguments: [1, 511, 512, 513, 1_025, 5_000]) func findsItsWayBehindOneRun(length: Int) throws {
        let archive = try Self.archive.get()
        let limit = VisibleRows.patience + VisibleRows.landmarkDistance
        let gone = try join(archive) { Array(0..<1_000) + Array(1_000 + length..<$0) }
        #expect(gone.missed <= (length < 512 ? 0 : limit))
        #expect(gone.unmatched == length + gone.missed)
        let new = try join(archive) { Array(0..<1_000) + [Int?](repeating: nil, count: length) + Array(1_000..<$0) }
        #expect(new.missed == 0 && new.unmatched == 0)
        let both = try join(archive) {
            Array(0..<1_000) + [Int?](repeating: nil, count: length) + Array(1_000 + length..<$0)
        }
        #expect(both.missed <= (length < 512 ? 0 : limit))
    }

    /// Runs of any length on either side leave at most `landmarkDistance` items each, and `patience` once.
    @Test(arguments: 0..<40) func leavesFewItemsBehindEachRun(seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(seed))
        var runs = 0
        let outcome = try join(try Self.archive.get()) { count in
            var items: [Int?] = []
            var row = 0
            while row < count {
                let kept = Int.random(in: 40...1_500, using: &random)
                items += Array(row..<min(row + kept, count))
                row += kept
                let length = [1, 17, 400, 512, 513, 700, 2_600].randomElement(using: &random) ?? 1
                if Bool.random(using: &random) {
                    row += length
                } else {
                    items += [Int?](repeating: nil, count: length)
                }
                runs += 1
            }
            return items
        }
        #expect(outcome.missed <= VisibleRows.patience + runs * VisibleRows.landmarkDistance)
        #expect(outcome.unmatched == Self.rows - outcome.shown + outcome.missed)
    }

    /// A block of rows that comes earlier than before costs nothing but its own landmark.
    @Test func findsBlocksThatMoved() throws {
        let outcome = try join(try Self.archive.get()) { Array(8_000..<$0) + Array(0..<8_000) }
        #expect(outcome.missed <= VisibleRows.patience + VisibleRows.landmarkDistance)
    }

    /// A file in another order is sorted: each row is in one place alone.
    @Test func losesNoRowOfAFileInAnotherOrder() throws {
        var random = SeededGenerator(seed: 1)
        let outcome = try join(try Self.archive.get()) { Array(0..<$0).shuffled(using: &random) }
        #expect(outcome.unmatched == outcome.missed)
    }

    /// Rows of one type that many imports added, each some of them, are found as those of one are.
    @Test func findsRowsOfManyImports() throws {
        let archive = try TestArchive(checksImports: false)
        let imports = 31
        for day in 1...imports {
            try archive.add(
                TestExport(
                    day: day,
                    TestRecord.steps(0..<4_000) { record in
                        if record.minute % imports < day { record.device = nil }
                    }))
        }
        #expect(try archive.row("SELECT count(DISTINCT opened_observation_id) FROM record_versions") == [30])
        let outcome = try join(archive) { Array(0..<$0) }
        #expect(outcome.missed == 0 && outcome.unmatched == 0)
    }
}
