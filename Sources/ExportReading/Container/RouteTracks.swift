package import HealthModel

/// The canonical hashes of route files by their path in the export.
package struct RouteTracks: Sendable {
    private var hashes: [String: Digest256] = [:]

    package init() {}

    /// Takes a file's hash; the path is relative to the export's folder.
    package mutating func add(_ hash: Digest256, path: String) { hashes[path] = hash }

    /// Reads all route files of an export; one that is damaged counts as absent.
    ///
    /// - Throws: `inputOutput` where the system cannot read one.
    package mutating func read(_ container: ExportContainer) throws {
        for file in container.sideFiles where file.kind == .workoutRoute {
            var hash = SideFileHash(kind: file.kind)
            do {
                try container.read(file) { hash.update($0) }
            } catch is DamagedSource {
                continue
            }
            add(hash.finalize(), path: file.path)
        }
    }

    /// The hash of the file that a `FileReference` names; nil where it is absent.
    package subscript(reference: String) -> Digest256? { hashes[SideFile.relative(reference)] }
}
