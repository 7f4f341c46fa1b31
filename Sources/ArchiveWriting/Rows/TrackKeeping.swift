internal import ArchiveFile
internal import ArchiveRows
internal import GRDB
internal import HealthModel
internal import TextFormats

/// A route of the running import whose file is not in its export.
struct StagedRoute {
    var seq: Int64
    var type: Int64
    var start: Int64?
    var identity: Digest256
    /// Without a track.
    var version: Digest256
}

struct RouteVersion: Hashable {
    var identity: Digest256
    var version: Digest256
}

/// Finds the tracks that routes without a file keep, among the rows that the observation before shows.
final class TrackKeeping {
    /// What a route without a file was before.
    enum Known {
        /// A row that differs in the track alone, with its version.
        case track(rowID: Int64, version: Digest256)
        /// The same, without a track.
        case noTrack
    }

    /// The rows `c` of a sample, by the rows `v` of the table; those with a track first, then the lowest version by hash.
    static func routes(from rows: String, where condition: String) -> String {
        """
        SELECT \(VersionColumns.ofView("c")) FROM \(rows) CROSS JOIN full_record_versions c ON c.id = v.id
        WHERE \(condition)
        ORDER BY c.version_without_track IS NULL, c.version, c.ordinal
        """
    }

    private let hashes: StoredHashes
    private let staged: VersionCursor
    private let known: VersionCursor
    private let forget: PreparedStatement
    private let rename: PreparedStatement
    private let stay: PreparedStatement
    private let change: PreparedStatement
    /// Rows of routes with a file; how many of each version are not counted yet.
    private var shown: [RouteVersion: Int]
    /// Rows of routes without a file, or from which these take their track.
    private var used = Set<Int64>()

    /// - Parameters:
    ///   - unmatched: the table of the visible rows that no item matched.
    ///   - shown: routes with a file that the merge join has not found.
    init(
        _ db: Database, chain: Int64, visible: String, unmatched: String, shown: [RouteVersion: Int]
    ) throws {
        self.shown = shown
        hashes = StoredHashes(db)
        staged = try VersionCursor.staged(db, where: "f.seq = ?1")
        known = try VersionCursor(
            db,
            Self.routes(
                from: """
                    record_versions k INDEXED BY record_versions_timeline
                    CROSS JOIN record_versions v ON v.id = k.id OR v.sample_id = k.id
                    """,
                where: """
                    k.sample_type_id = ?1 AND k.start_seconds IS ?2 AND substr(k.identity, 1, 4) = substr(?3, 1, 4)
                        AND k.identity = ?3 AND k.sample_id IS NULL AND \(visible) AND c.device_chain_id = \(chain)
                    """))
        forget = try PreparedStatement(db, "DELETE FROM temp.staged_items WHERE seq = ?")
        rename = try PreparedStatement(
            db, "UPDATE temp.item_members SET owner = ?2, is_staged = 0 WHERE owner = ?1 AND is_staged = 1")
        stay = try PreparedStatement(db, "DELETE FROM \(unmatched) WHERE ref = ?")
        change = try PreparedStatement(
            db, "UPDATE temp.staged_items SET version_without_track = version, version = ?2, extras = ?3 WHERE seq = ?1"
        )
    }

    /// A route of this import; nil where there is none of that number.
    func route(_ seq: Int64) throws -> StagedRoute? {
        guard try staged.find(seq) else { return nil }
        defer { staged.reset() }
        return try StagedRoute(
            seq: seq, type: staged.typeID, start: staged.start, identity: staged.identity,
            version: staged.version)
    }

    /// The row that differs in nothing but the track, which this export does not show otherwise.
    func find(_ route: StagedRoute, isSeen: (Int64) -> Bool) throws -> Known? {
        try search(route, isSeen) { version, versionWithoutTrack in
            guard let versionWithoutTrack else { return version == route.version ? .noTrack : nil }
            return versionWithoutTrack == route.version ? .track(rowID: self.known.rowID, version: version) : nil
        }
    }

    /// The track of a row of the same route, whatever else differs, as canonical JSON.
    func findAny(_ route: StagedRoute, isSeen: (Int64) -> Bool) throws -> [UInt8]? {
        try search(route, isSeen) { _, versionWithoutTrack in
            versionWithoutTrack == nil ? nil : try self.known.extras.flatMap { StoredHashes.track($0.array) }
        }
    }

    private func search<Found>(
        _ route: StagedRoute, _ isSeen: (Int64) -> Bool, _ fits: (Digest256, Digest256?) throws -> Found?
    ) throws -> Found? {
        known.bind(1, route.type)
        known.bind(2, route.start)
        known.bind(3, route.identity)
        defer { known.reset() }
        while try known.next() {
            let (id, version) = (known.rowID, try known.version)
            guard !isSeen(id), !used.contains(id), let found = try fits(version, known.versionWithoutTrack) else {
                continue
            }
            let key = RouteVersion(identity: route.identity, version: version)
            used.insert(id)
            guard let others = shown[key], others > 0 else { return found }
            shown[key] = others - 1
        }
        return nil
    }

    /// Gives a route a track; returns its version with it.
    func graft(_ track: [UInt8], on route: StagedRoute) throws -> Digest256 {
        try staged.seek(route.seq)
        let (extras, version) = try hashes.grafted(staged, track: track)
        staged.reset()
        change.bind(1, route.seq)
        change.bind(2, version)
        extras.withByteView { change.bind(3, text: $0) }
        try change.run()
        return version
    }

    /// Takes a route out of what is compared: a row that stays represents it.
    func replace(_ route: StagedRoute, by rowID: Int64) throws {
        try forget.run(binding: [route.seq])
        try rename.run(binding: [route.seq, rowID])
        try stay.run(binding: [rowID])
    }
}
