internal import Archive
internal import ExportReading

/// What an import of an XML that its chain has already can add: excluded types, absent folders.
///
/// The result is never less than either import alone: types and files of both.
struct Supplement {
    var types: TypeSelection
    var typeSelectionText: String?
    /// Kinds of side files that the observation has already.
    var keptKinds: Set<SideFile.Kind>

    /// Nil where the import has nothing that the observation lacks.
    init?(
        of observation: Observation, _ container: ExportContainer, _ options: ImportOptions, _ writer: ArchiveWriter
    ) throws {
        let coverage = try writer.read { try TypeCoverage.read($0, observation: observation.id) }
        keptKinds = Set(SideFile.Kind.allCases.filter { coverage.sideFileKinds.contains($0.rawValue) })
        typeSelectionText = StoredSelection(observation.typeSelection).joined(with: options.typeSelectionText)
        let newKinds = Set(container.sideFiles.map(\.kind)).subtracting(keptKinds)
        let regained = coverage.excluded.filter { options.types.includes($0) }
        guard typeSelectionText != observation.typeSelection || !newKinds.isEmpty || !regained.isEmpty else { return nil }
        let included = Set(coverage.included)
        let asked = options.types
        types = TypeSelection(only: { included.contains($0) || asked.includes($0) }, excluded: nil)
    }
}
