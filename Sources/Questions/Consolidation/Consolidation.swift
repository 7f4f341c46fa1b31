// Consolidation: what became of what, as read-only questions over the archive's changed records.
//
// Consolidation groups and their evidence, and the labels of a comparison. Everything here reads the archive, with
// temporary tables of its own, and decides; it writes nothing but its own results. `Consolidation` is the way in;
// `docs/heuristics.md` describes each heuristic in `Heuristics/`.

internal import Foundation
package import GRDB
internal import HealthModel
internal import History
package import Store

/// Which records were consolidated, and into what.
///
/// ```swift
/// let answer = try Consolidation.answer(db, chain: chain, ConsolidationQuestion(from: first, to: second))
/// defer { answer.close() }
/// for verdict in answer.verdicts { … }                     // one a type
/// try answer.forEachGroup { group in                       // streamed, in the order of type and time
///     let record = try rows.fetch(group.replacements[0])   // RecordReader of Archive
///     try answer.forEachConstituent(of: group) { … }       // row ids with the observation that showed them last
/// }
/// let roles = try answer.memberships(of: rowID)           // group and role of a row of the diff
/// ```
///
/// A row that `Diff` reports as disappeared is asked for with its own id, also where a later representation of it is the
/// constituent. Nothing is written; one answer at a time and connection, as its tables are temporary. The connection's
/// diff tables are used too: finish with a `Diff` before asking, and the other way round.
package enum Consolidation {
    /// Counted up when a rule changes: stored results of another version are not used.
    package static let rulesVersion = 6

    /// Answers a question from what the archive has stored, or by an analysis.
    ///
    /// - Throws: `usage` where `from` is later than `to`.
    /// - Complexity: grows with what changed between the observations and with the records inside the intervals of the
    ///   replacements; constant memory.
    package static func answer(
        _ db: Database, chain: Chain, _ question: ConsolidationQuestion
    ) throws -> ConsolidationAnswer {
        try AnalysisStore.answer(db, chain: chain, question) ?? analyse(db, chain: chain, question)
    }

    /// Stores an answer in the archive, so that the next one to the same question is read; best effort.
    ///
    /// Answers about some types alone are not stored, nor those of nothing. Call it while the answer and its reader are
    /// open; then close the answer and the reader, and the recorder at last.
    /// - Parameter keepsEmpty: store an answer of nothing as well.
    /// - Returns: what must be closed; nil where nothing was recorded: a read-only archive, another writer.
    package static func store(
        _ answer: ConsolidationAnswer, _ db: Database, chain: Chain, archive path: String, keepsEmpty: Bool = false
    ) -> ArchiveRecorder? {
        let isEmpty = answer.verdicts.allSatisfy { $0.groups == 0 && $0.explained + $0.unexplained == 0 }
        guard !answer.wasStored, answer.question.types == nil, keepsEmpty || !isEmpty,
            let fingerprint = try? AnalysisFingerprints(db, chain).of(answer.question.to),
            let recorder = ArchiveRecorder(archive: path)
        else { return nil }
        let isRecorded = recorder.record { try AnalysisStore.save(answer, fingerprint: fingerprint, to: $0) }
        guard isRecorded else {
            recorder.close()
            return nil
        }
        return recorder
    }

    /// The questions of neighbours of which records disappeared and whose answers the archive lacks, the oldest first.
    package static func unanswered(_ db: Database, chain: Chain) throws -> [ConsolidationQuestion] {
        let rows = try Row.fetchAll(
            db,
            sql: """
                SELECT from_import_id, to_import_id, fingerprint FROM analysis_runs
                WHERE through = 0 AND rules_version = \(rulesVersion)
                """)
        var known: [Int64: (from: Int64, fingerprint: Digest256)] = [:]
        for row in rows { known[try row.get(1)] = try (row.get(0), row.get(2)) }
        let changed = try Int64.fetchSet(
            db, sql: "SELECT import_id FROM type_runs GROUP BY import_id HAVING total(disappeared_count) > 0")
        let fingerprints = try AnalysisFingerprints(db, chain)
        return zip(chain.finished, chain.finished.dropFirst()).compactMap { from, to in
            guard changed.contains(to.id) else { return nil }
            if let known = known[to.id], known.from == from.id, known.fingerprint == fingerprints.of(to) { return nil }
            return ConsolidationQuestion(from: from, to: to)
        }
    }

    /// Answers a question and stores the answer, on a connection that writes.
    package static func keep(_ db: Database, chain: Chain, _ question: ConsolidationQuestion) throws {
        let answer = try analyse(db, chain: chain, question)
        defer { answer.close() }
        try AnalysisStore.save(answer, fingerprint: AnalysisFingerprints(db, chain).of(question.to), to: db)
    }

    /// Makes sure that the archive has the answer about all types, for queries that read it there.
    ///
    /// - Returns: what must be closed behind the reader, as of `store`, and whether the answer is stored.
    package static func keep(
        _ db: Database, chain: Chain, _ question: ConsolidationQuestion, archive path: String
    ) throws -> (recorder: ArchiveRecorder?, isStored: Bool) {
        let answer = try answer(db, chain: chain, question.ofAllTypes)
        defer { answer.close() }
        let recorder = store(answer, db, chain: chain, archive: path, keepsEmpty: true)
        return (recorder, answer.wasStored || recorder != nil)
    }

    /// The statements that read the answer to a question where it is stored: its verdicts and its groups.
    ///
    /// - Parameter members: whether also the records of the groups.
    package static func printedQueries(
        _ db: Database, chain: Chain, _ question: ConsolidationQuestion, members: Bool
    ) throws -> [PrintedQuery] {
        try PrintedQuery.run(on: db) {
            let answer = try AnalysisStore.answer(db, chain: chain, question)
            try answer?.forEachGroup { _ in }
            if members { try answer?.reader.runMembers() }
        }.queries
    }

    /// The analysis itself, in temporary tables.
    static func analyse(_ db: Database, chain: Chain, _ question: ConsolidationQuestion) throws -> ConsolidationAnswer {
        let diff = try DiffTables(
            db, chain: chain, from: question.from, to: question.to, through: question.through, types: question.types,
            source: nil)
        defer { diff.drop() }
        let found = try findGroups(db, chain: chain, question) { scope, loader in
            try CandidateSeeds(db: db, scope: scope, loader: loader, question: question).collect()
        }
        let summary = try LabelledDiff.stored(db, chain, question) ?? diff.summary()
        return ConsolidationAnswer(
            question: question, diff: summary, verdicts: try found.verdicts(summary), reader: found.groups)
    }

    /// How far around an interval records are looked at, in seconds: no workout is longer.
    private static let neighbourhood: Int64 = 86_400

    /// The groups of the chain's history up to an observation that touch an interval, found among the records around it.
    ///
    /// - Parameters:
    ///   - types: ids of sample types.
    ///   - interval: Unix seconds.
    /// - Returns: an answer without verdicts, to the question of all that was visible from the first observation on.
    /// - Complexity: grows with the records of the types within a day around the interval.
    static func analyse(
        _ db: Database, chain: Chain, to: Observation, types: [Int64], around interval: ClosedRange<Int64>
    ) throws -> ConsolidationAnswer? {
        guard !types.isEmpty, let question = FinestState.question(chain, to: to) else { return nil }
        let near = """
            SELECT c.id FROM record_versions k INDEXED BY record_versions_timeline
            CROSS JOIN record_versions c ON c.id = k.id OR c.sample_id = k.id
            LEFT JOIN record_versions p ON p.id = c.payload_id
            WHERE k.sample_type_id IN (\(types.sqlList)) AND k.sample_id IS NULL AND k.device_chain_id = \(chain.id)
                AND k.start_seconds BETWEEN \(interval.lowerBound - neighbourhood) AND \(interval.upperBound + neighbourhood)
            """
        let found = try findGroups(db, chain: chain, question) { scope, loader in
            try loader.load(
                "\(near) AND c.closed_observation_id IN (\(scope.idList)) AND c.superseded = 0", as: .disappeared)
            try loader.load(
                """
                \(near) AND (c.opened_observation_id IS NOT NULL OR (\(CondenserIdentifier.condition("c.")))
                    OR (\(CondenserIdentifier.condition("p."))))
                """, as: .appeared)
            try loader.load("\(near) AND c.id IN (SELECT record_version_id FROM past_ranges)", as: .other)
            try WorkingTables.indexRecords(db)
        }
        return ConsolidationAnswer(question: question, diff: nil, verdicts: [], reader: found.groups)
    }

    /// Finds the groups among the records that `load` chooses, in temporary tables.
    static func findGroups(
        _ db: Database, chain: Chain, _ question: ConsolidationQuestion,
        load: (ChainScope, RecordLoader) throws -> Void
    ) throws -> VerdictBuilder {
        try WorkingTables.create(db)
        let scope = ChainScope(db, chain: chain, to: question.to)
        let names = ArchiveNames(db)
        let units = CanonicalUnits(names)
        try load(scope, RecordLoader(db, scope: scope, units: units, names: names))
        try GroupPasses(db: db, scope: scope, units: units).run()
        return VerdictBuilder(
            db: db, units: units, question: question, scope: scope,
            groups: GroupReader(db: db, schema: "temp", run: 0),
            members: try GroupAssembly(db: db, units: units, question: question).run())
    }
}
