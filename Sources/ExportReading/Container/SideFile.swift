/// A file beside the main XML that belongs to the evidence.
package struct SideFile: Sendable {
    package enum Kind: String, Sendable, CaseIterable {
        case workoutRoute
        case electrocardiogram
        case clinicalRecord
        case attachment

        /// The folder in which an export keeps files of this kind.
        package var folder: String {
            switch self {
            case .workoutRoute: "workout-routes"
            case .electrocardiogram: "electrocardiograms"
            case .clinicalRecord: "clinical-records"
            case .attachment: "attachments"
            }
        }
    }

    package var kind: Kind
    /// Relative to the export's folder, without a leading slash.
    package var path: String
    package var byteCount: Int64
    /// Where the container has it: in the zip, or a path on disk.
    var place: Place

    enum Place: Sendable {
        case member(ZipMember)
        case file(String)
    }

    /// A path as a `FileReference` has it, without its leading slash.
    package static func relative(_ path: String) -> String { path.hasPrefix("/") ? String(path.dropFirst()) : path }

    /// The kind of the file at a path relative to the export's folder; nil for anything else.
    package static func kind(of path: String) -> Kind? {
        Kind.allCases.first { path.hasPrefix($0.folder + "/") }
    }
}
