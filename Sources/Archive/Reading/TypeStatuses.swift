internal import GRDB
internal import HealthModel

/// How completely an observation knows each type, also those of which it has no row.
struct TypeStatuses {
    /// The statuses that are stored, by type.
    let stored: [Int64: TypeStatus]
    private let isPartial: Bool
    private let selection: TypeSelection
    private let missingFolders: ImportRequest.MissingFolders

    init(_ db: Database, at observation: Observation) throws {
        let rows = try Row.fetchAll(
            db, sql: "SELECT sample_type_id, status FROM type_runs WHERE import_id = ?", arguments: [observation.id])
        stored = try Dictionary(rows.map { try ($0.get("sample_type_id"), TypeStatus($0)) }) { first, _ in first }
        isPartial = observation.status == .partial
        selection = observation.typeSelection
        missingFolders = try ImportRequest.MissingFolders(db, of: observation)
    }

    /// The status of a type that may be unknown to the observation.
    func status(of type: Int64, _ identifier: String) -> TypeStatus {
        if let status = stored[type] { return status }
        // Whether its export had the type was not looked at.
        if !selection.includes(identifier) { return .excluded }
        // Neither a partial observation nor one without a type's side files can know of a type that it did not show.
        return isPartial || missingFolders.makesIncomplete(identifier) ? .incomplete : .completed
    }
}
