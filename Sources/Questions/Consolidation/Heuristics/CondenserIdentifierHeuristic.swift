/// Consolidation by the condenser's identifier.
///
/// Claims: the record replaced the gone records inside its sub-second bounds. Evidence: HealthKit wrote the identifier
/// with workout, bounds and count; type, source and device are equal; as many records are gone as were declared, and for
/// cumulative types their sum is the replacement's value within the precision of an export, for others the value is
/// between minimum and maximum.
/// Wrong: where an app writes such an identifier itself, and where among records of equal values other ones were deleted
/// in the same interval and gap. Of more gone records than declared, all count where their total agrees, else up to two
/// are left out where it then does; otherwise nothing is claimed.
enum CondenserIdentifierHeuristic {
    /// Groups up to this size are searched for records beyond the declared ones.
    static let largestSearched = 2_000

    /// - Parameter members: in the order of their starts; empty where there are too many to be searched.
    static func judge(_ replacement: ReplacementView, _ tally: GroupTally, members: [GroupTally.Member])
        -> GroupJudgement
    {
        guard let declared = replacement.declaredCount else { return .nothing }
        if tally.count == 0 { return .accepted(.none) }
        if agrees(replacement, tally) {
            // Earlier coalescing makes fewer records of the declared samples; the total shows that all are there.
            if replacement.isCumulative || tally.weight == declared { return .accepted(.complete) }
            if tally.weight < declared { return .accepted(.partial) }
            if let mean = tally.mean, abs(mean - replacement.value) <= meanTolerance(replacement, tally) {
                return .accepted(.complete)
            }
        } else if tally.weight < declared {
            let fits =
                !replacement.isCumulative || tally.sum <= replacement.value + tally.tolerance + replacement.tolerance
            return fits ? .accepted(.partial) : .totalsDiffer
        }
        if tally.weight > declared, let without = excess(replacement, tally, members, declared) {
            return .accepted(.complete, without: without)
        }
        return .totalsDiffer
    }

    /// Whether the replacement's value can be the total of the records.
    private static func agrees(_ replacement: ReplacementView, _ tally: GroupTally) -> Bool {
        if replacement.isCumulative {
            return abs(tally.sum - replacement.value) <= tally.tolerance + replacement.tolerance
        }
        let tolerance = meanTolerance(replacement, tally)
        return replacement.value >= tally.minimum - tolerance && replacement.value <= tally.maximum + tolerance
    }

    private static func meanTolerance(_ replacement: ReplacementView, _ tally: GroupTally) -> Double {
        replacement.tolerance + tally.tolerance / Double(max(1, tally.count))
    }

    /// The records that do not belong to the declared ones: those that went away later than the others, or up to two
    /// without which the totals agree.
    private static func excess(
        _ replacement: ReplacementView, _ tally: GroupTally, _ members: [GroupTally.Member], _ declared: Int64
    ) -> Set<Int64>? {
        guard !members.isEmpty else { return nil }
        let first = members.reduce(Int64.max) { min($0, $1.closed) }
        let later = members.filter { $0.closed > first }
        if !later.isEmpty, fits(replacement, tally, without: later, declared) { return Set(later.map(\.id)) }
        let surplus = members.filter { $0.weight == 1 }
        guard members.count <= largestSearched else { return nil }
        switch tally.weight - declared {
        case 1: return surplus.first { fits(replacement, tally, without: [$0], declared) }.map { [$0.id] }
        case 2:
            // The missing total, by which the second record is found without trying all pairs.
            let sorted = surplus.sorted { $0.value < $1.value }
            let wanted =
                replacement.isCumulative
                ? tally.sum - replacement.value
                : (tally.mean ?? 0) * Double(tally.weight) - replacement.value * Double(declared)
            var low = 0
            var high = sorted.count - 1
            while low < high {
                let pair = [sorted[low], sorted[high]]
                if fits(replacement, tally, without: pair, declared) { return Set(pair.map(\.id)) }
                if pair[0].value + pair[1].value < wanted { low += 1 } else { high -= 1 }
            }
            return nil
        default: return nil
        }
    }

    /// Whether count and total agree once some records are left out.
    private static func fits(
        _ replacement: ReplacementView, _ tally: GroupTally,
        without: [GroupTally.Member], _ declared: Int64
    ) -> Bool {
        let weight = tally.weight - without.reduce(0) { $0 + $1.weight }
        guard weight == declared, weight > 0 else { return false }
        let tolerance = tally.tolerance - without.reduce(0) { $0 + $1.tolerance } + replacement.tolerance
        if replacement.isCumulative {
            let sum = tally.sum - without.reduce(0) { $0 + $1.value }
            return abs(sum - replacement.value) <= tolerance
        }
        let total = (tally.mean ?? 0) * Double(tally.weight) - without.reduce(0) { $0 + $1.value * Double($1.weight) }
        return abs(total / Double(weight) - replacement.value) <= tolerance / Double(weight) + replacement.tolerance
    }
}
