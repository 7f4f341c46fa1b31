package import Archive
package import ExportReading
internal import Foundation
internal import TextFormats

/// One import from the container to the finished observation.
package enum ImportJob {
    /// The exports at these paths, oldest first.
    ///
    /// - Throws: `ExportReadingError` for the first that is no export, of several as `Refused`; nothing has been imported then.
    package static func sorted(_ paths: [String]) throws -> [ExportContainer] {
        try paths.enumerated().map { index, path in
            do {
                let container = try ExportContainer(path: path)
                let date = try container.peek().exportDate?.seconds ?? container.modifiedSeconds
                return (container, date)
            } catch  where paths.count > 1 {
                let rest = paths.enumerated().filter { $0.offset != index }.map(\.element)
                throw Refused(path: path, rest: rest, reason: error)
            }
        }.enumerated().sorted { ($0.element.1, $0.offset) < ($1.element.1, $1.offset) }.map(\.element.0)
    }

    /// One of several exports could not be imported.
    package struct Refused: Error {
        /// As it was given.
        package var path: String
        /// The others that were not imported for that reason, as they were given.
        package var rest: [String]
        package var reason: any Error

        package init(path: String, rest: [String], reason: any Error) {
            self.path = path
            self.rest = rest
            self.reason = reason
        }
    }

    /// Imports exports one after the other; the archive's log gets those that are refused or were imported before.
    ///
    /// - Parameters:
    ///   - code: the code of an error in the log.
    ///   - progress: is given a label where a new piece of work begins, and how far it is.
    ///   - each: is given what became of each export.
    /// - Throws: what the first refused one throws, of several as `Refused`; those before it stay imported.
    package static func runAll(
        _ containers: [ExportContainer], options: ImportOptions, writer: ArchiveWriter,
        isCancelled: @escaping @Sendable () -> Bool, code: (any Error) -> String,
        progress: (String?, ImportProgress) -> Void, each: (ExportContainer, ImportOutcome) throws -> Void
    ) throws {
        for (index, container) in containers.enumerated() {
            let outcome: ImportOutcome
            var phase: String?
            do {
                outcome = try run(container, options: options, writer: writer, isCancelled: isCancelled) { now in
                    let label = now.phase.isEmpty ? container.name : "\(container.name): \(now.phase)"
                    progress(now.phase == phase ? nil : label, now)
                    phase = now.phase
                }
            } catch {
                try? writer.log(.importRun, outcome: code(error))
                guard containers.count > 1 else { throw error }
                throw Refused(path: container.path, rest: containers[(index + 1)...].map(\.path), reason: error)
            }
            if outcome.alreadyImported, !outcome.supplemented {
                try? writer.log(.importRun, outcome: "alreadyImported", importID: outcome.observationID)
            }
            try each(container, outcome)
        }
    }

    /// Imports one export into the chain that the options name; where the archive's key is lost, a new epoch begins.
    ///
    /// - Parameters:
    ///   - isCancelled: asked after each page, and every so often until the observation is finished; true ends the import
    ///     as cancelled.
    ///   - progress: told after each page.
    /// - Throws: `ArchiveError` or `ExportReadingError`; the archive is then as it was before.
    package static func run(
        _ container: ExportContainer, options: ImportOptions, writer: ArchiveWriter,
        isCancelled: @escaping @Sendable () -> Bool, progress: (ImportProgress) -> Void
    ) throws -> ImportOutcome {
        let header = try container.peek()
        try writer.replaceLostKey()
        var request = request(container, header, options)
        request.isCancelled = isCancelled
        let chain = try writer.read { try Chain.read($0, name: options.chain) }
        var target: Observation?
        var options = options
        let keeping = SourceKeeping(writer)
        if let same = try sameXML(container, in: chain) {
            guard let wider = try Supplement(of: same, container, options, writer) else {
                let isKept = try keeping.keepLater(container, of: same, options, isCancelled: isCancelled)
                var outcome = ImportOutcome(observationID: same.id, alreadyImported: true, supplemented: isKept)
                outcome.warnings += try keeping.warning(options, of: same.id).map { [$0] } ?? []
                return outcome
            }
            options.types = wider.types
            request.types = wider.types
            request.missingFolders.formIntersection(MissingFolders(presentKinds: Set(wider.keptKinds.map(\.rawValue))))
            target = same
        }
        if container.form == .zip {
            progress(ImportProgress(bytesDone: 0, bytesTotal: container.mainByteCount, items: 0, phase: "hashing"))
            request.sourceSHA256 = try container.containerDigest()
        }
        let selected = options
        let readsElectrocardiograms = !request.missingFolders.contains(.electrocardiograms)
        let (id, change) = try keeping.keeping(container, options, request.sourceSHA256, target) { kept in
            try writer.runImport(request, supplementing: target) { session in
                try ImportRun(
                    container, selected, header, session, kept: kept,
                    readsElectrocardiograms: readsElectrocardiograms, isCancelled: isCancelled
                ).run(progress)
            }
        }
        var outcome = ImportOutcome(observationID: id, alreadyImported: target != nil, supplemented: target != nil)
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
        request.missingFolders = MissingFolders(of: container)
        return request
    }

    /// The finished observation of the chain that came from the same XML; only files of equal length are hashed.
    private static func sameXML(_ container: ExportContainer, in chain: Chain?) throws -> Observation? {
        let candidates = (chain?.finished ?? []).filter { $0.xmlByteCount == container.mainByteCount }
        guard !candidates.isEmpty else { return nil }
        let digest = try container.mainDigest()
        return candidates.first { $0.xmlSHA256 == digest }
    }
}

extension MissingFolders {
    /// The folders of side files that an export lacks, or may have only in part.
    package init(of container: ExportContainer) {
        self.init(presentKinds: Set(container.completeKinds.map(\.rawValue)))
    }
}
