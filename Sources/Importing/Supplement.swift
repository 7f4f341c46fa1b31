internal import ArchiveReading
internal import ArchiveRows
internal import ArchiveWriting
internal import ExportReading
internal import HealthModel

/// What an import of an XML that its chain has already can add: excluded types, absent files.
///
/// The result is never less than either import alone: types and files of both.
struct Supplement {
    var types: TypeSelection
    /// Kinds of side files that the observation has already.
    var keptKinds: Set<SideFile.Kind>

    /// Nil where the import has nothing that the observation lacks.
    init?(
        of observation: Observation, _ container: ExportContainer, _ options: ImportOptions, _ writer: ArchiveWriter
    ) throws {
        let coverage = try writer.read { try TypeCoverage.read($0, observation: observation.id) }
        let lacked = Set(coverage.incompleteKinds.compactMap(SideFile.Kind.init(rawValue:)))
        keptKinds = Set(coverage.sideFiles.values.compactMap(SideFile.Kind.init(rawValue:))).subtracting(lacked)
        let stored = observation.typeSelection
        types = stored.union(options.types)
        // A type that the export does not have counts as well: an older export may, and then it is gone here.
        let regainsTypes = !stored.covers(options.types)
        // A file that was damaged then may be whole in this container, or be damaged in it as well.
        let regainsFiles = {
            container.sideFiles.contains { file in
                coverage.sideFiles[file.path] == nil && (try? container.read(file) { _ in }) != nil
            }
        }
        // Of a zip that was cut off some files may be there, but which were behind the cut is not known.
        let regainsKinds = !lacked.isDisjoint(with: container.completeKinds)
        guard regainsTypes || regainsKinds || regainsFiles() else { return nil }
    }
}
