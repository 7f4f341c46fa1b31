/// Series that were condensed again with other bounds.
///
/// Claims: several new series of one workout together replaced the gone series, and records, with which their intervals
/// overlap. Evidence: the condenser's identifiers name the same workout, type, source and device are equal, the new ones
/// declare together as many samples as the gone ones, and the totals agree as ``CondenserIdentifierHeuristic`` asks of one.
/// Wrong: where an app writes such identifiers itself. It says nothing of single series in a cluster: which of the new ones
/// took which samples is not known.
enum RecondensedSeriesHeuristic {
    /// - Parameter members: the gone series and records in the order of their starts.
    static func isOneGroup(_ replacements: [ReplacementView], _ members: [GroupTally.Member]) -> Bool {
        guard let first = replacements.first, replacements.count > 1 else { return false }
        var together = first
        together.low = replacements.map(\.low).min() ?? first.low
        together.high = replacements.map(\.high).max() ?? first.high
        let declared = replacements.reduce(0) { $0 + ($1.declaredCount ?? 0) }
        together.declaredCount = declared
        if first.isCumulative {
            together.value = replacements.reduce(0) { $0 + $1.value }
            together.tolerance = replacements.reduce(0) { $0 + $1.tolerance }
        } else if declared > 0 {
            together.value =
                replacements.reduce(0) { $0 + $1.value * Double($1.declaredCount ?? 0) } / Double(declared)
            together.tolerance = replacements.map(\.tolerance).max() ?? first.tolerance
        }
        var tally = GroupTally(low: together.low, high: together.high)
        for member in members { tally.add(member) }
        return CondenserIdentifierHeuristic.judge(together, tally, members: []) == .accepted(.complete)
    }
}
