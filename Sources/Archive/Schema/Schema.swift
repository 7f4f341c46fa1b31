internal import GRDB

/// All tables, views and triggers of the present schema version.
enum Schema {
    /// The tables with their indexes and triggers, in an order in which they can be made.
    static let tables = [
        Tables.sql, Tables.analysis, Tables.aggregates, ExportTables.sql, Tables.placing, Tables.seals,
        Tables.sourceMembers,
    ]

    /// Makes everything in an empty database.
    static func create(_ db: Database) throws {
        for part in tables + [Views.sql] { try db.execute(sql: part) }
    }
}
