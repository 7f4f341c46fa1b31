internal import ArchiveFile
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
            db,
            """
            SELECT max(id) FILTER (WHERE status IN ('partial', 'completed')),
                CAST(max(started_at) FILTER (WHERE status = 'started') AS INTEGER)
            FROM imports
            """)
        guard try imports.step() else { throw WebError(.internal) }
        newest = imports.optionalInt(0)
        let open = imports.optionalInt(1)
        hasOpenImport = open != nil
        importSince = open.flatMap { ArchiveLock.isHeld(ofArchive: path) ? $0 : nil }
    }

    var line: JSON {
        .line("state", ["newest": newest, "importRunning": importSince != nil, "since": JSON.instant(importSince)])
    }
}
