internal import ArchiveTestSupport
internal import GRDB
internal import HealthModel
internal import Questions
internal import Store
internal import Testing

/// The verdict of two observations that are no neighbours follows from those of the neighbours between.
@Suite struct DistantVerdictTests {
    private func withPhone(_ number: UInt64, _ body: (Database, Chain) throws -> Void) throws {
        let phone = try AnalysedPhone(
            number == 0 ? SeededScenarios.distantScenario(3) : SeededScenarios.scenario(number))
        try phone.archive.read { db in try body(db, #require(try Chain.read(db, name: "default"))) }
    }

    /// What one gap did to rows: which one continues another, which went, which came, and which of those that went a group
    /// explains.
    private struct Gap {
        var continued: [Int64: Int64] = [:]
        var gone: Set<Int64> = []
        var come: Set<Int64> = []
        var explained: Set<Int64> = []
    }

    private func gap(_ db: Database, _ chain: Chain, _ place: Int) throws -> Gap {
        var gap = Gap()
        let (from, to) = (chain.finished[place - 1], chain.finished[place])
        _ = try Diff.run(db, chain: chain, from: from, to: to, types: nil, source: nil) { change in
            switch change {
            case .appeared(let row): gap.come.insert(row)
            case .disappeared(let row): gap.gone.insert(row)
            case .representationChanged(_, _, let before, let after): gap.continued[before] = after
            }
        }
        let answer = try Consolidation.answer(db, chain: chain, ConsolidationQuestion(from: from, to: to))
        defer { answer.close() }
        try answer.forEachGroup { group in
            try answer.forEachConstituent(of: group) { constituent in
                if let row = constituent.disappearedRowID { gap.explained.insert(row) }
            }
        }
        return gap
    }

    @Test(arguments: [0, 1, 2, 7, 8] as [UInt64])
    func aRecordIsExplainedWhereTheGapInWhichItWentExplainsIt(number: UInt64) throws {
        try withPhone(number) { db, chain in
            let gaps = try chain.finished.indices.dropFirst().map { try gap(db, chain, $0) }
            let last = try #require(chain.finished.last)
            for from in chain.finished.indices.dropLast(2) {
                var gone: [Int64] = []
                _ = try Diff.run(db, chain: chain, from: chain.finished[from], to: last, types: nil, source: nil) {
                    if case .disappeared(let row) = $0 { gone.append(row) }
                }
                var wanted: Set<Int64> = []
                for row in gone {
                    var (current, isExplained) = (row, false)
                    for gap in gaps[from...] {
                        if gap.gone.contains(current) { isExplained = gap.explained.contains(current) }
                        if let next = gap.continued[current] { current = next }
                    }
                    if isExplained { wanted.insert(row) }
                }
                let answer = try Consolidation.answer(
                    db, chain: chain, ConsolidationQuestion(from: chain.finished[from], to: last))
                defer { answer.close() }
                var found: Set<Int64> = []
                try answer.forEachGroup { group in
                    try answer.forEachConstituent(of: group) { constituent in
                        guard let row = constituent.disappearedRowID else { return }
                        #expect(found.insert(row).inserted, "a record is in two groups")
                    }
                }
                #expect(!wanted.isEmpty && found == wanted, "from \(from): \(found.count) of \(wanted.count)")
                #expect(found.isSubset(of: gone))
                let explained = answer.verdicts.reduce(0) { $0 + $1.explained }
                let unexplained = answer.verdicts.reduce(0) { $0 + $1.unexplained }
                #expect(explained == Int64(found.count) && explained + unexplained == Int64(gone.count))
            }
        }
    }
}
