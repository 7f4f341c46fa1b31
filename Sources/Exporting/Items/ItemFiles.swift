internal import Basics
internal import ExportReading
internal import Foundation
internal import HealthModel
internal import Questions
internal import Store

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

    init(_ context: ExportContext) throws {
        stored = try StoredSideFiles(context.snapshot.db, history: context.history.map(\.id))
        include = context.question.include
    }

    /// The member `files` of an item; nil where it has none.
    func json(of item: StoredItem, _ row: HeldVersion) throws -> JSON? {
        guard let file = try file(of: item, row) else { return nil }
        let isRoute = item.kind == .workoutRoute
        let kind: SideFileKind = isRoute ? .workoutRoute : .clinicalRecord
        let name = "\(Self.folder)/\(file.stored.hex).\(isRoute ? "gpx" : "json")"
        named[name] = file.id
        return [
            .row(["file": name, "kind": kind.rawValue, "sha256": file.stored.hex, "byte_count": file.byteCount])
        ]
    }

    /// Writes all files that were named.
    ///
    /// - Throws: `diskFull`, `inputOutput`; `integrityFailure` where a stored file is not what its hash says.
    func write(to sink: any MemberSink, isCancelled: () -> Bool) throws -> [WrittenMember] {
        try named.sorted { $0.key < $1.key }.map { name, id in
            try sink.begin("data/\(name)")
            try stored.read(id) { bytes in
                if isCancelled() { throw FileFailure.interrupted }
                try bytes.withByteView { try sink.append($0) }
            }
            let written = try sink.end()
            guard name.contains(written.file.sha256.hex) else { throw StoredSideFiles.damaged }
            return written
        }
    }

    private func file(of item: StoredItem, _ row: HeldVersion) throws -> StoredSideFiles.File? {
        switch item.kind {
        case .workoutRoute where include.contains(.routes): try stored.file(ofRoute: row.rowID)
        case .clinicalRecord where include.contains(.clinical):
            try item.resourceFilePath.flatMap { try stored.file(ofSample: row.sampleID, path: SideFile.relative($0)) }
        default: nil
        }
    }
}
