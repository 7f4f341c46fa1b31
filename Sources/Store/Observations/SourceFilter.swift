internal import Basics
package import GRDB

/// The sources that `--source NAME` selects: all whose names are equal to it once folded (`NearestNames.folded`).
package struct SourceFilter: Sendable {
    /// Ids of `sources`; none where no name is equal.
    let ids: Set<Int64>
    /// The names nearest to one that selects nothing.
    package let nearest: [String]

    /// Whether no source of the archive has such a name.
    package var isEmpty: Bool { ids.isEmpty }

    /// - Complexity: reads the names of all sources of the archive.
    package init(_ db: Database, named name: String) throws {
        let sources = try Row.fetchAll(db, sql: "SELECT id, name FROM sources ORDER BY id").map {
            try (id: $0.get("id") as Int64, name: $0.get("name") as String)
        }
        let wanted = NearestNames.folded(name)
        let selected = sources.filter { NearestNames.folded($0.name) == wanted }
        ids = Set(selected.map(\.id))
        nearest = selected.isEmpty ? NearestNames.of(name, among: sources.map(\.name)) : []
    }

    /// Whether a record is of a selected source.
    package func selects(_ row: RecordRow) -> Bool { ids.contains(row.descriptor.sourceID) }

    /// Whether a source, by its id, is a selected one.
    package func selects(sourceID: Int64) -> Bool { ids.contains(sourceID) }

    /// The condition that a column has the id of a selected source.
    package func hasID(_ column: String) -> String {
        "\(column) IN (\(ids.sorted().sqlList))"
    }
}
