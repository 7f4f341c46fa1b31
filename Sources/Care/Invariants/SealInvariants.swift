internal import Basics
internal import Evidence
internal import Foundation
internal import GRDB
internal import HealthModel
internal import Store

/// The chain of seals holds, and what it states follows from the rows.
enum SealInvariants {
    static let all = [
        InvariantCheck("S01-sealChain", chain),
        InvariantCheck("S02-sealedFacts", facts),
        InvariantCheck("S03-changeLists", changeLists),
        InvariantCheck("S04-runningDigests", runningDigests),
        InvariantCheck("S05-rememberedHead", rememberedHead),
        InvariantCheck("S06-loggedRows") { try LoggedRows.problem($0.db) ?? LoggedRows.unlogged($0.db) },
    ]

    /// Every statement gives its seal and names the one before it; every finished observation is in one of them.
    private static func chain(_ scope: CheckScope) throws -> String? {
        let uuid = try ArchiveIdentity.read(scope.db).uuid
        var last: Seal?
        let rows = try Row.fetchCursor(
            scope.db,
            sql: """
                SELECT *, json_valid(statement) AND json_extract(statement, '$.archive') = ? AS own,
                    iif(json_valid(statement), json_extract(statement, '$.sequence'), 0) AS stated,
                    iif(json_valid(statement), json_extract(statement, '$.previous'), 0) AS previous,
                    iif(json_valid(statement), CASE json_extract(statement, '$.kind') WHEN 'repair' THEN NULL
                        WHEN 'withdrawal' THEN json_extract(statement, '$.withdrawn.id')
                        ELSE json_extract(statement, '$.observations[0].facts.id') END, 0) AS subject
                FROM seals ORDER BY sequence
                """, arguments: [uuid])
        while let row = try rows.next() {
            guard let seal = Seal(row) else { return "a seal is malformed" }
            let expected = (last?.sequence ?? 0) + 1
            if seal.sequence != expected { return "seal \(expected) is missing" }
            if Seal.digest(of: seal.statement) != seal.digest { return "seal \(expected) does not match its statement" }
            if try row.get("own") != 1 { return "seal \(expected) is of another archive" }
            if try row.get("stated") != seal.sequence || row.get("previous") as String? != last?.digest.hex {
                return "seal \(expected) does not continue the one before it"
            }
            if try row.get("subject") != seal.observation {
                return "seal \(expected) is not of the observation it names"
            }
            last = seal
        }
        let sealed = try Seals.effective(scope.db)
        if let detail = try scope.observations(
            "observations without a seal", where: { _, observation, _ in sealed[observation.id] == nil })
        {
            return detail
        }
        var violations = Violations()
        let finished = Set(try scope.chains().flatMap(\.finished).map(\.id))
        for id in sealed.keys.sorted() where !finished.contains(id) { violations.add(id) }
        return violations.detail("sealed observations that do not exist")
    }

    /// The facts in the newest statement about each observation.
    private static func facts(_ scope: CheckScope) throws -> String? {
        let sealed = try Seals.effective(scope.db)
        let detail = try scope.observations("observations that are not as they were sealed") { _, observation, _ in
            guard let statement = sealed[observation.id] else { return false }
            return try SealFacts.read(scope.db, observation: observation.id).canonicalText != statement.facts
        }
        return try detail ?? SealedRows.problem(scope.db) ?? SealedSets.problem(scope.db)
    }

    /// The list of each observation's changes.
    private static func changeLists(_ scope: CheckScope) throws -> String? {
        let sealed = try Seals.effective(scope.db)
        try scope.requireTransitions()
        let what = "observations whose changes are not those that were sealed"
        return try scope.observations(what) { _, observation, position in
            guard let statement = sealed[observation.id] else { return false }
            let digest =
                position == 1
                ? try StoredChanges.digest(scope.db, observation: observation.id)
                : try StoredChanges.digest(transitionsOf: observation.id, scope.db)
            return digest.json.canonicalText != statement.changes
        }
    }

    /// The rows of each append-only table lead from the first to the last, through what seals name of them.
    private static func runningDigests(_ scope: CheckScope) throws -> String? {
        for table in RowDigests.Table.allCases {
            if let problem = try RowDigests.problem(scope.db, table) { return problem }
        }
        if let problem = try ExportRecords.problem(scope.db) { return problem }
        let epochs = try Row.fetchOne(scope.db, sql: "SELECT id, key_id FROM key_epochs ORDER BY id DESC LIMIT 1")
        let identity = try ArchiveIdentity.read(scope.db)
        if try epochs?.get("id") != identity.keyEpoch || epochs?.get("key_id") != identity.keyID {
            return "the archive's key is not that of the newest epoch"
        }
        return nil
    }

    /// The archive has everything that was seen before at this path.
    private static func rememberedHead(_ scope: CheckScope) throws -> String? {
        guard let place = scope.place else { return nil }
        return try RememberedHead.compare(scope.db, path: place.path, environment: place.environment).missing
    }
}
