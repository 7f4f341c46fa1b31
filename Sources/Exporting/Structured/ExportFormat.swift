/// How the items of an export are written.
package enum ExportFormat: String, Sendable, CaseIterable {
    /// One JSON array, an item a line.
    case json
    /// One JSON object a line.
    case ndjson
    /// RFC 4180, a row an item.
    case csv

    /// The name of the file in the bag's `data` folder.
    package var fileName: String { "items.\(rawValue)" }
}
