internal import Questions

extension ConsolidationAnswer {
    /// `found of declared` and how many constituents disappeared, group by group.
    func summaries() throws -> [String] {
        var found: [String] = []
        try forEachGroup { group in
            var disappeared = 0
            try forEachConstituent(of: group) { if $0.disappearedRowID != nil { disappeared += 1 } }
            let declared = group.declaredCount.map { "\($0)" } ?? "-"
            found.append(
                "\(group.evidence.foundCount) of \(declared), \(disappeared) disappeared, \(group.completeness.rawValue)"
            )
        }
        return found
    }
}
