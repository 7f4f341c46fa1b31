internal import Analysis
internal import ArchiveFile
internal import ArchiveRows
internal import ArchiveWriting
internal import GRDB
internal import HealthModel
internal import TextFormats

/// What the archive says of the sources of all groups, in one of its states.
struct ArchiveState: Sendable {
    /// Which state: two with the same stamp have the same sources, unless somebody edited the archive by hand.
    let stamp: String
    let identity: ArchiveIdentity
    let schemaVersion: Int64
    /// Those with finished observations.
    let chains: [Chain]
    /// By type id.
    let typeNames: [Int64: String]
    let typeIDs: [ExactText: Int64]
    /// Bytes of the archive without its log.
    let byteCount: Int64
    let hasKey: Bool
    /// The newest seal with its number; whatever writes days writes one.
    let headSeal: String
    /// By observation and type id.
    private var typeHashes: [Int64: [Int64: Digest256]] = [:]
    /// The types of which an observation shows records.
    private var visibleTypes: [Int64: [Int64]] = [:]
    private var observationHashes: [Int64: Digest256] = [:]
    private var chainOf: [Int64: Int] = [:]
    /// SHA-256 of the zone of each chain: its offsets are kilobytes, and every month's group is of it.
    private var zones: [Int64: String] = [:]
    /// The newest seal that speaks of an observation; under 0 the newest of a repair or of a withdrawn one.
    private var seals: [Int64: Int64] = [:]
    /// The kept analyses by from, to and through.
    private var analyses: [[Int64]: Int64] = [:]

    /// Reads the state.
    ///
    /// - Complexity: grows with the rows of `type_runs` and `type_sums`.
    init(_ db: ArchiveDatabase, _ keys: KeySearch) throws {
        identity = try ArchiveIdentity.read(db)
        hasKey = try ArchiveStamp.hasKey(db, keys)
        stamp = try ArchiveStamp.read(db, hasKey: hasKey)
        schemaVersion = try Int64.fetchOne(db, sql: "PRAGMA user_version") ?? 0
        byteCount =
            try Int64.fetchOne(
                db, sql: "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size") ?? 0
        headSeal =
            try String.fetchOne(
                db, sql: "SELECT sequence || lower(hex(seal)) FROM seals ORDER BY sequence DESC LIMIT 1") ?? "none"
        typeNames = try SampleTypeNames.read(db)
        typeIDs = Dictionary(typeNames.map { (ExactText($0.value), $0.key) }) { first, _ in first }
        chains = try Chain.names(db).compactMap { try Chain.read(db, name: $0) }.filter { !$0.finished.isEmpty }
        for (index, chain) in chains.enumerated() {
            for observation in chain.finished {
                chainOf[observation.id] = index
                try readObservation(db, observation)
            }
        }
        for row in try Row.fetchAll(db, sql: "SELECT device_chain_id, time_zone, origin, offsets FROM chain_zones") {
            let texts: [String] = try [row.get("time_zone"), row.get("origin"), row.get("offsets")]
            zones[try row.get("device_chain_id")] = Digest256(hashing: texts.joined(separator: ";")).hex
        }
        for row in try Row.fetchAll(db, sql: "SELECT import_id, max(sequence) AS s FROM seals GROUP BY import_id") {
            let id = try row.get("import_id") as Int64? ?? 0
            let place = chainOf[id] == nil ? 0 : id
            seals[place] = max(seals[place] ?? 0, try row.get("s"))
        }
        for row in try Row.fetchAll(db, sql: "SELECT id, from_import_id, to_import_id, through FROM analysis_runs") {
            let key: [Int64] = try [row.get("from_import_id"), row.get("to_import_id"), row.get("through")]
            analyses[key] = try row.get("id")
        }
    }

    private mutating func readObservation(_ db: ArchiveDatabase, _ observation: Observation) throws {
        let hashes = try AggregateHash.compute(db, importID: observation.id)
        typeHashes[observation.id] = hashes
        visibleTypes[observation.id] = try Int64.fetchAll(
            db.cachedStatement(
                sql: "SELECT sample_type_id FROM type_runs WHERE import_id = ? AND visible_count > 0 ORDER BY 1"),
            arguments: [observation.id])
        let ordered = hashes.sorted { (typeNames[$0.key] ?? "") < (typeNames[$1.key] ?? "") }
        observationHashes[observation.id] = Self.hash(
            "observation",
            [
                .optional(observation.stateDigest?.hex), .string(observation.status.rawValue),
                .optional(observation.position), .int(observation.observedAt), .double(observation.startedAt),
                .optional(observation.endedAt), .string(observation.typeSelection.json),
                .array(ordered.map { .string($0.value.hex) }),
            ])
    }

    private static func hash(_ what: String, _ values: [JSON]) -> Digest256 {
        Digest256(hashing: "hp:cache:1:\(what):" + JSON.array(values).canonicalText)
    }

