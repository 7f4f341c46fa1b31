package import Archive
package import TextFormats

/// The line of `--show-sql --json`.
package enum QueryJSON {
    /// The queries with their titles.
    package static func line(_ queries: [NumberedQuery]) -> JSON {
        ["schema": .string(Reporting.schema("queries")), "queries": array(queries)]
    }

    /// The queries as an array.
    static func array(_ queries: [NumberedQuery]) -> JSON {
        .array(queries.map { ["title": .string($0.title), "sql": .string($0.sql)] })
    }
}
