internal import Basics
internal import Questions
internal import Store

/// What an open page asks from time to time: whether the archive has got more since it was made.
struct StatePage {
    static let path = "/state.json"

    /// The newest observation that pages can show, over all chains; nil without one.
    let newest: Int64?
    /// When an import that writes now has begun, as Unix seconds; nil while nothing is written.
    let importSince: Int64?
    /// Whether an import has not ended: it writes now, or was killed.
    let hasOpenImport: Bool

    init(_ db: ArchiveDatabase, path: String) throws {
        let imports = try ImportState.read(db)
        newest = imports.newest
        hasOpenImport = imports.openSince != nil
        importSince = imports.openSince.flatMap { ArchiveLock.isHeld(ofArchive: path) ? $0 : nil }
    }

    var line: JSON {
        .line("state", ["newest": newest, "importRunning": importSince != nil, "since": JSON.instant(importSince)])
    }
}
