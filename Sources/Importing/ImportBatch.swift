internal import Basics
package import Evidence
package import ExportReading
internal import Foundation
package import HealthModel
package import History
internal import Store

/// The exports of one command, imported one after the other, the oldest first.
///
/// A file that is refused does not stop the others. The archive's log has the result of each.
package struct ImportBatch {
    /// What became of a file.
    package enum Result {
        case imported(ExportContainer, ImportOutcome)
        case refused(path: String, HealthProbeError)
    }

    /// The exports, oldest first.
    package private(set) var exports: [ExportContainer] = []
    private var refusals: [(path: String, error: HealthProbeError)] = []
    /// What the only file is called, where its path does not say it.
    private let name: String?
    private var isAlone: Bool { exports.count + refusals.count == 1 }

    /// Opens the exports at these paths and reads their dates.
    ///
    /// - Parameter name: what the file of one path is called, where its path does not say it.
    /// - Throws: why the system cannot read one, of several with the file as `place`; nothing has been imported then.
    package init(_ paths: [String], name: String?) throws {
        self.name = name
        var dated: [(container: ExportContainer, date: Int64)] = []
        for (index, path) in paths.enumerated() {
            do {
                let container = try ExportContainer(path: path, name: name)
                dated.append((container, try container.peek().exportDate?.seconds ?? container.modifiedSeconds))
            } catch {
                let error = HealthProbeError(error)
                guard error.code.isRefusal else {
                    let others = paths.enumerated().filter { $0.offset != index }.map(\.element)
                    throw others.isEmpty ? error : error.of(path, remaining: others)
                }
                refusals.append((path, error))
            }
        }
        exports = dated.enumerated().sorted { ($0.element.date, $0.offset) < ($1.element.date, $1.offset) }
            .map(\.element.container)
    }

    /// Imports the exports.
    ///
    /// - Parameters:
    ///   - writer: nil where there is no archive and no export to make one for.
    ///   - progress: called with a label when a new piece of work begins, and with its progress.
    ///   - each: called with the result of each file.
    /// - Throws: why the first file was not imported for another reason than itself, of several with the file as `place`;
    ///   those before it stay imported.
    package func run(
        options: ImportOptions, writer: ArchiveWriter?, isCancelled: @escaping @Sendable () -> Bool,
        progress: (String?, ImportProgress) -> Void, each: (Result) throws -> Void
    ) throws {
        // Before anything is logged: where the key cannot be looked for, the archive stays as it is.
        if !exports.isEmpty { try writer?.replaceLostKey() }
        for refusal in refusals {
            try? writer?.log(
                .importRun, outcome: refusal.error.code.rawValue, file: OfferedFile(path: refusal.path, name: name))
            try each(.refused(path: refusal.path, isAlone ? refusal.error : refusal.error.of(refusal.path)))
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
                let error = HealthProbeError(error)
                try? writer.log(.importRun, outcome: error.code.rawValue, file: OfferedFile(container))
                guard error.code.isRefusal else {
                    throw isAlone ? error : error.of(container.path, remaining: exports[(index + 1)...].map(\.path))
                }
                try each(.refused(path: container.path, isAlone ? error : error.of(container.path)))
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

extension HealthProbeError {
    /// The error of one of several files.
    ///
    /// - Parameter remaining: the others that were not imported for this reason; none where the reason is the file itself.
    fileprivate func of(_ path: String, remaining: [String] = []) -> HealthProbeError {
        var error = self
        error.message = "\(path): \(message)"
        error.place = .file(path)
        if !remaining.isEmpty { error.hint += " Not imported either: \(remaining.joined(separator: ", "))." }
        return error
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
    package init(path: String, name: String?) {
        let name = name ?? (path as NSString).lastPathComponent
        guard let info = status(path), info.st_mode & S_IFMT == S_IFREG else {
            self.init(name: name, byteCount: nil, sha256: nil)
            return
        }
        self.init(name: name, byteCount: Int64(info.st_size), sha256: try? SourceStore.digest(ofFile: path))
    }
}
