internal import Foundation
internal import GRDB
internal import HealthModel

extension ImportSession {
    /// Routes whose file is not in this export keep the track that the observation before it knew (section 3 of the
    /// design): the lowest version by hash that this export does not show itself.
    func keepKnownTracks(_ walker: StateWalker) throws {
        guard let predecessor = placement.predecessor, !fileless.isEmpty else { return }
        var shown = try tracksShown()
        let visible = Visibility.sql("c", through: placement.ids(through: predecessor.id).filter { $0 != importID })
        let route = try UnsafeStatement(
            db, "SELECT sample_type_id, start_seconds, identity, version FROM temp.incoming WHERE seq = ?")
        let known = try UnsafeStatement(
            db,
            """
            SELECT c.id, iif(c.payload_id IS NULL, c.version, p.version) AS version, k.identity
            FROM copies k INDEXED BY copies_timeline JOIN copies c ON c.id = k.id OR c.sample_id = k.id
            LEFT JOIN copies p ON p.id = c.payload_id
            WHERE k.sample_type_id = ?1 AND k.start_seconds IS ?2 AND substr(k.identity, 1, 4) = substr(?3, 1, 4)
                AND k.identity = ?3 AND k.sample_id IS NULL AND iif(c.payload_id IS NULL, c.trackless, p.trackless) = ?4
                AND \(visible) AND c.device_chain_id = \(chainID)
            ORDER BY version, c.ordinal
            """)
        let forget = try UnsafeStatement(db, "DELETE FROM temp.incoming WHERE seq = ?")
        let rename = try UnsafeStatement(
            db, "UPDATE temp.members SET owner = ?2, in_incoming = 0 WHERE owner = ?1 AND in_incoming = 1")
        let stay = try UnsafeStatement(db, "DELETE FROM temp.outgoing WHERE ref = ?")
        for seq in fileless {
            route.bind(1, seq)
            guard try route.step(), let identity = route.digest(2), let version = route.digest(3) else { continue }
            known.bind(1, route.int(0))
            known.bind(2, optional: route.optionalInt(1))
            route.reset()
            known.bind(3, identity)
            known.bind(4, version)
            var kept: (id: Int64, version: Digest256)?
            while kept == nil, try known.step() {
                guard let candidate = known.digest(1), !walker.seen.contains(known.int(0)) else { continue }
                let key = RouteVersion(identity: identity, version: candidate)
                if let others = shown[key], others > 0 {
                    shown[key] = others - 1
                } else {
                    kept = (known.int(0), candidate)
                }
            }
            known.reset()
            guard let kept else { continue }
            walker.markSeen(kept.id)
            keptCopies.append(kept.id)
            keptTracks.remove(identity, version)
            keptTracks.add(identity, kept.version)
            forget.bind(1, seq)
            try forget.run()
            rename.bind(1, seq)
            rename.bind(2, kept.id)
            try rename.run()
            stay.bind(1, kept.id)
            try stay.run()
        }
    }

    private struct RouteVersion: Hashable {
        var identity: Digest256
        var version: Digest256
    }

    /// The routes with a track that the walk has not found again: they are shown, and nobody else may keep their copies.
    private func tracksShown() throws -> [RouteVersion: Int] {
        var shown: [RouteVersion: Int] = [:]
        let rows = try UnsafeStatement(
            db, "SELECT identity, version FROM temp.incoming WHERE trackless IS NOT NULL")
        while try rows.step() {
            guard let identity = rows.digest(0), let version = rows.digest(1) else { continue }
            shown[RouteVersion(identity: identity, version: version), default: 0] += 1
        }
        return shown
    }

    /// Notes the routes that kept a track.
    func storeKeptTracks() throws {
        let insert = try UnsafeStatement(db, "INSERT OR IGNORE INTO kept_tracks VALUES (\(importID), ?)")
        for copy in keptCopies {
            insert.bind(1, copy)
            try insert.run()
        }
    }
}
