internal import GRDB
internal import HealthModel
internal import Store

extension Rederivation {
    /// The state of a partial observation: the one before it with what its file showed applied to it.
    ///
    /// Fills both sides of the transition, the earlier one with the rows that stay in it.
    /// - Returns: the digest of what stays although it was not shown.
    /// - Complexity: a pass over the chain's rows, as the import of such an export has.
    func applyPartial() throws -> StateDigest {
        guard let predecessor else { throw HealthProbeError.stateMismatch }
        let shown = try ReadRuns.read(db, importID: observation.id)
        // Which rows are on which side, and which of them are visible here now.
        var wasVisible = Bitmap()
        try db.execute(sql: "DELETE FROM temp.rederived_sides")
        let side = try PreparedStatement(db, "INSERT INTO temp.rederived_sides VALUES (?, ?)")
        let rows = try PreparedStatement(
            db,
            """
            SELECT c.id, \(visibleBefore), \(visibleHere) FROM record_versions c WHERE c.device_chain_id = \(chain)
            """)
        while try rows.step() {
            let id = rows.int(0)
            let (isBefore, isHere, isShown) = (rows.int(1) == 1, rows.int(2) == 1, shown.contains(id))
            if isHere { wasVisible.insert(id) }
            if isBefore != isShown {
                try side.run(binding: [id, isBefore ? 0 : 1])
            } else if isHere != isShown {
                try move(id, visible: isShown)
            }
        }
        try transition.addRows("SELECT id FROM temp.rederived_sides WHERE side = 0", to: transition.before)
        try transition.addRows("SELECT id FROM temp.rederived_sides WHERE side = 1", to: transition.after)
        // What a partial export did not show is not gone, so no old name is either.
        try transition.compare(
            SourceNames(db, before: [predecessor.id], after: predecessor.id), equal: refuseEqual)
        var carried = StateDigest()
        let old = try PreparedStatement(db, "SELECT ref, identity, version FROM \(transition.before)")
        while try old.step() {
            let stays = !transition.isMatched(before: old.int(0))
            if stays, let identity = old.digest(1), let version = old.digest(2) { carried.add(identity, version) }
            if stays != wasVisible.contains(old.int(0)) { try move(old.int(0), visible: stays) }
        }
        let new = try PreparedStatement(db, "SELECT ref FROM \(transition.after)")
        while try new.step() {
            if !wasVisible.contains(new.int(0)) { try move(new.int(0), visible: true) }
        }
        return carried
    }
}
