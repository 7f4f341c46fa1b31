internal import ArchiveComparing
internal import ArchiveFile
internal import ArchiveRows
internal import GRDB
internal import HealthModel

/// The routes of a running import whose file is not in its export.
struct RoutesWithoutTrack {
    /// As staged items; what becomes of them is known when all has been read.
    var numbers: [Int64] = []
    /// The rows of routes that keep a track.
    var keptRows: [Int64] = []
    /// The staged items that keep a track although something else of them changed.
    var grafted: [Int64] = []
}

extension ImportSession {
    /// Routes whose file is not in this export keep the track that the observation before it knew
    /// (docs/identity.md): the lowest version by hash that this export does not show itself, first of those that differ in
    /// nothing else, then of any of the same route.
    func keepKnownTracks(_ merge: StateMergeJoin) throws {
        guard let predecessor = placement.predecessor, let transition, !routesWithoutTrack.numbers.isEmpty else {
            return
        }
        let visible = Visibility.sql("c", through: placement.ids(through: predecessor.id).filter { $0 != importID })
        let keeping = try TrackKeeping(
            db, chain: chainID, visible: visible, unmatched: transition.before, shown: try tracksShown())
        var changed: [StagedRoute] = []
        for number in routesWithoutTrack.numbers {
            guard let route = try keeping.route(number) else { continue }
            switch try keeping.find(route, isSeen: merge.seen.contains) {
            case .track(let rowID, let version): try keep(rowID, version, for: route, merge, keeping)
            case .noTrack: break
            case nil: changed.append(route)
            }
        }
        // In the order of versions, so that the order of routes in the export does not matter.
        for route in changed.sorted(by: { ($0.version, $0.seq) < ($1.version, $1.seq) }) {
            guard let track = try keeping.findAny(route, isSeen: merge.seen.contains) else { continue }
            let version = try keeping.graft(track, on: route)
            keptTracks.remove(route.identity, route.version)
            keptTracks.add(route.identity, version)
            owners.insert(route.seq)
            routesWithoutTrack.grafted.append(route.seq)
        }
    }

    /// Takes a known row for a route without a file.
    private func keep(
        _ rowID: Int64, _ version: Digest256, for route: StagedRoute, _ merge: StateMergeJoin, _ keeping: TrackKeeping
    ) throws {
        merge.markSeen(rowID)
        routesWithoutTrack.keptRows.append(rowID)
        keptTracks.remove(route.identity, route.version)
        keptTracks.add(route.identity, version)
        try keeping.replace(route, by: rowID)
    }

    /// The routes with a track that the merge join has not found: they are shown, and nobody else may keep their rows.
    private func tracksShown() throws -> [RouteVersion: Int] {
        var shown: [RouteVersion: Int] = [:]
        let rows = try PreparedStatement(
            db, "SELECT identity, version FROM temp.staged_items WHERE version_without_track IS NOT NULL")
        while try rows.step() {
            guard let identity = rows.digest(0), let version = rows.digest(1) else { continue }
            shown[RouteVersion(identity: identity, version: version), default: 0] += 1
        }
        return shown
    }

    /// Stores which routes kept a track.
    func storeKeptTracks() throws {
        let insert = try PreparedStatement(db, "INSERT OR IGNORE INTO kept_tracks VALUES (\(importID), ?)")
        let placed = try PreparedStatement(db, "SELECT record_version_id FROM temp.placed_items WHERE seq = ?")
        for number in routesWithoutTrack.grafted {
            placed.bind(1, number)
            if try placed.step() { routesWithoutTrack.keptRows.append(placed.int(0)) }
            placed.reset()
        }
        for rowID in routesWithoutTrack.keptRows {
            try insert.run(binding: [rowID])
        }
    }
}
