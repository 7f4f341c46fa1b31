internal import Basics
internal import Days
internal import Evidence
internal import Foundation
internal import GRDB
internal import HealthModel
internal import Questions
internal import Store

/// The rows of a cache, written from the archive that is attached to its connection, in the order of seed 000: archive
/// health, observations, types, days and months, diffs, exports.
///
/// Everything but days and months is some thousands of rows, and is written whole. Days and months are kept up to the first
/// observation that changed.
struct CacheContents {
    let db: Database
    let hasKey: Bool
    private let identity: ArchiveIdentity
    private let chains: [Chain]
    let now = Int64(Date().timeIntervalSince1970)

    /// Counted up when the same archive gives other rows.
    private static let logicVersion = 4

    init(_ db: Database, _ keys: KeySearch) throws {
        self.db = db
        hasKey = try ArchiveStamp.hasKey(db, keys)
        identity = try ArchiveIdentity.read(db)
        chains = try Chain.names(db).compactMap { try Chain.read(db, name: $0) }.filter { !$0.finished.isEmpty }
    }

    /// What a cache says of the archive and the program that it is of.
    static func origin(_ identity: ArchiveIdentity) -> [String: String] {
        [
            "archive_uuid": identity.uuid, "archive_schema_version": "\(identity.schemaVersion)",
            "cache_schema_version": "\(CacheLayout.version)", "logic_version": "\(logicVersion)",
            "rules_version": "\(Consolidation.rulesVersion)", "program": HealthModel.program,
        ]
    }

    // MARK: - What is to be made

    func update() throws -> CacheBuilder.Outcome {
        let known = try CacheLayout.metadata(db)
        let stamp = try ArchiveStamp.read(db, hasKey: hasKey)
        let hashes = try observationHashes()
        guard Self.origin(identity).allSatisfy({ known[$0.key] == $0.value }) else {
            return try make(hashes, stamp, from: { _ in 0 }, isNew: true)
        }
        if known["stamp"] == stamp {
            return CacheBuilder.Outcome(kept: hashes.count)
        }
        let firsts = try chains.map { try firstChange($0, hashes, known) }
        // Whatever writes days writes a seal; what a repair wrote changed no observation.
        let isRepaired = try headSeal != known["seal"] && zip(chains, firsts).allSatisfy { $0.finished.count == $1 }
        return try make(hashes, stamp, from: { isRepaired ? 0 : firsts[$0] })
    }

    func rebuild(observations: Set<Int64>, types: TypeFilter?) throws -> CacheBuilder.Outcome {
        // Some of them are made again on top of a cache that is up to date.
        let isPartial = !observations.isEmpty || types != nil
        if isPartial { _ = try update() }
        let stamp = try ArchiveStamp.read(db, hasKey: hasKey)
        return try make(
            observationHashes(), stamp,
            from: { index in
                observations.isEmpty
                    ? 0
                    : chains[index].finished.firstIndex { observations.contains($0.id) } ?? chains[index].finished.count
            }, types, isNew: !isPartial)
    }

    /// The place of the first observation of a chain that the cache has not as it is now, or that has other ones before it.
    private func firstChange(_ chain: Chain, _ hashes: [Int64: String], _ known: [String: String]) throws -> Int {
        guard try known["zone \(chain.id)"] == zone(chain) else { return 0 }
        let cached = try Row.fetchAll(
            db,
            sql: """
                SELECT observationID, sourceAggregateHash FROM main.CachedObservationRow WHERE deviceChainID = ?
                ORDER BY chainPosition
                """, arguments: [chain.id])
        let same = try zip(chain.finished, cached).prefix { observation, row in
            try row.get(0) == observation.id && row.get(1) == hashes[observation.id]
        }.count
        // Later ones that are gone leave rows behind.
        return cached.count > chain.finished.count ? min(same, chain.finished.count - 1) : same
    }

    private func zone(_ chain: Chain) throws -> String? { try ChainZone.recorded(db, chain: chain.id)?.zone.name }

    private var headSeal: String? {
        get throws {
            try String.fetchOne(
                db, sql: "SELECT sequence || lower(hex(seal)) FROM seals ORDER BY sequence DESC LIMIT 1")
        }
    }

