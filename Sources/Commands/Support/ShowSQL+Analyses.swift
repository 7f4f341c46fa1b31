internal import Questions
internal import Store
internal import Training

/// The analyses that printed statements read: stored in the archive first, because temporary tables are gone with the program.
///
/// Each is stored behind a transaction of its own, so that the one of the answer sees it.
extension ShowSQL {
    private static let notStored = """
        The analysis could not be stored (the archive is read-only or in use by another writer), so the queries find none, \
        or an earlier one.
        """

    /// Stores what was consolidated up to the observations whose finest state is asked for.
    func keepHistory(
        _ common: CommonOptions, _ state: WorkoutState, at: String?, from: String? = nil, to: String? = nil
    ) throws {
        guard state == .finest else { return }
        try keep(common) { snapshot in
            let observations: [Observation]
            if from == nil, to == nil {
                observations = [try snapshot.observation(at ?? "latest")]
            } else {
                let pair = try ObservationResolver.pair(from: from, to: to, in: snapshot.chain)
                observations = [pair.from, pair.to]
            }
            return observations.compactMap { FinestState.question(snapshot.chain, to: $0) }
        }
    }

    /// Stores the answers to questions.
    func keep(_ common: CommonOptions, _ questions: (Snapshot) throws -> [ConsolidationQuestion]) throws {
        guard showSql else { return }
        for question in try common.read({ db in try questions(Snapshot(db, chain: common.chain)) }) {
            let reader = try ArchiveReader(path: common.archivePath) { Interruption.isRequested }
            var recorder: ArchiveRecorder?
            defer {
                reader.close()
                recorder?.close()
            }
            let kept = try common.comparing {
                try reader.read { db in
                    let chain = try ObservationResolver.chain(db, name: common.chain)
                    return try Consolidation.keep(db, chain: chain, question, archive: reader.path)
                }
            }
            recorder = kept.recorder
            if !kept.isStored { common.note(Self.notStored) }
        }
    }
}
