internal import ExportReading
internal import HealthModel
internal import History
internal import Store

/// What an import of an XML that its chain has already can add: excluded types, absent files, the end that a damaged zip hid.
///
/// The result is never less than either import alone: types and files of both.
struct Supplement {
    var types: TypeSelection
    /// Kinds of side files that the observation has already.
    var keptKinds: Set<SideFileKind>

    /// Nil where the import has nothing that the observation lacks.
    init?(
        of observation: Observation, _ container: ExportContainer, _ options: ImportOptions, _ writer: ArchiveWriter
    ) throws {
        let (files, lacked) = try writer.read { db in
            (
                try StoredSideFiles.files(db, of: observation.id),
                try ObservationAccount(db, observation).missingFolders
            )
        }
        keptKinds = SideFileKind.ofSamples.subtracting(lacked)
        let paths = Set(files.map(\.path))
        let stored = observation.typeSelection
        types = stored.union(options.types)
        // A type that the export does not have counts as well: an older export may, and then it is gone here.
        let regainsTypes = !stored.covers(options.types)
        // A file that was damaged then may be whole in this container, or be damaged in it as well.
        let regainsFiles = {
            try container.sideFiles.contains { try !paths.contains($0.path) && container.isWhole($0) }
        }
        // Of a zip that was cut off some files may be there, but which were behind the cut is not known.
        let regainsKinds = !lacked.isDisjoint(with: container.completeKinds)
        // The same bytes out of a container that is not damaged are the whole document.
        let regainsEnd =
            try observation.stoppedReason.map(ExportContainer.isDamage) == true && container.hasWholeMain()
        guard try regainsTypes || regainsKinds || regainsEnd || regainsFiles() else { return nil }
    }
}
