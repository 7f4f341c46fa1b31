/// What an export would hold, without writing it.
package struct ExportPreview: Sendable {
    package var kind: String
    package var exportID: String
    package var recordCount: Int64
    /// Items by type, in byte order of the identifiers.
    package var types: [(type: String, count: Int64)]
    /// Items by role.
    package var roles: [(role: String, count: Int64)]
    /// The size of the items' file, from the first items of each type.
    package var estimatedByteCount: Int64
    package var leftOut: [(name: String, count: Int64)]
    package var warnings: [(code: String, message: String)]
}
