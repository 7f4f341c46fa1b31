internal import ExportReading
internal import HealthModel

/// The canonical hashes of an export's route files by path.
enum SideFileTracks {
    /// Reads all route files; one that is broken counts as absent.
    static func read(_ container: ExportContainer) -> [String: Digest256] {
        var found: [String: Digest256] = [:]
        for file in container.sideFiles where file.kind == .workoutRoute {
            var hash = SideFileHash(kind: file.kind)
            guard (try? container.read(file) { hash.update($0) }) != nil else { continue }
            found[file.path] = hash.finalize()
        }
        return found
    }

    /// A `FileReference`'s path as the export's folder has it.
    static func key(_ path: String) -> String { path.hasPrefix("/") ? String(path.dropFirst()) : path }
}
