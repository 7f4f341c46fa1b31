internal import Evidence
internal import Foundation
internal import GRDB
internal import HealthModel
internal import Store

/// Keeps the results of analyses in the archive, one run for each question without a choice of types.
///
/// A run is used as long as the chain's states up to the later observation are those that it was made of, and the rules
/// are of the same version.
enum AnalysisStore {
    /// The database that has the archive: `archive` if it is attached to a cache, else `main`.
    private static func archiveSchema(_ db: Database) throws -> String {
        try String.fetchOne(db, sql: "SELECT name FROM pragma_database_list WHERE name = 'archive'") ?? "main"
    }

    /// The stored answer to a question; nil where there is none that still holds.
    static func answer(
        _ db: Database, chain: Chain, _ question: ConsolidationQuestion
    ) throws -> ConsolidationAnswer? {
        let fingerprint = try AnalysisFingerprints(db, chain).of(question.to)
        let ofTypes = try question.types.map { types in
            "AND t.sample_type_id IN (\(try SampleTypeNames.ids(db, matching: types).sqlList))"
        }
        let rows = try Row.fetchAll(
            db,
            sql: """
                /* What the stored analysis says of each type */
                SELECT r.id AS run, n.type_identifier, t.sample_type_id, t.verdict
                FROM analysis_runs r LEFT JOIN analysis_types t ON t.run_id = r.id \(ofTypes ?? "")
                LEFT JOIN sample_types n ON n.id = t.sample_type_id
                WHERE r.from_import_id = ? AND r.to_import_id = ? AND r.through = ? AND r.rules_version = ?
                    AND r.fingerprint = ?
                ORDER BY n.type_identifier
                """,
            arguments: [
                question.from.id, question.to.id, question.through, Consolidation.rulesVersion, fingerprint,
            ])
        guard let run: Int64 = try rows.first?.get("run") else { return nil }
        // A damaged name is told with its row.
        _ = try SampleTypeNames.read(db)
        var verdicts: [ConsolidationVerdict] = []
        var types: Set<Int64> = []
        for row in rows {
            guard let type: Int64 = try row.get("sample_type_id") else { continue }
            guard try row.get("type_identifier") as String? != nil else {
                throw HealthProbeError.damagedRow("sample_types", type)
            }
            // A verdict of an unknown form is no answer: it is made again.
            guard let verdict = StoredText.decode(ConsolidationVerdict.self, try row.get("verdict")) else { return nil }
            verdicts.append(verdict)
            types.insert(type)
        }
        return ConsolidationAnswer(
            question: question, diff: nil, verdicts: verdicts,
            reader: GroupReader(
                db: db, schema: try archiveSchema(db), run: run, types: question.types == nil ? nil : types),
            wasStored: true)
    }

    /// Stores an answer in place of an earlier one to the same question.
    static func save(_ answer: ConsolidationAnswer, fingerprint: Digest256, to db: Database) throws {
        let question = answer.question
        let source = answer.reader.db
        try db.execute(
            sql: "DELETE FROM analysis_runs WHERE from_import_id = ? AND to_import_id = ? AND through = ?",
            arguments: [question.from.id, question.to.id, question.through])
        try db.execute(
            sql: """
                INSERT INTO analysis_runs (from_import_id, to_import_id, through, rules_version, fingerprint, created_at)
                VALUES (?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                question.from.id, question.to.id, question.through, Consolidation.rulesVersion, fingerprint,
                Date().timeIntervalSince1970,
            ])
        let run = db.lastInsertedRowID
        let insertType = try db.makeStatement(
            sql: """
                INSERT INTO analysis_types SELECT ?, id, ? FROM sample_types WHERE type_identifier = ?
                """)
        for verdict in answer.verdicts {
            try insertType.execute(arguments: [run, try StoredText.encode(verdict), verdict.type])
        }
        try copyGroups(from: source, to: db, run: run)
        try copyMembers(from: source, to: db, run: run)
        // On the writer's own connection the temporary tables would be taken for those of the archive.
        if source === db { answer.close() }
        let asked = "\(question.from.id)-\(question.to.id)-\(question.through ? 1 : 0)"
        try LoggedRows.append(db, .analysis, subject: asked, outcome: "stored")
    }

    private static func copyGroups(from source: Database, to db: Database, run: Int64) throws {
        let columns = "number, sample_type_id, basis, completeness, workout, declared_count, evidence"
        let insert = try db.makeStatement(
            sql: "INSERT INTO main.analysis_groups (run_id, \(columns)) VALUES (\(run), ?, ?, ?, ?, ?, ?, ?)")
        let rows = try Row.fetchCursor(source, sql: "SELECT \(columns) FROM temp.analysis_groups ORDER BY number")
        while let row = try rows.next() { try insert.execute(arguments: StatementArguments(row.databaseValues)) }
    }

    /// Copies one row for each constituent, all of integers.
    private static func copyMembers(from source: Database, to db: Database, run: Int64) throws {
        let columns = "number, role, record_version_id, disappeared_record_version_id, last_import_id, nested"
        let insert = try PreparedStatement(
            db, "INSERT INTO main.analysis_members (run_id, \(columns)) VALUES (\(run), ?, ?, ?, ?, ?, ?)")
        let rows = try PreparedStatement(
            source, "SELECT \(columns) FROM temp.analysis_members ORDER BY number, role, record_version_id")
        while try rows.step() {
            for column in Int32(0)..<6 { insert.bind(column + 1, optional: rows.optionalInt(column)) }
            try insert.run()
        }
    }
}

/// What a chain's states up to its observations are: ids, order, status and digest of each, and how its types ended.
struct AnalysisFingerprints {
    private let chain: Chain
    private let states: [String]
    /// How the types of each observation ended.
    private var types: [Int64: String] = [:]

    init(_ db: Database, _ chain: Chain) throws {
        self.chain = chain
        states = chain.finished.map(Self.text)
        let rows = try Row.fetchCursor(
            db,
            sql: """
                SELECT import_id, status, count(*), total(sample_type_id) FROM type_runs
                WHERE import_id IN (\(chain.finished.map(\.id).sqlList)) GROUP BY 1, 2 ORDER BY 1, 2
                """)
        while let row = try rows.next() {
            let id: Int64 = try row.get(0)
            types[id, default: ""] += try
                ";\(id),\(row.get(1) as String),\(row.get(2) as Int64),\(row.get(3) as Double)"
        }
    }

    /// That of the states up to an observation.
    func of(_ to: Observation) -> Digest256 {
        let earlier = chain.finished.prefix { $0.id != to.id }
        let ids = (earlier + [to]).map(\.id).sorted()
        return Digest256(
            hashing: "hp:analysis:\(chain.id)" + states.prefix(earlier.count).joined() + Self.text(to)
                + ids.map { types[$0] ?? "" }.joined())
    }

    private static func text(_ observation: Observation) -> String {
        ";\(observation.id),\(observation.status.rawValue),\(observation.observedAt),"
            + (observation.stateDigest?.hex ?? "") + "," + observation.typeSelection.json
    }
}
