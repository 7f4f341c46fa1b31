internal import Foundation
internal import GRDB
internal import HealthModel

extension ImportSession {
    /// The self-check of section 4 of the design: the state as counted from the stream (and what was carried) must be
    /// the state that storage yields from the rows that this import opened and closed.
    func verifyDigest(_ baseline: Observation, carried: StateDigest) throws {
        guard var stored = baseline.stateDigest else { throw Self.mismatch }
        if let insertion {
            try stored.fold(db, insertion.moved(visibleAtBaseline: true), add: false)
            try stored.fold(db, openedCopies, add: true)
        } else {
            let closed = """
                SELECT c.id FROM temp.outgoing o CROSS JOIN record_versions c ON c.id = o.ref
                WHERE c.closed_observation_id = \(importID)
                """
            try fold(closed, add: false, to: &stored)
            try fold(openedCopies, add: true, to: &stored)
            changes.begin()
        }
        var expected = stream
        expected.merge(carried)
        expected.merge(keptTracks)
        guard stored == expected else { throw Self.mismatch }
        state = stored
    }

    /// Adds copies to a digest or takes them away, and notes them in the change list on the way.
    private func fold(_ copies: String, add: Bool, to digest: inout StateDigest) throws {
        let rows = try UnsafeStatement(
            db,
            """
            SELECT iif(c.sample_id IS NULL, c.identity, k.identity), iif(c.payload_id IS NULL, c.version, p.version),
                c.ordinal, c.evidence IS NULL, c.superseded
            FROM (\(copies)) t CROSS JOIN record_versions c ON c.id = t.id
            LEFT JOIN record_versions k ON k.id = c.sample_id LEFT JOIN record_versions p ON p.id = c.payload_id
            """)
        while try rows.step() {
            guard let identity = rows.digest(0), let version = rows.digest(1) else { throw Self.mismatch }
            if add { digest.add(identity, version) } else { digest.remove(identity, version) }
            let event: ChangeEvent =
                add
                ? (rows.int(3) != 0 ? .appeared : .representationChanged)
                : (rows.int(4) != 0 ? .superseded : .disappeared)
            try changes.add(event, identity, version, ordinal: rows.int(2))
        }
    }

    /// The ids of the copies that this import opened: new rows, and earlier copies that came back.
    private var openedCopies: String {
        if let insertion { return insertion.moved(visibleAtBaseline: false) }
        return """
            SELECT id FROM record_versions WHERE id >= \(firstCopyID) AND opened_observation_id = \(importID)
            UNION ALL
            SELECT DISTINCT c.id FROM past_ranges p CROSS JOIN record_versions c ON c.id = p.record_version_id
            WHERE c.id < \(firstCopyID) AND c.opened_observation_id = \(importID)
            """
    }

    static let mismatch = ArchiveError(
        .integrityFailure, "The state that was stored is not the state that was read; nothing was kept of this import.",
        hint: "Run healthprobe check, and report this: it is a defect of the program or of the machine.")

    func storeReadRuns(_ walker: StateWalker) throws {
        var read = walker.seen
        let placed = try UnsafeStatement(db, openedCopies)
        while try placed.step() { read.insert(placed.int(0)) }
        try ReadRuns.write(db, importID: importID, read)
    }

    /// A partial observation that was its chain's first had read all of its state.
    func storeReadRunsOfFormerFirst() throws {
        guard let insertion, let former = placement.successor, former.status == .partial else { return }
        var read = Bitmap()
        let rows = try UnsafeStatement(
            db,
            """
            SELECT c.id FROM record_versions c WHERE c.device_chain_id = \(chainID) AND \(insertion.visible(at: former.id))
            """)
        while try rows.step() { read.insert(rows.int(0)) }
        try ReadRuns.write(db, importID: former.id, read)
    }
}