    /// `sourceAggregateHash` of every finished observation (docs/cache.md), by its id.
    private func observationHashes() throws -> [Int64: String] {
        var hashes: [Int64: String] = [:]
        for observation in chains.flatMap(\.finished) {
            let types = try String.fetchAll(
                db.cachedStatement(
                    sql: """
                        SELECT ifnull(lower(hex(r.aggregate_hash)), '') FROM type_runs r
                        JOIN sample_types t ON t.id = r.sample_type_id
                        WHERE r.import_id = ? ORDER BY t.type_identifier
                        """), arguments: [observation.id])
            let parts: [JSON] = [
                .optional(observation.stateDigest?.hex), .string(observation.status.rawValue),
                .optional(observation.position), .int(observation.observedAt), .double(observation.startedAt),
                .optional(observation.endedAt), .string(observation.typeSelection.json),
                .array(types.map { .string($0) }),
            ]
            hashes[observation.id] =
                Digest256(hashing: "hp:cache:1:observation:" + JSON.array(parts).canonicalText).hex
        }
        return hashes
    }

    // MARK: - Making

    /// - Parameters:
    ///   - first: the place of a chain's first observation to be made, by the chain's number here.
    ///   - types: of which days and months are made; nil for all.
    ///   - isNew: whether nothing of the cache is kept.
    private func make(
        _ hashes: [Int64: String], _ stamp: String, from first: (Int) -> Int, _ types: TypeFilter? = nil,
        isNew: Bool = false
    ) throws -> CacheBuilder.Outcome {
        let before = try Set(Int64.fetchAll(db, sql: "SELECT observationID FROM main.CachedObservationRow"))
        if isNew {
            for table in ["cached_buckets", "cached_texts", "cache_metadata"] {
                try db.execute(sql: "DELETE FROM main.\(table)")
            }
            try set("cache_build_id", UUID().uuidString.lowercased())
        }
        for (key, value) in Self.origin(identity) { try set(key, value) }
        try set("stamp", stamp)
        try set("seal", headSeal ?? "")
        try set("computed_at", "\(now)")
        for table in CacheLayout.entities where !table.hasSuffix("lyAggregate") {
            try db.execute(sql: "DELETE FROM main.\(table)")
        }
        try writeHealth()
        try writeObservations(hashes)
        try writeTypes()
        try writeBuckets(from: first, types)
        try writeDiffs(hashes)
        try writeExports()
        let made = zip(chains.indices, chains).reduce(0) { $0 + max(0, $1.1.finished.count - first($1.0)) }
        return CacheBuilder.Outcome(
            made: made, kept: hashes.count - made, dropped: before.subtracting(hashes.keys).count)
    }

    private func set(_ key: String, _ value: String) throws {
        try db.execute(sql: "INSERT OR REPLACE INTO main.cache_metadata VALUES (?, ?)", arguments: [key, value])
    }

    private func writeHealth() throws {
        let counts = try ArchiveInfo.RowCounts.read(db)
        let log = try RunLog.read(db)
        let (check, failure) = (RunLog.lastCheck(log), RunLog.lastError(log))
        try db.execute(
            sql: """
                INSERT INTO main.CachedArchiveHealth
                SELECT (SELECT value FROM archive_metadata WHERE key = 'schema_version'), \(CacheLayout.version), ?, ?, ?, ?,
                    (SELECT value FROM cache_metadata WHERE key = 'cache_build_id'), \(now),
                    (SELECT value FROM archive_metadata WHERE key = 'failed_check'), ?, ?, ?,
                    (SELECT count(*) FROM seals), (SELECT max(sequence) FROM seals),
                    (SELECT page_count FROM pragma_page_count('archive')) * (SELECT page_size FROM pragma_page_size('archive'))
                """,
            arguments: [
                check.map { Int64($0.loggedAt) }, check?.outcome, failure?.row.outcome, failure?.messageHash.hex,
                counts.samples, counts.versions, counts.recordVersions,
            ])
    }

    private func writeObservations(_ hashes: [Int64: String]) throws {
        try db.execute(
            sql: """
                INSERT INTO main.CachedObservationRow
                SELECT o.id, CAST(o.observed_at AS INTEGER), o.status, o.trigger_reason, o.time_zone_identifier,
                    count(*) FILTER (WHERE r.status <> 'excluded'), ifnull(sum(s.visible_record_count), 0),
                    ifnull(sum(s.appeared_count), 0), ifnull(sum(s.disappeared_count), 0),
                    ifnull(sum(s.representation_changed_count), 0), o.schema_version, \(CacheLayout.version),
                    h.value, \(now), o.device_chain_id, o.chain_position,
                    (SELECT count(*) FROM quarantine q WHERE q.import_id = o.id), o.status = 'partial', o.source_name,
                    o.notes
                FROM observations o
                JOIN json_each(?) h ON CAST(h.key AS INTEGER) = o.id
                LEFT JOIN observation_type_runs r ON r.observation_id = o.id
                LEFT JOIN observation_type_summaries s
                    ON s.observation_id = o.id AND s.sample_type_id = r.sample_type_id
                GROUP BY o.id
                """, arguments: [Self.text(hashes.map { ("\($0.key)", .string($0.value)) })])
    }

