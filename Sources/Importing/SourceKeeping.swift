internal import Archive
internal import ExportReading
internal import HealthModel

/// Keeps containers beside the archive, as an import asks for it.
struct SourceKeeping {
    private let writer: ArchiveWriter
    private let store: SourceStore

    init(_ writer: ArchiveWriter) {
        self.writer = writer
        store = SourceStore(archive: writer.path)
    }

    /// Runs an import with its source kept as asked; a copy whose import comes to nothing is taken back.
    ///
    /// - Parameter target: the observation that is supplemented; a copy that it has stays its own.
    func keeping<R>(
        _ container: ExportContainer, _ options: ImportOptions, _ sha256: Digest256?, _ target: Observation?,
        _ body: (KeptSource) throws -> R
    ) throws -> R {
        let earlier = try target.flatMap { target in try writer.read { try KeptSource.read($0, observation: target.id) }
        }
        guard options.keepSource == .copy else {
            // The supplementing file is another container of the same XML, so the kept one is no longer its source.
            if let earlier, earlier.choice == .copy, earlier.name == Self.name(container, sha256, target) {
                return try body(earlier)
            }
            return try body(KeptSource(choice: options.keepSource))
        }
        // Another container of the same XML adds what the observation lacked, but is not where it came from.
        if let target, container.form.rawValue != target.sourceForm || sha256 != target.sourceSHA256 {
            return try body(KeptSource(choice: .reference))
        }
        let entry = try keep(container, sha256)
        do {
            return try body(KeptSource(choice: .copy, name: entry.name))
        } catch {
            if entry.isNew { store.remove(entry.name) }
            throw error
        }
    }

    /// Keeps the container of an observation that is there already; true where that was new.
    func keepLater(_ container: ExportContainer, of observation: Observation, _ options: ImportOptions) throws -> Bool {
        guard options.keepSource == .copy,
            try writer.read({ try KeptSource.read($0, observation: observation.id) })?.name == nil
        else { return false }
        let sha256 = container.form == .zip ? try container.containerDigest() : observation.xmlSHA256
        // Another container of the same XML is not the observation's source.
        guard container.form != .zip || sha256 == observation.sourceSHA256 else { return false }
        let entry = try keep(container, sha256)
        try writer.remember(keptSource: entry.name, of: observation.id)
        return true
    }

    private func keep(_ container: ExportContainer, _ sha256: Digest256?) throws -> SourceStore.Entry {
        guard container.form != .folder else {
            throw ArchiveError(
                .usage, "A folder cannot be kept as a copy.",
                hint: "Give the export.zip itself, or import with --keep-source reference.")
        }
        let entry = try store.keep(container.path, suffix: container.form == .zip ? "zip" : "xml")
        guard sha256 == nil || entry.sha256 == sha256 else {
            if entry.isNew { store.remove(entry.name) }
            throw ArchiveError.changedWhileRead
        }
        return entry
    }

    private static func name(_ container: ExportContainer, _ sha256: Digest256?, _ target: Observation?) -> String? {
        container.form == .zip ? sha256.map { "\($0.hex).zip" } : target?.xmlSHA256.map { "\($0.hex).xml" }
    }
}
