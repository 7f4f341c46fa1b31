package import HealthModel

/// A file beside the main XML that belongs to the evidence.
package struct SideFile: Sendable {
    package var kind: SideFileKind
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
}
