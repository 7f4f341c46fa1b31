package import Archive
package import ExportReading
internal import Foundation
internal import TextFormats

/// The exports of one command, imported one after the other, the oldest first.
///
/// A file that is refused does not keep the others from being imported. What became of each is in the archive's log.
package struct ImportBatch {
    /// A file that was not imported, and why.
    package struct Refusal: Error {
        /// As it was given.
        package var path: String
        /// The others that were not imported for that reason, as they were given; none where the reason is the file itself.
        package var remaining: [String] = []
        package var reason: any Error

        /// Whether the reason is the file itself: it is no usable export, or does not belong into the chain.
        fileprivate static func isRefusal(_ reason: any Error) -> Bool {
            if let reason = reason as? ExportReadingError { return reason.code != .inputOutput }
            return (reason as? ArchiveError)?.code == .unrelatedExport
        }
    }

    /// What became of a file.
    package enum Result {
        case imported(ExportContainer, ImportOutcome)
        case refused(Refusal)
    }

    /// The exports, oldest first.
    package private(set) var exports: [ExportContainer] = []
    private var refusals: [Refusal] = []
    private var isSingle: Bool { exports.count + refusals.count == 1 }

    /// Opens the exports at these paths and reads their dates.
    ///
    /// - Throws: why the system cannot read one, of several as `Refusal`; nothing has been imported then.
    package init(_ paths: [String]) throws {
        var dated: [(container: ExportContainer, date: Int64)] = []
        for (index, path) in paths.enumerated() {
            do {
                let container = try ExportContainer(path: path)
                dated.append((container, try container.peek().exportDate?.seconds ?? container.modifiedSeconds))
            } catch  where Refusal.isRefusal(error) {
                refusals.append(Refusal(path: path, reason: error))
            } catch {
                let others = paths.enumerated().filter { $0.offset != index }.map(\.element)
                throw others.isEmpty ? error : Refusal(path: path, remaining: others, reason: error)
            }
        }
        exports = dated.enumerated().sorted { ($0.element.date, $0.offset) < ($1.element.date, $1.offset) }
            .map(\.element.container)
    }

    /// Imports the exports.
    ///
    /// - Parameters:
    ///   - writer: nil where there is no archive and no export to make one for.
    ///   - code: the code of an error in the log.
    ///   - progress: is given a label where a new piece of work begins, and how far it is.
    ///   - each: is given what became of each file.
    /// - Throws: why the first file was not imported for another reason than itself, of several as `Refusal`; those before
    ///   it stay imported.
    package func run(
        options: ImportOptions, writer: ArchiveWriter?, isCancelled: @escaping @Sendable () -> Bool,
        code: (any Error) -> String, progress: (String?, ImportProgress) -> Void, each: (Result) throws -> Void
    ) throws {
        // Before anything is logged: where the key cannot be looked for, the archive stays as it is.
        if !exports.isEmpty { try writer?.replaceLostKey() }
        for refusal in refusals {
            try? writer?.log(
                .importRun, outcome: code(refusal.reason), file: OfferedFile(path: refusal.path))
            try each(.refused(refusal))
        }
        guard let writer else { return }
        for (index, container) in exports.enumerated() {
            var phase: String?
            let outcome: ImportOutcome
            do {
                outcome = try ImportJob.run(
                    container, options: options, writer: writer, isCancelled: isCancelled
                ) { now in
                    let label = now.phase.isEmpty ? container.name : "\(container.name): \(now.phase)"
                    progress(now.phase == phase ? nil : label, now)
                    phase = now.phase
                }
            } catch {
                try? writer.log(.importRun, outcome: code(error), file: OfferedFile(container))
                guard Refusal.isRefusal(error) else {
                    let remaining = exports[(index + 1)...].map(\.path)
                    throw isSingle ? error : Refusal(path: container.path, remaining: remaining, reason: error)
                }
                try each(.refused(Refusal(path: container.path, reason: error)))
                continue
            }
            if outcome.alreadyImported, !outcome.supplemented {
                try? writer.log(
                    .importRun, outcome: "alreadyImported", importID: outcome.observationID,
                    file: OfferedFile(container))
            }
            try each(.imported(container, outcome))
        }
    }
}

extension OfferedFile {
    /// The container of an export, as far as it can be read.
    init(_ container: ExportContainer) {
        self.init(
            name: container.name, byteCount: container.byteCount,
            sha256: (try? container.containerDigest()) ?? (try? container.mainDigest()))
    }

    /// A file that is no export, as far as it can be read.
    package init(path: String) {
        let name = (path as NSString).lastPathComponent
        var info = stat()
        guard stat(path, &info) == 0, info.st_mode & S_IFMT == S_IFREG else {
            self.init(name: name, byteCount: nil, sha256: nil)
            return
        }
        self.init(name: name, byteCount: Int64(info.st_size), sha256: try? SourceStore.digest(ofFile: path))
    }
}
