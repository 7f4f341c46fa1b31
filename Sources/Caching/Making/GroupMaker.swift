internal import Analysis
internal import ArchiveAggregating
internal import ArchiveFile
internal import ArchiveReading
internal import ArchiveRows
internal import GRDB
internal import HealthModel

/// Makes groups from the archive, step by step: each step reads the archive in one transaction and hands its groups on.
struct GroupMaker {
    /// The archive has changed since its state was read.
    struct Stale: Error {}
    /// Somebody ended the making.
    struct Ended: Error {}

    let reader: any ArchiveAccess
    let state: ArchiveState
    /// Asked before each step.
    let isEnded: () -> Bool
    /// Receives the groups of a step: how many there are, and what makes each in turn.
    let sink: (_ count: Int, _ group: (Int) throws -> CacheGroup) throws -> Void
    private let sources = SourceHashes()

    /// A diff with more changes than these keeps no members.
    static let mostMembers = 250_000
    /// Members in a group.
    static let membersOfGroup = 4096

    /// Makes these groups in the order of section 5 of the contract's list; those that the archive cannot have are passed
    /// over. Of a diff's members all groups are made together, whichever is wanted.
    ///
    /// - Throws: `Stale`, `Ended`, and what the archive and the sink throw.
    func make(_ wanted: Set<CacheKey>) throws {
        let single = { (entity: CacheEntity) in wanted.filter { $0.entity == entity }.sorted() }
        for key in single(.health) { try step { [try group(key, RowMaker(db: $0, state: state).health())] } }
        for key in single(.observations) {
            guard let chain = state.chain(key.chain) else { continue }
            try step { [try group(key, RowMaker(db: $0, state: state).observations(chain))] }
        }
        for keys in Dictionary(grouping: single(.types), by: \.chain).values {
            try step { db in
                try keys.map { try group($0, RowMaker(db: db, state: state).types(at: $0.observation)) }
            }
        }
        for chain in state.chains { try sweep(chain, wanted.filter { $0.chain == chain.id }) }
        for key in single(.diffs) where key.part == 1 {
            try step { try analysedDiff(key, $0) }
        }
        for keys in Dictionary(grouping: single(.members), by: { DiffPair($0) }).values {
            if let key = keys.first { try members(key) }
        }
        for key in single(.exports) { try step { [try group(key, RowMaker(db: $0, state: state).exports())] } }
    }

    private struct DiffPair: Hashable {
        var chain, from, to: Int64
        var through: Bool

        init(_ key: CacheKey) { (chain, from, to, through) = (key.chain, key.observation, key.to, key.through) }
    }

    private func step(_ body: (ArchiveDatabase) throws -> [CacheGroup]) throws {
        let groups = try read(body)
        try sink(groups.count) { groups[$0] }
    }

    private func read<R>(_ body: (ArchiveDatabase) throws -> R) throws -> R {
        if isEnded() { throw Ended() }
        return try reader.read { db in
            guard try ArchiveStamp.read(db, hasKey: state.hasKey) == state.stamp else { throw Stale() }
            return try body(db)
        }
    }

    private func group(_ key: CacheKey, _ rows: [[CacheValue]]) throws -> CacheGroup {
        guard let source = state.source(of: key) else { throw Stale() }
        return CacheGroup(key: key, source: source, rows: rows)
    }

    // MARK: - Days, months, stored diffs

    /// Months and the days of changes come from one pass over the stored days of each type.
    private func sweep(_ chain: Chain, _ wanted: Set<CacheKey>) throws {
        let places = Dictionary(chain.finished.enumerated().map { ($1.id, $0) }) { first, _ in first }
        let diffs = wanted.filter { $0.entity == .diffs && $0.part == 0 }
        let later = Set(diffs.compactMap { places[$0.to] })
        let months = Dictionary(grouping: wanted.filter { $0.entity == .months }, by: \.type)
        let days = Dictionary(grouping: wanted.filter { $0.entity == .days }, by: \.type)
        var changed: [Int64: [Int64: ChangedDays]] = [:]
        for (id, name) in state.typeNames.sorted(by: { $0.value < $1.value }) {
            let keys = months[ExactText(name)] ?? []
            let isKnown = !later.isEmpty && chain.finished.contains { state.hash(of: id, at: $0.id) != nil }
            guard !keys.isEmpty || isKnown else { continue }
            try step { db in
                let (groups, days) = try self.months(db, chain, id, name, keys, places, changes: later)
                for (observation, days) in days { changed[observation, default: [:]][id] = days }
                return groups
            }
        }
        for (type, keys) in days.sorted(by: { $0.key < $1.key }) {
            try step { db in
                guard let zone = try Aggregates.zone(db, chain: chain.id)?.name else { return [] }
                return try keys.compactMap { key in
                    guard let place = places[key.observation] else { return nil }
                    return try group(
                        key,
                        RowMaker(db: db, state: state)
                            .days(chain, chain.finished[place], type: type.text, zone: zone, sources))
                }
            }
        }
        for key in diffs.sorted() {
            guard let place = places[key.to] else { continue }
            try step { try storedDiff(key, $0, chain, chain.finished[place], changed[key.to] ?? [:]) }
        }
    }