    /// Reads the archive in this state.
    ///
    /// - Throws: `GroupMaker.Stale` where it has changed, and what the archive throws.
    func read<R>(_ reader: any ArchiveAccess, _ body: (ArchiveDatabase) throws -> R) throws -> R {
        try reader.read { db in
            guard try ArchiveStamp.read(db, hasKey: hasKey) == stamp else { throw GroupMaker.Stale() }
            return try body(db)
        }
    }

    // MARK: - Sources

    /// A group of these rows.
    ///
    /// - Throws: `GroupMaker.Stale` where this archive cannot have it.
    func group(_ key: CacheKey, _ rows: CacheRows) throws -> CacheGroup {
        guard let source = source(of: key) else { throw GroupMaker.Stale() }
        return CacheGroup(key: key, source: source, rows: rows)
    }

    /// The groups that a whole cache has, with the hashes of their sources, in the order in which they are made.
    var eager: [(key: CacheKey, source: Digest256)] {
        var keys = [CacheKey(.health)]
        keys += chains.map { CacheKey(.observations, chain: $0.id) }
        for chain in chains { keys += chain.finished.map { CacheKey(.types, chain: chain.id, observation: $0.id) } }
        for chain in chains {
            for observation in chain.finished { keys += typed(.months, chain, observation) }
        }
        for chain in chains { keys += chain.finished.last.map { typed(.days, chain, $0) } ?? [] }
        for chain in chains {
            keys += zip(chain.finished, chain.finished.dropFirst()).map {
                CacheKey(.diffs, chain: chain.id, observation: $0.id, to: $1.id)
            }
        }
        return (keys + [CacheKey(.exports)]).compactMap { key in source(of: key).map { (key, $0) } }
    }

    private func typed(_ entity: CacheEntity, _ chain: Chain, _ observation: Observation) -> [CacheKey] {
        (visibleTypes[observation.id] ?? []).compactMap { typeNames[$0] }.map {
            CacheKey(entity, chain: chain.id, observation: observation.id, type: $0)
        }
    }

    /// The types of which an observation shows records, by id.
    func types(at observation: Int64) -> [Int64] { visibleTypes[observation] ?? [] }

    /// The archive's hash of a type's summary.
    func hash(of type: Int64, at observation: Int64) -> Digest256? { typeHashes[observation]?[type] }

    func hash(of observation: Int64) -> Digest256? { observationHashes[observation] }

    func chain(_ id: Int64) -> Chain? { chains.first { $0.id == id } }

    /// The hash of a group's key and of what it is made of; nil for one that this archive cannot have.
    func source(of key: CacheKey) -> Digest256? { basis(of: key).map { key.source($0) } }

    private func basis(of key: CacheKey) -> Digest256? {
        switch key.entity {
        case .health:
            return Self.hash("health", [.string(stamp), .int(byteCount)])
        case .exports:
            return Self.hash("exports", [.string(stamp)])
        case .results:
            return Self.basisOfResults(stamp: stamp)
        case .observations:
            guard let chain = chain(key.chain) else { return nil }
            let parts = chain.finished.map { observation in
                JSON.array([
                    .optional(observationHashes[observation.id]?.hex), .optional(observation.note),
                    .string(observation.sourceName), .optional(observation.timeZone),
                ])
            }
            return Self.hash("observations", parts)
        case .types:
            return observationHashes[key.observation].map { Self.hash("types", [.string($0.hex)]) }
        case .months, .days:
            guard let index = chainOf[key.observation], let type = typeIDs[key.type],
                let hash = typeHashes[key.observation]?[type],
                let observation = chains[index].finished.first(where: { $0.id == key.observation })
            else { return nil }
            return Self.hash(
                "aggregates",
                [
                    .string(hash.hex), .optional(observation.stateDigest?.hex),
                    .optional(zones[observation.chainID]),
                ])
        case .diffs, .members:
            return basisOfDiff(key)
        }
    }

    /// The hash of what every printed answer is made of.
    static func basisOfResults(stamp: String) -> Digest256 { hash("results", [.string(stamp)]) }

    private func basisOfDiff(_ key: CacheKey) -> Digest256? {
        guard let chain = chain(key.chain),
            let first = chain.finished.firstIndex(where: { $0.id == key.observation }),
            let last = chain.finished.firstIndex(where: { $0.id == key.to }), first <= last
        else { return nil }
        let span = chain.finished[first...last].map { observation in
            JSON.array([
                .int(observation.id), .optional(observation.stateDigest?.hex),
                .string(observation.typeSelection.json), .optional(seals[observation.id]),
            ])
        }
        // A diff that others lie between follows links that the chain before it made.
        let sides = [key.observation, key.to].map { JSON.optional(observationHashes[$0]?.hex) }
        let analysis = analyses[[key.observation, key.to, key.through ? 1 : 0]]
        return Self.hash(
            "diff",
            span + sides + [
                .optional(analysis), .int(Consolidation.rulesVersion), .optional(zones[chain.id]),
                .optional(seals[0]),
            ])
    }
}
