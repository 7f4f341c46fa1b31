internal import Archive

/// The record that a written export leaves in its archive.
enum ExportRecording {
    /// Records an export as far as the archive lets it, once nothing reads from it any more.
    ///
    /// - Returns: why it was not recorded, which a message has said; nil where it was.
    static func record(
        _ export: RecordedExport, items: [RecordedExport.Item]?, _ common: CommonOptions
    ) -> String? {
        do {
            let writer = try ArchiveWriter(
                path: common.archivePath, secretFile: common.secretFile, environment: common.environment)
            defer { writer.close() }
            try writer.record(export, items: items)
            return nil
        } catch {
            let refusal = (ArchiveConnection.translated(error) as? ArchiveError)?.message ?? "\(error)"
            common.note("The export is complete; it was not recorded in the archive: \(refusal)")
            return refusal
        }
    }
}
