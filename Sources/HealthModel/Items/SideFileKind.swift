/// What a file beside an export's main XML is.
package enum SideFileKind: String, Sendable, CaseIterable {
    case workoutRoute
    case electrocardiogram
    case clinicalRecord
    case attachment

    /// The kinds of which samples are made.
    package static let ofSamples: Set<SideFileKind> = [.workoutRoute, .electrocardiogram, .clinicalRecord]

    /// The folder in which an export keeps files of this kind.
    package var folder: String {
        switch self {
        case .workoutRoute: "workout-routes"
        case .electrocardiogram: "electrocardiograms"
        case .clinicalRecord: "clinical-records"
        case .attachment: "attachments"
        }
    }

    /// The kind of the file at a path relative to the export's folder; nil for anything else.
    package static func of(_ path: String) -> SideFileKind? { allCases.first { path.hasPrefix($0.folder + "/") } }

    /// Whether the samples of a type are made of files of this kind.
    package func isNeeded(by type: String) -> Bool {
        switch self {
        case .workoutRoute: type == SampleType.workoutRoute
        case .electrocardiogram: type == SampleType.electrocardiogram
        case .clinicalRecord: type.hasPrefix(SampleType.clinicalPrefix)
        case .attachment: false
        }
    }
}
