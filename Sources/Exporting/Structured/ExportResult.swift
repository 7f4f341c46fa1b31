package import Archive

/// What an export came to.
package struct ExportResult: Sendable {
    package var kind: String
    package var exportID: String
    package var manifestHash: String
    package var recordCount: Int64
    /// Bytes of the items' file; 0 where nothing was written.
    package var byteCount: Int64
    /// What the provenance profile left out or blanked, by name.
    package var leftOut: [(name: String, count: Int64)]
    /// Codes and messages.
    package var warnings: [(code: String, message: String)]
    /// What is to be recorded in the archive.
    package var recording: RecordedExport
    /// The items one by one; nil where there are too many, or where they are no records.
    package var items: [RecordedExport.Item]?
}
