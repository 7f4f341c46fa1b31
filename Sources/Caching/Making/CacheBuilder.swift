package import ArchiveFile
internal import Foundation
internal import GRDB
package import HealthModel

/// The one builder of a cache: brings it up to date, makes it anew, adds what pages asked for.
///
/// Only one at a time holds the lock; nobody waits for it.
package final class CacheBuilder {
    /// What became of the groups.
    package struct Outcome: Sendable {
        package var made = 0
        package var kept = 0
        package var dropped = 0
    }

    private let file: CacheFile
    private let lock: CacheLock
    private var queue: DatabaseQueue
    /// Kept from one write to the next, with its statements and the ids of texts.
    private var store: CacheStore?
    private let archive: any ArchiveAccess
    private let other: ArchiveReader?
    private let keys: KeySearch

    /// Takes the lock and opens the cache, making it where there is none. A damaged or older one is removed first, if nobody
    /// else has it open.
    ///
    /// - Parameter other: another connection to the archive, to use a second thread; nil for one.
    /// - Throws: `archiveInUse` while another process builds it, `cannotCreate` for a foreign file or an unwritable folder.
    package init(
        _ file: CacheFile, of archive: any ArchiveAccess, other: ArchiveReader? = nil, _ keys: KeySearch
    ) throws {
        (self.file, self.archive, self.other, self.keys) = (file, archive, other, keys)
        try file.requireOwn()
        guard let lock = CacheLock(cache: file.path) else { throw CacheFile.failure("cannot be locked") }
        guard lock.lock(.build, exclusively: true) else {
            throw HealthProbeError(
                .archiveInUse, "Another process makes the cache.", hint: "Wait until it has finished.")
        }
        self.lock = lock
        let isOlder = try file.state() == .older
        guard lock.lock(.use, exclusively: isOlder) else {
            throw HealthProbeError(.archiveInUse, "The cache is in use.", hint: "Wait until nobody has it open.")
        }
        do {
            queue = try CacheFile.mapped {
                let queue = try file.openWriter()
                try queue.read { try CacheStore($0).checkLayout() }
                return queue
            }
        } catch is CacheFile.Damage {
            queue = try Self.renewed(file, lock)
        }
        _ = lock.lock(.use, exclusively: false)
        try repairing { try settleOrigin() }
    }

    /// An empty cache in the place of a damaged one.
    ///
    /// - Throws: `archiveInUse` where somebody else has it open.
    private static func renewed(_ file: CacheFile, _ lock: CacheLock) throws -> DatabaseQueue {
        guard lock.lock(.use, exclusively: true) else {
            throw HealthProbeError(
                .archiveInUse, "The cache is damaged, and another process has it open.",
                hint: "Wait until it has finished, or end it.")
        }
        file.removeFiles()
        do { return try file.openWriter() } catch { throw CacheFile.failure("cannot be written") }
    }

    /// Does something again with an empty cache where the file turns out to be damaged.
    private func repairing<R>(_ body: () throws -> R) throws -> R {
        do { return try body() } catch is CacheFile.Damage {}
        close()
        queue = try Self.renewed(file, lock)
        _ = lock.lock(.use, exclusively: false)
        do {
            try settleOrigin()
            return try body()
        } catch is CacheFile.Damage {
            throw CacheFile.failure("is damaged")
        }
    }

    /// Lets go of the cache.
    package func close() {
        store = nil
        try? queue.close()
    }

    private func write<R>(_ body: (CacheStore) throws -> R) throws -> R {
        do {
            return try CacheFile.mapped {
                try queue.write { db in
                    let store = self.store ?? CacheStore(db)
                    self.store = store
                    return try body(store)
                }
            }
        } catch {
            // Texts that were stored are gone again.
            store = nil
            throw error
        }
    }

    /// Empties a cache of another archive or of other rules.
    private func settleOrigin() throws {
        let identity = try archive.read { try ArchiveIdentity.read($0) }
        let origin = CacheOrigin.values(identity)
        try write { store in
            guard try !CacheOrigin.isOf(identity, store) else { return }
            try store.recreate()
            for (key, value) in origin { try store.setMetadata(key, value) }
            try store.setMetadata("cache_build_id", UUID().uuidString.lowercased())
            try store.setMetadata("stamp", "")
        }
    }

    // MARK: - Building

    /// What an update makes.
    package enum Scope: Sendable {
        /// Every group that a whole cache has.
        case all
        /// What an import changed, without the days: the rest is left to the next reader.
        case afterImport
    }

    /// Drops the groups that are no longer right, and makes those that are missing.
    ///
    /// - Parameter isEnded: ends the making early; what is made stays.
    /// - Throws: what the archive and the cache throw.
    package func update(_ scope: Scope = .all, isEnded: @escaping () -> Bool = { false }) throws -> Outcome {
        try repairing { try addMissing(scope, isEnded) }
    }

    private func addMissing(_ scope: Scope, _ isEnded: @escaping () -> Bool) throws -> Outcome {
        var outcome = Outcome()
        for _ in 0..<3 {
            let state = try readState()
            // Nothing in an empty cache can be of days that were edited; so they are read beside the rest.
            let laterDays = try other.flatMap { other in
                try write { try $0.entries().isEmpty }
                    ? ThreadResult { try state.read(other) { try StoredDays($0, state) } } : nil
            }
            do {
                let days = scope == .all && laterDays == nil ? try archive.read { try StoredDays($0, state) } : nil
                let eager = state.eager
                let (dropped, present) = try settle(state, eager, days)
                outcome.dropped += dropped
                outcome.kept = present.count
                let missing = eager.map(\.key).filter { !present.contains($0) }
                try make(
                    Set(missing.filter { scope == .all || $0.entity != .days }), state, isEnded, &outcome)
                if let laterDays { try write { try $0.setMetadata(StoredDays.key, laterDays.get().text) } }
                try trim(state)
                return outcome
            } catch is GroupMaker.Stale {
                continue
            } catch is GroupMaker.Ended {
                return outcome
            }
        }
        return outcome
    }

    /// Makes groups anew: all, or those of observations and types.
    package func rebuild(
        observations: Set<Int64>, types: TypeFilter?, isEnded: @escaping () -> Bool = { false }
    ) throws -> Outcome {
        try repairing { try makeAnew(observations, types, isEnded) }
    }

    private func makeAnew(
        _ observations: Set<Int64>, _ types: TypeFilter?, _ isEnded: @escaping () -> Bool
    ) throws -> Outcome {
        let isFull = observations.isEmpty && types == nil
        var dropped = 0
        var kept = 0
        try write { store in
            let entries = try store.entries()
            if isFull {
                try store.clear()
                try store.setMetadata("cache_build_id", UUID().uuidString.lowercased())
            } else {
                for entry in entries where entry.key.isOf(observations, types) { try store.dropRows(of: entry) }
                kept = try store.entries().count
            }
            dropped = entries.count - kept
        }
        var outcome = try addMissing(.all, isEnded)
        outcome.dropped += dropped
        outcome.kept = kept
        return outcome
    }

    /// Makes groups that pages asked for, as far as the archive still has them.
    package func add(_ keys: Set<CacheKey>) throws {
        var outcome = Outcome()
        let state = try readState()
        try make(keys, state, { false }, &outcome)
        try trim(state)
    }

    /// Keeps a group that somebody else made.
    func keep(_ group: CacheGroup) throws {
        try write { try $0.put(group) }
        try trim(readState())
    }

    /// Drops groups that a reader found wrong, with all that have the same rows, to be made again, and counts them.
    package func report(_ keys: Set<CacheKey>) throws {
        try write { store in
            for key in keys {
                if let entry = try store.entry(key) { try store.dropRows(of: entry) }
            }
            let count = try store.metadata("disagreements").flatMap { Int($0) } ?? 0
            try store.setMetadata("disagreements", "\(count + keys.count)")
        }
    }

    /// Writes that groups were used now.
    package func touch(_ ids: Set<Int64>) throws { try write { try $0.touch(ids) } }

    private func readState() throws -> ArchiveState {
        try archive.read { try ArchiveState($0, keys) }
    }

    private func make(
        _ keys: Set<CacheKey>, _ state: ArchiveState, _ isEnded: @escaping () -> Bool, _ outcome: inout Outcome
    ) throws {
        var made = 0
        defer { outcome.made += made }
        try GroupMaker(reader: archive, other: other, state: state, isEnded: isEnded) { count, group in
            try self.write { store in for index in 0..<count { try store.put(group(index)) } }
            made += count
        }.make(keys)
    }

    /// Drops what is not of this state; returns how many, and what stays.
    ///
    /// - Parameters:
    ///   - eager: the groups that a whole cache has.
    ///   - days: nil where they are not known.
    private func settle(
        _ state: ArchiveState, _ eager: [(key: CacheKey, source: Digest256)], _ days: StoredDays?
    ) throws -> (dropped: Int, present: Set<CacheKey>) {
        let sources = Dictionary(eager.map { ($0.key, $0.source) }) { first, _ in first }
        return try write { store in
            let edited = try days?.edited(since: StoredDays(text: store.metadata(StoredDays.key))) ?? []
            var present: Set<CacheKey> = []
            let entries = try store.entries()
            for entry in entries {
                let key = entry.key
                let isMadeOnDemand =
                    key.entity.isMadeOnDemand || key.entity == .days || (key.entity == .diffs && key.part == 1)
                let isEdited = edited.contains(key.type) || (key.entity == .diffs && !edited.isEmpty)
                let source = sources[key] ?? (isMadeOnDemand ? state.source(of: key) : nil)
                if isEdited || source != entry.source {
                    try store.drop(entry)
                } else {
                    present.insert(key)
                }
            }
            try store.setMetadata("stamp", state.stamp)
            try store.setMetadata(StoredDays.key, days?.text ?? "")
            return (entries.count - present.count, present)
        }
    }

    /// Drops what was not used for longest of what nobody but pages asked for, beyond its share of the disk.
    private func trim(_ state: ArchiveState) throws {
        let share = max(64 << 20, state.byteCount / 10)
        try write { store in
            guard try store.byteCount() > Double(share) else { return }
            let eager = Set(state.eager.map(\.key))
            let others = try store.entries().filter { !eager.contains($0.key) }
            var excess = others.reduce(0) { $0 + $1.byteCount } - share
            for entry in others.sorted(by: { $0.lastUsedAt < $1.lastUsedAt }) where excess > 0 {
                try store.drop(entry)
                excess -= entry.byteCount
            }
        }
    }
}

extension CacheKey {
    /// Whether the group has rows of one of these observations and types.
    fileprivate func isOf(_ observations: Set<Int64>, _ types: TypeFilter?) -> Bool {
        guard [.types, .months, .days, .diffs, .members].contains(entity) else { return false }
        let isObservation = observations.isEmpty || observations.contains(observation) || observations.contains(to)
        return isObservation && (type.text.isEmpty || types?.matches(type.text) ?? true)
    }
}
