/// What a heuristic says of a replacement and the records inside its interval.
enum GroupJudgement: Equatable {
    /// A consolidation; `without` are records that do not belong to it after all.
    case accepted(ConsolidationGroup.Completeness, without: Set<Int64> = [])
    /// The totals differ beyond precision: no consolidation.
    case totalsDiffer
    /// Nothing that could be said.
    case nothing
}

/// A replacement as the heuristics see it, its value in the canonical unit.
struct ReplacementView {
    var id: Int64
    /// Whole seconds.
    var low: Int64
    var high: Int64
    var value: Double
    var tolerance: Double
    /// Declared by the condenser; nil without its identifier.
    var declaredCount: Int64?
    var isCumulative: Bool
}
