internal import SyntheticExportGenerator

/// Holds the counts of an import against what the generator did.
///
/// The generator states what was done, not which pass of the comparison finds it. Six printed digits leave a few per
/// cent of the values that were converted from kcal to kJ outside the tolerance of decision 0011: those
/// disappear and appear. Everything else must agree exactly, type by type.
struct ImportCheck {
    let input: BenchmarkInput
    let summary: DumpSummary

    private static let converted = "HKQuantityTypeIdentifierActiveEnergyBurned"
    /// The largest share of converted values that may fall outside the tolerance.
    private static let roundedAway = 0.1

    /// - Throws: `BenchmarkError` naming all types that differ.
    func require(_ answer: ImportAnswer) throws {
        var wrong: [String] = []
        for (type, expected) in summary.types {
            let counts =
                answer.types[type]
                ?? .init(
                    read: 0, visible: 0, appeared: 0, disappeared: 0, representationChanged: 0)
            if !agrees(type, counts, with: expected) { wrong.append("\(type): \(counts), expected \(expected)") }
        }
        let items = summary.types.values.reduce(0) { $0 + $1.after }
        if answer.totals.visible != items { wrong.append("visible \(answer.totals.visible), expected \(items)") }
        if answer.totals.read != items { wrong.append("read \(answer.totals.read), expected \(items)") }
        guard wrong.isEmpty else {
            throw BenchmarkError("\(input.rawValue): wrong counts\n" + wrong.sorted().joined(separator: "\n"))
        }
    }

    private func agrees(_ type: String, _ counts: ImportAnswer.Counts, with truth: DumpSummary.TypeCounts) -> Bool {
        guard counts.visible == truth.after, counts.read == truth.after else { return false }
        let isFirst = input == .base
        let appeared = isFirst ? truth.after : truth.appeared.values.reduce(0, +)
        let disappeared = truth.disappeared.values.reduce(0, +)
        let changed = truth.representationChanged.values.reduce(0, +)
        if input == .unit, type == Self.converted {
            return counts.appeared == counts.disappeared && counts.appeared + counts.representationChanged == changed
                && Double(counts.appeared) <= Self.roundedAway * Double(changed)
        }
        return counts.appeared == appeared && counts.disappeared == disappeared
            && counts.representationChanged == changed
    }
}
