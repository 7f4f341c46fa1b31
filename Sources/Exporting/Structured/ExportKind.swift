/// What an export holds.
package enum ExportKind: String, Sendable, CaseIterable {
    /// The records visible at an observation.
    case records
    /// What differs between two observations.
    case diff
    /// Chosen sets of what differs.
    case selection
    /// The sample types of an observation.
    case types
    /// The observations of a chain.
    case manifest

    /// The envelope's `export_kind`.
    package func name(_ format: ExportFormat) -> String {
        let base =
            switch self {
            case .records: "observation_records"
            case .diff: "observation_diff"
            case .selection: "selection"
            case .types: "type_summary"
            case .manifest: "archive_manifest"
            }
        return "\(base)_\(format.rawValue)"
    }

    /// Whether it lies between two observations.
    package var hasTwoSides: Bool { self == .diff || self == .selection }
}
