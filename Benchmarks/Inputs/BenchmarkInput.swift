internal import SyntheticExportGenerator

/// The inputs of one size: a base export and later ones of the same phone that each change one thing.
enum BenchmarkInput: String, CaseIterable, Sendable {
    case base
    /// Exported an hour later in another zone: only offset and addresses differ.
    case unchanged
    /// About 1 % changed: records deleted and new days.
    case churn
    /// The source that holds about 40 % of the records was renamed.
    case renamed
    /// One type, about a quarter of the records, in kJ in place of kcal.
    case unit
    /// A month later; most old workouts were condensed, so that a fifth of the records is no longer visible.
    case condensed

    /// What happened since the base export; nil for the base itself.
    func plan(historyDays: Int) -> DumpPlan? {
        switch self {
        case .base: nil
        case .unchanged: DumpPlan(days: 0, changes: [.offset(seconds: -18_000)])
        case .churn: DumpPlan(days: max(1, historyDays / 300), changes: [.delete(type: nil, share: 0.005)])
        case .renamed: DumpPlan(days: 0, changes: [.rename(.oldWatch)])
        case .unit:
            DumpPlan(days: 0, changes: [.unit(type: "HKQuantityTypeIdentifierActiveEnergyBurned", to: "kJ")])
        case .condensed: DumpPlan(days: 30, changes: [.condense(share: 0.9, marked: true)])
        }
    }
}
