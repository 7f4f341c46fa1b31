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
    /// Whether an import has not ended: it writes now, or was killed.
    let hasOpenImport: Bool

    init(_ db: ArchiveDatabase, path: String) throws {
        let imports = try PreparedStatement(
            db, "SELECT status, max(id), CAST(max(started_at) AS INTEGER) FROM imports GROUP BY status")
        var (newest, open): (Int64?, Int64?) = (nil, nil)
        while try imports.step() {
            let status = imports.text(0).flatMap(Observation.Status.init(rawValue:))
            if status?.isFinished ?? false { newest = max(newest ?? 0, imports.int(1)) }
            if status == .started { open = imports.int(2) }
        }
        self.newest = newest
        hasOpenImport = open != nil
        importSince = open.flatMap { ArchiveLock.isHeld(ofArchive: path) ? $0 : nil }
    }

    var line: JSON {
        .line("state", ["newest": newest, "importRunning": importSince != nil, "since": JSON.instant(importSince)])
    }
}
