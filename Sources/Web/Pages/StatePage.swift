internal import ArchiveFile
internal import ArchiveRows
internal import TextFormats

/// What an open page asks from time to time: whether the archive has got more since it was made.
struct StatePage {
    static let path = "/state.json"

    /// The newest observation that pages can show, over all chains; nil without one.
    let newest: Int64?
    /// When an import that writes now has begun, as Unix seconds; nil while nothing is written.
    let importSince: Int64?

    init(_ db: ArchiveDatabase, path: String) throws {
        let imports = try Chain.names(db).compactMap { try Chain.read(db, name: $0) }
        newest = imports.flatMap(\.finished).map(\.id).max()
        let unfinished = imports.flatMap(\.all).filter { $0.status == .started }.map { Int64($0.startedAt) }.max()
        importSince = unfinished.flatMap { ArchiveLock.isHeld(ofArchive: path) ? $0 : nil }
    }

    var line: JSON {
        .line("state", ["newest": newest, "importRunning": importSince != nil, "since": JSON.instant(importSince)])
    }
}
