internal import ArchiveTestSupport
internal import Days
internal import GRDB
@testable internal import History
@testable internal import Questions
internal import Store
internal import Testing

/// What a diff looks at, and which stored links it follows (docs/cli.md, `diff`).
@Suite struct FollowedLinksTests {
    private func tables<R>(
        _ archive: TestArchive, _ from: Int, _ to: Int, _ body: (Database, DiffTables) throws -> R
    ) throws -> R {
        try archive.read { db in
            let chain = try #require(try Chain.read(db, name: "default"))
            let tables = try DiffTables(
                db, chain: chain, from: chain.finished[from - 1], to: chain.finished[to - 1], through: false,
                types: nil,
                source: nil)
            defer { tables.drop() }
            return try body(db, tables)
        }
    }

    /// Rows that came back long ago are no candidates; those that come back in between are.
    @Test func whatCameBackBeforeIsNoCandidate() throws {
        let archive = try TestArchive()
        func records(_ range: Range<Int>, _ source: String) -> [String] {
            range.map { TestRecord(minute: $0, source: source).xml }
        }
        for (day, (count, source)) in [(40, "Watch"), (40, "Uhr"), (40, "Watch"), (41, "Watch"), (41, "Uhr")]
            .enumerated()
        {
            try archive.add(TestExport(day: day + 1, records(0..<count, source)))
        }
        func candidates(_ from: Int, _ to: Int) throws -> Int? {
            try tables(archive, from, to) { db, _ in try Int.fetchOne(db, sql: "SELECT count(*) FROM temp.touched") }
        }
        #expect(try candidates(3, 4) == 1)
        #expect(try candidates(2, 3) == 80)
        #expect(try candidates(4, 5) == 82)
        // Renamed and back: neither the samples nor their rows differ.
        let changes = try tables(archive, 1, 3) { _, tables in try tables.summary().types.map(\.changes) }
        #expect(changes == [0])
    }

    private static func weights(_ value: String, _ unit: String, _ source: String = "Watch") -> [String] {
        (0..<3).map {
            TestRecord(type: "HKQuantityTypeIdentifierBodyMass", minute: $0, value: value, unit: unit, source: source)
                .xml
        }
    }

    private func switched() throws -> TestArchive {
        let archive = try TestArchive()
        try archive.add(TestExport(day: 1, Self.weights("70", "kg")))
        try archive.add(TestExport(day: 2, Self.weights("154.324", "lb")))
        try archive.add(TestExport(day: 3, Self.weights("154.324", "lb", "Uhr")))
        return archive
    }

    /// The evidence is the one rule of the steps, the strict key aside.
    @Test func evidenceOfSeveralSteps() throws {
        try tables(switched(), 1, 3) { _, tables in
            var found: [DiffChange] = []
            try tables.stream { found.append($0) }
            #expect(found.count == 3)
            for change in found {
                guard case .representationChanged(let rule, let steps, _, _) = change else {
                    Issue.record("\(change)")
                    continue
                }
                #expect(rule == .unitConversion)
                #expect(
                    steps == [
                        LinkStep(from: 1, to: 2, rule: .unitConversion), LinkStep(from: 2, to: 3, rule: .strictKey),
                    ])
            }
            let type = try #require(try tables.summary().types.first)
            #expect(type.representationChanged == 3 && type.uncertainty.isEmpty)
        }
    }

    /// Where too many records are joined, the type says so instead of lacking pairs silently.
    @Test func whatIsNotFollowedIsSaid() throws {
        try tables(switched(), 1, 3) { db, tables in
            try db.execute(sql: "DELETE FROM temp.diff_pairs; DELETE FROM temp.diff_paths")
            tables.typesWithoutLinks = try FollowedLinks(db, tables.span, mostPaths: 2).link()
            let type = try #require(try tables.summary().types.first)
            #expect(type.appeared == 3 && type.disappeared == 3 && type.representationChanged == 0)
            #expect(type.uncertainty == [.linksNotFollowed] && type.labels.contains(.uncertain))
        }
    }
}
