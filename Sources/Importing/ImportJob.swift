// Importing joins reader and archive: one import job with its progress, and the order of several exports.

internal import Basics
internal import Evidence
package import ExportReading
internal import Foundation
internal import HealthModel
package import History
internal import Store

/// One import from the container to the finished observation.
package enum ImportJob {
    /// Imports one export into the chain that the options name; where the archive's key is lost, a new epoch begins.
    ///
    /// - Parameters:
    ///   - isCancelled: asked after each page, and every so often until the observation is finished; true ends the import
    ///     as cancelled.
    ///   - progress: called after each page.
    /// - Throws: `HealthProbeError`; the archive is then as it was before.
    package static func run(
        _ container: ExportContainer, options: ImportOptions, writer: ArchiveWriter,
        isCancelled: @escaping @Sendable () -> Bool, progress: (ImportProgress) -> Void
    ) throws -> ImportOutcome {
        let header = try container.peek()
        try writer.replaceLostKey()
        let chain = try writer.read { try Chain.read($0, name: options.chain) }
        let same = try sameXML(container, in: chain)
        do {
            return try run(container, header, options, writer, same, isCancelled, progress)
        } catch let known as KnownXML {
            return try run(container, header, options, writer, known.observation, isCancelled, progress)
        }
    }

    /// - Parameter same: the observation of the same XML, as far as that is known before it was read.
    /// - Throws: `KnownXML` where it was not.
    private static func run(
        _ container: ExportContainer, _ header: DocumentHeader, _ options: ImportOptions, _ writer: ArchiveWriter,
        _ same: Observation?, _ isCancelled: @escaping @Sendable () -> Bool, _ progress: (ImportProgress) -> Void
    ) throws -> ImportOutcome {
        var request = request(container, header, options)
        request.isCancelled = isCancelled
        var target: Observation?
        var options = options
        let keeping = SourceKeeping(writer)
        if let same {
            guard let wider = try Supplement(of: same, container, options, writer) else {
                let isKept = try keeping.keepLater(container, of: same, options, isCancelled: isCancelled)
                var outcome = ImportOutcome(observationID: same.id, alreadyImported: true, supplemented: isKept)
                outcome.otherFile = otherFile(container, than: same)
                outcome.warnings += try keeping.warning(options, of: same.id).map { [$0] } ?? []
                return outcome
            }
            options.types = wider.types
            request.types = wider.types
            request.missingFolders.subtract(wider.keptKinds)
            target = same
        }
        if container.form == .zip {
            progress(ImportProgress(bytesDone: 0, bytesTotal: container.mainByteCount, items: 0, phase: "hashing"))
            request.sourceSHA256 = try container.containerDigest()
        }
        let selected = options
        let readsElectrocardiograms = !request.missingFolders.contains(.electrocardiogram)
        let (id, change) = try keeping.keeping(container, options, request.sourceSHA256, target) { kept in
            try writer.runImport(request, supplementing: target) { session in
                try ImportRun(
                    container: container, options: selected, header: header, session: session, kept: kept,
                    readsElectrocardiograms: readsElectrocardiograms, isCancelled: isCancelled
                ).run(progress)
            }
        }
        var outcome = ImportOutcome(observationID: id, alreadyImported: target != nil, supplemented: target != nil)
        outcome.otherFile = target.flatMap { otherFile(container, than: $0) }
        outcome.rederived = change.rederived
        outcome.warnings = [change.zoneChange, try keeping.warning(options, of: id)].compactMap { $0 }
        return outcome
    }

    private static func request(
        _ container: ExportContainer, _ header: DocumentHeader, _ options: ImportOptions
    ) -> ImportRequest {
        var request = ImportRequest()
        request.chain = options.chain
        if let given = options.observedAt {
            request.observedAt = given
            request.observedAtOrigin = "argument"
        } else if let date = header.exportDate {
            request.observedAt = date.seconds
        } else {
            request.observedAt = container.modifiedSeconds
            request.observedAtOrigin = "modification"
        }
        request.timeZone = options.timeZone
        request.note = options.note
        request.types = options.types
        request.sourceName = container.name
        request.sourceForm = container.form.rawValue
        request.sourceMember = container.mainName
        request.sourceByteCount = container.byteCount
        request.xmlByteCount = container.mainByteCount
        request.allowUnrelated = options.allowUnrelated
        request.libraries = ExportReading.libraries
        request.missingFolders = container.missingFolders
        return request
    }

    /// The container as a file; nil where it is the one that an observation was read from.
    private static func otherFile(_ container: ExportContainer, than observation: Observation) -> OfferedFile? {
        let offered = OfferedFile(container)
        return offered == OfferedFile(sourceOf: observation) ? nil : offered
    }

    /// The finished observation of the chain that came from the same XML; only where one may have is the file hashed.
    private static func sameXML(_ container: ExportContainer, in chain: Chain?) throws -> Observation? {
        let candidates = (chain?.finished ?? []).filter {
            // Of a damaged zip another number of bytes is read than it states.
            $0.xmlByteCount == container.mainByteCount || $0.status == .partial && container.form == .zip
        }
        guard !candidates.isEmpty else { return nil }
        let digest = try container.mainDigest()
        return candidates.first { $0.xmlSHA256 == digest }
    }
}