    private func months(
        _ db: ArchiveDatabase, _ chain: Chain, _ id: Int64, _ name: String, _ keys: [CacheKey], _ places: [Int64: Int],
        changes: Set<Int>
    ) throws -> (groups: [CacheGroup], changed: [Int64: ChangedDays]) {
        guard let sweep = try AggregateSweep(db, chain), let zone = try Aggregates.zone(db, chain: chain.id)?.name
        else { return (try keys.map { try group($0, []) }, [:]) }
        let wanted = Set(keys.compactMap { places[$0.observation] })
        var rows = [[[CacheValue]]](repeating: [], count: chain.finished.count)
        let changed = try sweep.run(type: id, name, months: wanted, changes: changes) { observations, buckets in
            let made = buckets.map { RowMaker.row($0, zone: zone, sources) }
            for place in observations where wanted.contains(place) { rows[place] += made }
        }
        return (
            try keys.compactMap { key in try places[key.observation].map { try group(key, rows[$0]) } }, changed
        )
    }

    private func storedDiff(
        _ key: CacheKey, _ db: ArchiveDatabase, _ chain: Chain, _ later: Observation, _ days: [Int64: ChangedDays]
    ) throws -> [CacheGroup] {
        guard var diff = try StoredDiff.read(db, chain, at: later, days: days), diff.from.id == key.observation else {
            return []
        }
        let verdicts = try LabelledDiff.label(&diff, db, chain: chain)
        return [try group(key, RowMaker.rows(diff, verdicts))]
    }

    // MARK: - Diffs that are compared

    private func question(_ key: CacheKey) -> (chain: Chain, ConsolidationQuestion)? {
        guard let chain = state.chain(key.chain), let from = chain.finished.first(where: { $0.id == key.observation }),
            let to = chain.finished.first(where: { $0.id == key.to })
        else { return nil }
        return (chain, ConsolidationQuestion(from: from, to: to, through: key.through))
    }

    private func analysedDiff(_ key: CacheKey, _ db: ArchiveDatabase) throws -> [CacheGroup] {
        guard let (chain, question) = question(key) else { return [] }
        let (diff, verdicts) = try LabelledDiff.readWithVerdicts(db, chain: chain, question)
        return [try group(key, RowMaker.rows(diff, verdicts))]
    }

    /// Makes all groups of a diff's members, unless there are too many. The last has fewer rows than the others, if need be
    /// none: so a reader knows that it has all.
    private func members(_ key: CacheKey) throws {
        guard let (chain, question) = question(key) else { return }
        try read { db in
            var changes: [DiffChange] = []
            do {
                _ = try Diff.run(
                    db, chain: chain, from: question.from, to: question.to, through: question.through, types: nil,
                    source: nil
                ) { change in
                    guard changes.count < Self.mostMembers else { throw Ended() }
                    changes.append(change.withoutFields)
                }
            } catch is Ended {
                return
            }
            let types = try VersionTypes(db, state.typeNames)
            try sink(changes.count / Self.membersOfGroup + 1) { part in
                let first = part * Self.membersOfGroup
                var key = key
                key.part = Int64(part)
                var group = try group(
                    key,
                    changes[first..<min(first + Self.membersOfGroup, changes.count)].map {
                        try RowMaker.row($0, typeOf: types.name)
                    })
                group.firstPosition = Int64(first)
                return group
            }
        }
    }
}

extension DiffChange {
    /// The change as far as a member's row has it.
    fileprivate var withoutFields: DiffChange {
        guard case .representationChanged(let rule, _, let steps, let before, let after) = self else { return self }
        return .representationChanged(matchRule: rule, changedFields: [], steps: steps, before: before, after: after)
    }
}

/// The types of record versions.
struct VersionTypes {
    private let rows: PreparedStatement
    private let names: [Int64: String]

    init(_ db: ArchiveDatabase, _ names: [Int64: String]) throws {
        rows = try PreparedStatement(db, "SELECT sample_type_id FROM full_record_versions WHERE id = ?")
        self.names = names
    }

    /// The identifier of the type of a row.
    func name(_ id: Int64) throws -> String {
        rows.bind(1, id)
        defer { rows.reset() }
        guard try rows.step(), let name = names[rows.int(0)] else {
            throw HealthProbeError.damagedRow("record_versions", id)
        }
        return name
    }
}
