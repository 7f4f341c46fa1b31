internal import Evidence
internal import ExportReading
internal import HealthModel
internal import History
internal import Store

/// Keeps containers beside the archive, as an import's options say.
struct SourceKeeping {
    private let writer: ArchiveWriter
    private let store: SourceStore

    init(_ writer: ArchiveWriter) {
        self.writer = writer
        store = SourceStore(archive: writer.path)
    }

    /// Runs an import with its source kept as asked; a copy whose import fails is removed.
    ///
    /// - Parameter target: the observation that is supplemented; what is kept of its source is never less than it was.
    func keeping<R>(
        _ container: ExportContainer, _ options: ImportOptions, _ sha256: Digest256?, _ target: Observation?,
        _ body: (KeptSource) throws -> R
    ) throws -> R {
        let earlier = try target.flatMap { target in
            try writer.read { try KeptSource.read($0, observation: target.id) }
        }
        // Another container of the same XML supplements the observation, which was not read from it.
        let isSource = target.map { Self.isSource(container, sha256, of: $0) } ?? true
        if isSource, let earlier, earlier.choice == .copy, try !isLost(earlier, options) { return try body(earlier) }
        guard isSource, options.keepSource == .copy else {
            let keepsNames = options.keepSource != .none || (earlier.map { $0.choice != .none } ?? false)
            return try body(KeptSource(choice: keepsNames ? .reference : .none))
        }
        return try withCopy(container, sha256, body)
    }

    /// Whether a copy that is asked for was kept, and is gone or damaged.
    private func isLost(_ kept: KeptSource, _ options: ImportOptions) throws -> Bool {
        guard options.keepSource == .copy, let name = kept.name else { return false }
        return try store.digest(of: name).map { !name.hasPrefix($0.hex) } ?? true
    }

    /// Keeps more of the container of an observation that is there already, or a copy again that is gone or damaged; true
    /// where the archive says more than before.
    func keepLater(
        _ container: ExportContainer, of observation: Observation, _ options: ImportOptions,
        isCancelled: @escaping @Sendable () -> Bool
    ) throws -> Bool {
        let kept = try writer.read { try KeptSource.read($0, observation: observation.id) }
        let earlier = kept?.choice ?? .none
        let isCopyLost = try kept.map { try isLost($0, options) } ?? false
        guard isCopyLost || earlier != .copy && options.keepSource != .none && options.keepSource != earlier else {
            return false
        }
        let sha256 = container.form == .zip ? try container.containerDigest() : nil
        guard Self.isSource(container, sha256, of: observation) else { return false }
        if isCopyLost {
            _ = try withCopy(container, sha256 ?? observation.xmlSHA256) { $0 }
            return false
        }
        let members =
            earlier == .none ? try Self.members(of: container, observation, isCancelled: isCancelled) : []
        func remember(_ kept: KeptSource) throws {
            try writer.remember(kept, members: members, of: observation, file: OfferedFile(container))
        }
        if options.keepSource == .copy {
            try withCopy(container, sha256 ?? observation.xmlSHA256, remember)
        } else {
            try remember(KeptSource(choice: .reference))
        }
        return true
    }

    /// The warning where a copy was asked for and none is kept; else nil.
    func warning(_ options: ImportOptions, of observation: Int64) throws -> String? {
        guard options.keepSource == .copy,
            try writer.read({ try KeptSource.read($0, observation: observation) })?.name == nil
        else { return nil }
        return
            "No copy of this file was kept: observation \(observation) was read from another file with the same XML."
    }

    /// Whether a container of an observation's XML is the one that it was read from.
    private static func isSource(_ container: ExportContainer, _ sha256: Digest256?, of observation: Observation)
        -> Bool
    {
        container.form.rawValue == observation.sourceForm && sha256 == observation.sourceSHA256
    }

    /// The members of a container of an observation's XML: all are hashed but the main XML, whose hash is the observation's.
    ///
    /// - Complexity: one reading of everything in the container but the XML.
    /// - Throws: `interrupted`.
    private static func members(
        of container: ExportContainer, _ observation: Observation, isCancelled: @escaping @Sendable () -> Bool
    ) throws -> [SourceMember] {
        let others = OtherMemberHashes(container, isCancelled: isCancelled)
        let main = SourceMember(
            path: container.mainName, role: .main, byteCount: container.mainByteCount, sha256: observation.xmlSHA256)
        let sideFiles = try container.sideFiles.map { file in
            var hash = SHA256()
            let isWhole = try container.isWhole(file) { hash.update($0) }
            if isCancelled() { throw HealthProbeError.interrupted }
            return SourceMember(
                path: container.memberPrefix + file.path, role: .sideFile, byteCount: file.byteCount,
                sha256: isWhole ? hash.finalize() : nil)
        }
        return try [main] + sideFiles + others.take().members
    }

    /// Runs `body` with a copy of a container; one that is new is removed where that fails.
    private func withCopy<R>(
        _ container: ExportContainer, _ sha256: Digest256?, _ body: (KeptSource) throws -> R
    ) throws -> R {
        guard container.form != .folder else {
            throw HealthProbeError(
                .usage, "A folder cannot be kept as a copy.",
                hint: "Give the export.zip itself, or import with --keep-source reference.")
        }
        let entry = try store.keep(container.path, suffix: container.form == .zip ? "zip" : "xml")
        do {
            guard sha256 == nil || entry.sha256 == sha256 else { throw HealthProbeError.changedWhileRead }
            return try body(KeptSource(choice: .copy, name: entry.name))
        } catch {
            if entry.isNew { store.remove(entry.name) }
            throw error
        }
    }
}
