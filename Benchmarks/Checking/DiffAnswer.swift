/// The part of `diff --json` that is held against the import's answer.
struct DiffAnswer: Decodable {
    /// Counts of the whole diff.
    struct Totals: Decodable {
        var appeared: Int
        var disappeared: Int
        var representationChanged: Int

        var changes: Int { appeared + disappeared + representationChanged }
    }

    var totals: Totals

    /// - Throws: `BenchmarkError` where the diff of two neighbours is not what the import counted.
    func require(equal counts: ImportAnswer.Counts) throws {
        guard totals.appeared == counts.appeared, totals.disappeared == counts.disappeared,
            totals.representationChanged == counts.representationChanged
        else { throw BenchmarkError("diff says \(totals) where import said \(counts)") }
    }
}

/// The last line of a page when more follow.
struct NextPage: Decodable {
    var next: String
}
