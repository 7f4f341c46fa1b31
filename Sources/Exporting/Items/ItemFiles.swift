internal import Archive
internal import ExportReading
internal import Foundation
internal import HealthModel
internal import TextFormats

/// The side files of exported items, where they were asked for: named by the items, and written behind them.
///
/// A file's name is the SHA-256 of its bytes, so a file that several items have is there once.
final class ItemFiles {
    /// The folder in `data`.
    static let folder = "files"

    private let stored: StoredSideFiles
    private let include: [Provenance.Part]
    /// The files named so far, by name.
    private var named: [String: Int64] = [:]

    init(_ context: ExportContext) {
        stored = StoredSideFiles(context.snapshot.db, history: context.history.map(\.id))
        include = context.question.include
    }

    /// The member `files` of an item; nil where it has none.
    func json(type: String, sample: Int64, extras: ByteView?) throws -> JSON? {
        guard let file = try file(type: type, sample: sample, extras: extras) else { return nil }
        let isRoute = type == SampleType.workoutRoute
        let kind: SideFile.Kind = isRoute ? .workoutRoute : .clinicalRecord
        let name = "\(Self.folder)/\(file.stored.hex).\(isRoute ? "gpx" : "json")"
        named[name] = file.id
        return .array([
            .object([
                ("file", .string(name)), ("kind", .string(kind.rawValue)), ("sha256", .string(file.stored.hex)),
                ("byte_count", .int(file.byteCount)),
            ])
        ])
    }

    /// Writes all files that were named.
    ///
    /// - Parameter data: the bag's folder `data`.
    /// - Throws: `diskFull`, `inputOutput`; `integrityFailure` where a stored file is not what its hash says.
    func write(into data: String, isCancelled: () -> Bool) throws -> [WrittenMember] {
        if named.isEmpty { return [] }
        guard mkdir("\(data)/\(Self.folder)", 0o700) == 0 else { throw FileFailure.error(errno, creating: true) }
        return try named.sorted { $0.key < $1.key }.map { name, id in
            let file = try HashedFile("\(data)/\(name)")
            try stored.read(id) { bytes in
                if isCancelled() { throw FileFailure.interrupted }
                try bytes.withUnsafeBytes { try file.write($0) }
            }
            let written = try file.close()
            guard name.contains(written.sha256.hex) else {
                throw ArchiveError(
                    .integrityFailure, "A stored side file is damaged.", hint: "Run healthprobe check.")
            }
            return WrittenMember(path: "data/\(name)", file: written)
        }
    }

    private func file(type: String, sample: Int64, extras: ByteView?) throws -> StoredSideFiles.File? {
        let isRoute = type == SampleType.workoutRoute
        guard include.contains(isRoute ? .routes : .clinical), isRoute || type.hasPrefix(SampleType.clinicalPrefix),
            let extras = extras.flatMap({ JSON.parse($0) })
        else { return nil }
        if isRoute {
            return try extras["track"]?.string.flatMap { Digest256(hex: $0) }.flatMap { try stored.file(content: $0) }
        }
        return try extras["attributes"]?["resourceFilePath"]?.string.flatMap {
            try stored.file(ofSample: sample, path: SideFile.relative($0))
        }
    }
}
