internal import ArchiveComparing
internal import ArchiveRows
package import GRDB

/// What an observation left out of its export.
package struct TypeCoverage: Sendable {
    /// The sample types excluded by request.
    package var excluded: [String]
    /// The side files that are stored of its export: kinds by path.
    package var sideFiles: [String: String]
    /// The kinds of side files of which some or all may be absent.
    package var incompleteKinds: [String]

    package static func read(_ db: Database, observation: Int64) throws -> TypeCoverage {
        let names = ArchiveNames(db)
        return TypeCoverage(
            excluded: try TypeRunRow.read(db, importID: observation).filter { $0.value.status == .excluded }
                .keys.sorted().map(names.type),
            sideFiles: Dictionary(
                try EarlierFile.read(db, importID: observation).map { ($0.path, $0.kind) }
            ) { first, _ in first },
            incompleteKinds: try String.fetchAll(
                db, sql: "SELECT kind FROM absent_folders WHERE import_id = ?", arguments: [observation]))
    }
}
