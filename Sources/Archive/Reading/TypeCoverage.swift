package import GRDB

/// What an observation left out of its export.
package struct TypeCoverage: Sendable {
    /// The sample types excluded by request.
    package var excluded: [String]
    /// The sample types that it took.
    package var included: [String]
    /// The kinds of side files that its export had.
    package var sideFileKinds: Set<String>

    package static func read(_ db: Database, observation: Int64) throws -> TypeCoverage {
        func types(_ condition: String) throws -> [String] {
            try String.fetchAll(
                db,
                sql: """
                    SELECT t.type_identifier FROM type_runs r JOIN sample_types t ON t.id = r.sample_type_id
                    WHERE r.import_id = ? AND r.status \(condition) 'excluded'
                    """,
                arguments: [observation])
        }
        return TypeCoverage(
            excluded: try types("="), included: try types("<>"),
            sideFileKinds: try String.fetchSet(
                db,
                sql: """
                    SELECT DISTINCT f.kind FROM import_side_files s JOIN side_files f ON f.id = s.side_file_id
                    WHERE s.import_id = ?
                    """,
                arguments: [observation]))
    }
}
