internal import GRDB
internal import HealthModel

extension ImportSession {
    /// Routes whose file is not in this export keep the track that the observation before it knew (section 3 of the
    /// design): the lowest version by hash that this export does not show itself, first of those that differ in nothing
    /// else, then of any of the same route.
    func keepKnownTracks(_ walker: StateWalker) throws {
        guard let predecessor = placement.predecessor, !fileless.isEmpty else { return }
        let visible = Visibility.sql("c", through: placement.ids(through: predecessor.id).filter { $0 != importID })
        let keeping = try TrackKeeping(db, chain: chainID, visible: visible, shown: try tracksShown())
        var changed: [IncomingRoute] = []
        for seq in fileless {
            guard let route = try keeping.route(seq) else { continue }
            switch try keeping.find(route, isSeen: walker.seen.contains) {
            case .track(let copy, let version): try keep(copy, version, for: route, walker, keeping)
            case .noTrack: break
            case nil: changed.append(route)
            }
        }
        // In the order of versions, so that it does not matter where in the export the routes stand.
        for route in changed.sorted(by: { ($0.version, $0.seq) < ($1.version, $1.seq) }) {
            guard let track = try keeping.findAny(route, isSeen: walker.seen.contains) else { continue }
            let version = try keeping.graft(track, on: route)
            keptTracks.remove(route.identity, route.version)
            keptTracks.add(route.identity, version)
            owners.insert(route.seq)
            grafted.append(route.seq)
        }
    }

    /// Lets the copy that is known stand for a route without a file.
    private func keep(
        _ copy: Int64, _ version: Digest256, for route: IncomingRoute, _ walker: StateWalker, _ keeping: TrackKeeping
    ) throws {
        walker.markSeen(copy)
        keptCopies.append(copy)
        keptTracks.remove(route.identity, route.version)
        keptTracks.add(route.identity, version)
        try keeping.replace(route, by: copy)
    }

    /// The routes with a track that the walk has not found again: they are shown, and nobody else may keep their copies.
    private func tracksShown() throws -> [RouteVersion: Int] {
        var shown: [RouteVersion: Int] = [:]
        let rows = try UnsafeStatement(
            db, "SELECT identity, version FROM temp.incoming WHERE version_without_track IS NOT NULL")
        while try rows.step() {
            guard let identity = rows.digest(0), let version = rows.digest(1) else { continue }
            shown[RouteVersion(identity: identity, version: version), default: 0] += 1
        }
        return shown
    }

    /// Notes the routes that kept a track.
    func storeKeptTracks() throws {
        let insert = try UnsafeStatement(db, "INSERT OR IGNORE INTO kept_tracks VALUES (\(importID), ?)")
        let placed = try UnsafeStatement(db, "SELECT record_version_id FROM temp.placed WHERE seq = ?")
        for seq in grafted {
            placed.bind(1, seq)
            if try placed.step() { keptCopies.append(placed.int(0)) }
            placed.reset()
        }
        for copy in keptCopies {
            insert.bind(1, copy)
            try insert.run()
        }
    }
}
