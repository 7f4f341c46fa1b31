internal import Questions
internal import Reporting
internal import Testing

/// Imports, comparisons and home say the same of what became of records, and never that a merged one is unexplained.
@Suite struct ChangeStoryTests {
    private func sentences(
        merged: Int64 = 0, groups: Int64 = 0, complete: Int64 = 0, unexplained: Int64 = 0, disappeared: Int64 = 0,
        changed: Int64 = 0, appeared: Int64 = 0
    ) -> [String] {
        var found = ConsolidationStory()
        (found.merged, found.replacements, found.unexplained) = (merged, groups, unexplained)
        (found.groups, found.completeGroups) = (groups, complete)
        return ChangeStory(found, appeared: appeared, disappeared: disappeared, representationChanged: changed)
            .parts(since: "2024-05-01").map(\.sentence)
    }

    @Test func whatThereIsToSayIsSaidInOrder() {
        #expect(
            sentences(
                merged: 1234, groups: 5, complete: 4, unexplained: 1, disappeared: 1240, changed: 1, appeared: 2) == [
                    "1,234 records were merged into 5. The originals of 4 of 5 groups are all here.",
                    "1 is no longer visible. No replacement was found. Cause not inferred.",
                    "5 are no longer visible, not analysed yet. An analysis tells which of them were merged.",
                    "1 only looks different. The same records under another name, in another unit or with another date.",
                    "2 were added since the export of 2024-05-01.",
                ])
        #expect(
            sentences(merged: 1, groups: 1, complete: 1, disappeared: 1) == [
                "1 record was merged into 1. All originals are here."
            ])
        #expect(sentences().isEmpty)
    }
}
