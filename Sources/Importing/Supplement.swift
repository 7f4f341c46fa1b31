internal import Archive
internal import ExportReading
internal import Foundation

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
        let known = (observation.typeSelection ?? "").components(separatedBy: Self.separator)
        let widens = observation.typeSelection != nil && !(options.typeSelectionText.map(known.contains) ?? false)
        let newKinds = Set(container.sideFiles.map(\.kind)).subtracting(keptKinds)
        let regained = coverage.excluded.filter { options.types.includes($0) }
        guard widens || !newKinds.isEmpty || !regained.isEmpty else { return nil }
        let included = Set(coverage.included)
        let asked = options.types
        types = TypeSelection(only: { included.contains($0) || asked.includes($0) }, excluded: nil)
        typeSelectionText = observation.typeSelection
        if widens { typeSelectionText = options.typeSelectionText.map { (known + [$0]).joined(separator: Self.separator) } }
    }

    private static let separator = " | "
}