    static func text(_ members: [(String, JSON)]) -> String { JSON.object(members).canonicalText }

    private func writeTypes() throws {
        let names = try SampleTypeNames.read(db).values.map { ($0, JSON.string(shortIdentifier($0))) }
        // A type whose records have several units has no sum.
        try db.execute(
            sql: """
                INSERT INTO main.CachedTypeSummary
                WITH n (key, value) AS MATERIALIZED (SELECT key, value FROM json_each(?))
                SELECT r.observation_id, r.type_identifier, n.value, s.visible_record_count, s.appeared_count,
                    s.disappeared_count, s.representation_changed_count, CAST(s.earliest_start_date AS INTEGER),
                    CAST(s.latest_end_date AS INTEGER), iif(x.units = 1, x.value_sum, NULL),
                    iif(x.units = 1, x.value_max, NULL), s.aggregate_hash, \(now), r.status, r.read_count,
                    iif(x.units = 1, x.unit, NULL), ifnull(x.sources, 0)
                FROM main.CachedObservationRow o
                JOIN observation_type_runs r ON r.observation_id = o.observationID
                JOIN observation_type_summaries s
                    ON s.observation_id = r.observation_id AND s.sample_type_id = r.sample_type_id
                JOIN n ON n.key = r.type_identifier
                LEFT JOIN (
                    SELECT t.import_id, t.sample_type_id, count(DISTINCT t.source_id) AS sources,
                        count(DISTINCT t.unit_id) FILTER (WHERE t.number_count > 0) AS units, max(u.unit) AS unit,
                        sum(t.value_sum) FILTER (WHERE t.number_count > 0) AS value_sum,
                        max(t.value_max) FILTER (WHERE t.number_count > 0) AS value_max
                    FROM type_sums t LEFT JOIN units u ON u.id = t.unit_id
                    WHERE t.visible_count > 0 GROUP BY t.import_id, t.sample_type_id
                ) x ON x.import_id = r.observation_id AND x.sample_type_id = r.sample_type_id
                """, arguments: [Self.text(names)])
    }

    private func writeBuckets(from first: (Int) -> Int, _ types: TypeFilter?) throws {
        let chainsNow = chains.map { "\($0.id)" }.joined(separator: ", ")
        try db.execute(sql: "DELETE FROM main.cached_buckets WHERE device_chain_id NOT IN (\(chainsNow))")
        let writer = try BucketWriter(db)
        for (index, chain) in chains.enumerated() {
            if let zone = try zone(chain) { try set("zone \(chain.id)", zone) }
            try writer.write(chain, from: first(index), types)
        }
    }

    private func writeDiffs(_ hashes: [Int64: String]) throws {
        for chain in chains {
            for (from, to) in zip(chain.finished, chain.finished.dropFirst()) {
                guard var diff = try StoredDiff.read(db, chain, at: to, days: [:]) else { continue }
                let isAnalysed = try LabelledDiff.label(&diff, db, chain: chain) != nil
                let labels = diff.types.map { type in
                    JSON.array([
                        .string(type.type),
                        isAnalysed ? .int(type.labels.contains(.consolidationLikely) ? 1 : 0) : .null,
                        .string(type.uncertainty.map(\.rawValue).joined(separator: ",")),
                    ])
                }
                let sides = [from, to].map { JSON.optional(hashes[$0.id]) }
                let hash = Digest256(hashing: "hp:cache:2:diff:" + JSON.array(sides + labels).canonicalText)
                try db.execute(
                    sql: """
                        INSERT INTO main.CachedDiffSummary
                        SELECT ?1, ?2, l.value ->> 0, ifnull(b.appearedCount, 0), ifnull(b.disappearedCount, 0),
                            ifnull(b.representationChangedCount, 0), l.value ->> 1, l.value ->> 2, ?3, \(now),
                            ifnull(a.visibleRecordCount, 0), ifnull(b.visibleRecordCount, 0)
                        FROM json_each(?4) l
                        LEFT JOIN main.CachedTypeSummary a
                            ON a.observationID = ?1 AND a.sampleTypeIdentifier = l.value ->> 0
                        LEFT JOIN main.CachedTypeSummary b
                            ON b.observationID = ?2 AND b.sampleTypeIdentifier = l.value ->> 0
                        """, arguments: [from.id, to.id, hash.hex, JSON.array(labels).canonicalText])
            }
        }
    }
}
