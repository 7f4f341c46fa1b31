internal import ArchiveTestSupport
internal import GRDB
internal import HealthModel
internal import Questions
internal import Store
internal import Testing

/// What is said of an interval is what is said of the whole history.
@Suite struct FinestIntervalTests {
    private func withPhone(_ number: UInt64, _ body: (Database, Chain) throws -> Void) throws {
        let phone = try AnalysedPhone(
            number == 0 ? SeededScenarios.distantScenario(3) : SeededScenarios.scenario(number))
        try phone.archive.read { db in try body(db, #require(try Chain.read(db, name: "default"))) }
    }

    @Test(arguments: [0, 2, 3, 8] as [UInt64])
    func anIntervalHasTheOriginalsOfTheWholeHistory(number: UInt64) throws {
        try withPhone(number) { db, chain in
            let snapshot = try Snapshot(db, chain: "default")
            let last = try #require(chain.finished.last)
            let visible = RecordSet.visible(chain, at: last)
            let series = try Row.fetchAll(
                db,
                sql: """
                    SELECT c.id, c.start_seconds, c.end_seconds \(visible.sql)
                        AND c.metadata LIKE '%HKMetadataKeySyncIdentifier%' ORDER BY c.start_seconds
                    """)
            try #require(series.count > 20)
            var compared = 0
            for chunk in stride(from: 0, to: series.count, by: 40) {
                let rows = series[chunk..<min(chunk + 8, series.count)]
                let ids = Set(rows.map { $0["id"] as Int64 })
                let start = rows.map { $0["start_seconds"] as Int64 }.min() ?? 0
                let end = rows.map { $0["end_seconds"] as Int64 }.max() ?? 0
                func originals(_ interval: ClosedRange<Int64>?) throws -> Set<Int64> {
                    let answer = try #require(
                        try FinestState.history(snapshot, to: last, types: nil, around: interval))
                    defer { answer.close() }
                    return Set(try FinestState.replacement(of: ids, answer).added.map(\.row))
                }
                let (whole, around) = try (originals(nil), originals(start...end))
                #expect(whole == around, "series \(chunk)")
                compared += whole.count
            }
            #expect(compared > 0)
        }
    }
}
