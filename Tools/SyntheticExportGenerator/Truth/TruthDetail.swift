/// How much of the truth is written record by record; the counts are always complete.
package enum TruthDetail: String, CaseIterable, Sendable {
    /// Every record that changed, except those of new days.
    case full
    /// Consolidation groups, decoys and revisions.
    case groups
    /// Counts only.
    case counts
}
