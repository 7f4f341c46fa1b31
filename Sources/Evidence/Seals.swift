internal import Basics
internal import Foundation
package import GRDB
internal import HealthModel
package import Store

/// The chain of seals: one for each finished observation, in the order of importing, each over the one before it.
package enum Seals {
    /// The first seal, as SQL, whose rows a repair has not made again: what could not be saved was sealed before it.
    static let afterRepair = """
        ifnull((SELECT max(sequence) FROM seals WHERE json_extract(statement, '$.kind') = 'repair'), 0)
        """

    /// The first seal, as SQL, behind which no row of `metadata_sets` was removed.
    static let afterRemoval = """
        ifnull((SELECT max(sequence) FROM seals WHERE json_extract(statement, '$.kind') IN ('repair', 'withdrawal')), 0)
        """

    /// Why a seal is written; the member `kind` of its statement.
    enum Kind: String {
        case observation
        case repair
        /// No observation is new: the seal covers what the run log got since the one before.
        case log
        case withdrawal
    }

    /// Seals an observation in the caller's transaction, which is the one that makes it visible.
    ///
    /// Nothing may change the observation's rows behind it. Observations that were derived again because this one was
    /// placed before them (or supplemented) are named with their new facts and change lists; the statement supersedes
    /// what earlier seals said of them, and rewrites none.
    /// - Parameters:
    ///   - changes: the digest of its change list; nil to read the list from storage (a pass over all rows).
    ///   - rederived: ids of observations whose rows or changes are no longer what was sealed.
    ///   - libraries: names and versions of the libraries that read the export.
    /// - Returns: the seal.
    @discardableResult
    package static func write(
        _ db: Database, observation: Int64, changes: ChangeDigest? = nil, rederived: [Int64] = [],
        libraries: [(String, String)] = []
    ) throws -> Seal {
        let known = try effective(db)
        let subjects = try ([observation] + rederived).map {
            try subject(db, $0, changes: $0 == observation ? changes : nil, known[$0])
        }
        return try append(db, .observation, observation: observation, subjects, libraries)
    }

    /// Seals an observation again of which something is new beside its changes, in the caller's transaction.
    package static func restate(_ db: Database, observation: Int64) throws {
        let known = try effective(db)[observation]
        // Stated as before and not read again: what nobody changed must not be made true by a new seal either.
        try write(db, observation: observation, changes: known?.changeDigest)
    }

    /// - Throws: `integrityFailure` where an observation is not as it was sealed, so that no new seal hides it.
    package static func requireSealed(_ db: Database, observation: Int64) throws {
        guard let known = try effective(db)[observation],
            try SealFacts.read(db, observation: observation).canonicalText == known.facts
        else {
            throw HealthProbeError(
                .integrityFailure, "Observation \(observation) is not as it was sealed.",
                hint: "Run healthprobe check; restore a backup where it fails.")
        }
    }

    /// What a statement says of one observation, of which another was sealed before.
    ///
    /// - Parameters:
    ///   - facts: nil to read them.
    ///   - changes: nil to read them from storage.
    private static func subject(
        _ db: Database, _ id: Int64, facts: JSON? = nil, changes: ChangeDigest? = nil, _ superseded: Effective?
    ) throws -> JSON {
        try .object([
            ("changes", (changes ?? StoredChanges.digest(db, observation: id)).json),
            ("facts", facts ?? SealFacts.read(db, observation: id)),
            ("supersedes", .optional(superseded?.sequence)),
        ])
    }

    /// Seals what a repair has made of the observations.
    package static func writeRepair(_ db: Database, rederived: [Int64]) throws {
        let known = try effective(db)
        let subjects = try rederived.map { try subject(db, $0, known[$0]) }
        try append(db, .repair, observation: nil, subjects, [])
    }

    /// Seals the run log to its end, in the caller's transaction.
    ///
    /// - Throws: `integrityFailure` where rows are not as the newest seal says, so that no new seal hides it.
    package static func writeLog(_ db: Database) throws {
        let problem = try SealedRows.problem(db) ?? SealedSets.problem(db) ?? RowDigests.problem(db, .runLog)
        if let problem {
            throw HealthProbeError(
                .integrityFailure, "The archive is not as it was sealed: \(problem).",
                hint: "Run healthprobe check; restore a backup where it fails.")
        }
        try append(db, .log, observation: nil, [], [])
    }

    /// Seals that an observation was withdrawn, with what that changed of others.
    ///
    /// - Parameters:
    ///   - known: what was sealed of each observation before.
    ///   - rederived: those of which changes are others now; of further ones only rows may be.
    package static func writeWithdrawal(
        _ db: Database, of withdrawn: Observation, reason: String, known: [Int64: Effective], rederived: [Int64]
    ) throws -> (seal: Seal, resealed: [Int64]) {
        var subjects: [JSON] = []
        var resealed: [Int64] = []
        for id in try Observation.finishedIDs(db) {
            let facts = try SealFacts.read(db, observation: id)
            guard rederived.contains(id) || facts.canonicalText != known[id]?.facts else { continue }
            let changes = rederived.contains(id) ? nil : known[id]?.changeDigest
            subjects.append(try subject(db, id, facts: facts, changes: changes, known[id]))
            resealed.append(id)
        }
        let statement = JSON.object([
            ("id", .int(withdrawn.id)), ("reason", .string(reason)),
            ("sourceSHA256", .optional(withdrawn.sourceSHA256?.hex)),
            ("supersedes", .optional(known[withdrawn.id]?.sequence)),
            ("xmlSHA256", .optional(withdrawn.xmlSHA256?.hex)),
        ])
        let seal = try append(db, .withdrawal, observation: withdrawn.id, subjects, [], withdrawn: statement)
        return (seal, resealed)
    }

    @discardableResult
    private static func append(
        _ db: Database, _ kind: Kind, observation: Int64?, _ subjects: [JSON], _ libraries: [(String, String)],
        withdrawn: JSON? = nil
    ) throws -> Seal {
        let before = try latest(db)
        let uuid = try ArchiveIdentity.read(db).uuid
        let (sequence, isBeyond) = (before?.sequence ?? 0).addingReportingOverflow(1)
        if isBeyond { throw HealthProbeError.unreadableValue }
        let sqlite = try String.fetchOne(db, sql: "SELECT sqlite_version()") ?? ""
        let versions = libraries + [("sqlite", sqlite), ("zlib", Deflate.libraryVersion)]
        let heads = try RowDigests.Table.allCases.compactMap { table in
            try RowDigests.head(db, table).map { (table.rawValue, $0.json) }
        }
        let statement = JSON.object(
            (withdrawn.map { [("withdrawn", $0)] } ?? []) + [
                ("archive", .string(uuid)), ("kind", .string(kind.rawValue)),
                ("libraries", .object(versions.map { ($0.0, .string($0.1)) })),
                ("observations", .array(subjects)),
                ("previous", before.map { .string($0.digest.hex) } ?? .null),
                ("program", .string(HealthModel.program)),
                ("metadataSets", try SealedSets.json(db, kind)), ("rows", try SealedRows.json(db)),
                ("sealedAt", .double(Date().timeIntervalSince1970)), ("sequence", .int(sequence)),
                ("tables", .object(heads)), ("version", .int(Seal.statementVersion)),
            ]
        ).canonicalText
        let seal = Seal(
            sequence: sequence, observation: observation, digest: Seal.digest(of: statement), statement: statement)
        try db.execute(
            sql: "INSERT INTO seals (sequence, import_id, seal, statement) VALUES (?, ?, ?, ?)",
            arguments: [sequence, observation, seal.digest, statement])
        return seal
    }

    /// The newest seal; nil where nothing is sealed yet.
    package static func latest(_ db: Database) throws -> Seal? {
        try Row.fetchOne(db, sql: "SELECT * FROM seals ORDER BY sequence DESC LIMIT 1").map { try seal($0) }
    }

    static func at(_ db: Database, sequence: Int64) throws -> Seal? {
        try Row.fetchOne(db, sql: "SELECT * FROM seals WHERE sequence = ?", arguments: [sequence]).map { try seal($0) }
    }

    private static func seal(_ row: Row) throws -> Seal {
        guard let seal = Seal(row) else { throw try HealthProbeError.damagedRow("seals", row.get("sequence")) }
        return seal
    }

    /// The seal whose statement about an observation holds; nil where it is not sealed.
    package static func holding(_ db: Database, observation: Int64) throws -> Seal? {
        try effective(db)[observation].flatMap { try at(db, sequence: $0.sequence) }
    }

    /// Names and versions of the libraries with which an observation was read, as its first seal states them.
    package static func libraries(_ db: Database, observation: Int64) throws -> [(name: String, version: String)] {
        try Row.fetchAll(
            db,
            sql: """
                SELECT l.key AS name, l.value AS version FROM seals s, json_each(s.statement, '$.libraries') l
                WHERE s.sequence = (SELECT min(sequence) FROM seals WHERE import_id = ?) ORDER BY l.key
                """,
            arguments: [observation]
        ).map { try ($0.get("name"), $0.get("version")) }
    }

    /// All seals in order, one at a time.
    package static func forEach(_ db: Database, _ body: (Seal) throws -> Void) throws {
        let rows = try Row.fetchCursor(db, sql: "SELECT * FROM seals ORDER BY sequence")
        while let row = try rows.next() { try body(seal(row)) }
    }

    /// The last seal to which the chain leads from the first one on, and whether it is broken behind that.
    ///
    /// - Parameter most: the sequence number behind which no seal is looked at.
    package static func unbroken(_ db: Database, through most: Int64 = .max) throws -> (last: Seal?, isBroken: Bool) {
        var last: Seal?
        let rows = try Row.fetchCursor(
            db, sql: "SELECT * FROM seals WHERE sequence <= ? ORDER BY sequence", arguments: [most])
        while let row = try rows.next() {
            guard let seal = Seal(row), seal.sequence == (last?.sequence ?? 0) + 1,
                Seal.digest(of: seal.statement) == seal.digest,
                seal.statement.contains(last.map { "\"previous\":\"\($0.digest.hex)\"" } ?? "\"previous\":null")
            else { return (last, true) }
            last = seal
        }
        return (last, false)
    }

    /// What the newest statement about an observation says, as the texts that were hashed.
    package struct Effective {
        var sequence: Int64
        package var facts: String
        package var changes: String

        var changeDigest: ChangeDigest? {
            guard let stated = JSON.parse(changes), let count = stated["count"]?.int,
                let sha256 = stated["sha256"]?.string.flatMap({ Digest256(hex: $0) })
            else { return nil }
            return ChangeDigest(count: Int(count), sha256: sha256)
        }
    }

    /// The statement that holds for each observation, by id; none of withdrawn ones.
    package static func effective(_ db: Database) throws -> [Int64: Effective] {
        var found: [Int64: Effective] = [:]
        let rows = try Row.fetchCursor(
            db,
            sql: """
                SELECT s.sequence, json_extract(e.value, '$.facts.id') AS id, json_extract(e.value, '$.facts') AS facts,
                    json_extract(e.value, '$.changes') AS changes
                FROM seals s, json_each(s.statement, '$.observations') e
                WHERE json_extract(e.value, '$.facts.id') NOT IN (
                    SELECT json_extract(statement, '$.withdrawn.id') FROM seals
                    WHERE json_extract(statement, '$.kind') = 'withdrawal')
                ORDER BY s.sequence
                """)
        while let row = try rows.next() {
            guard let id = try row.get("id") as Int64?, let facts = try row.get("facts") as String?,
                let changes = try row.get("changes") as String?
            else { continue }
            found[id] = try Effective(sequence: row.get("sequence"), facts: facts, changes: changes)
        }
        return found
    }
}
