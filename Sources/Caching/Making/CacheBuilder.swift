package import ArchiveFile
internal import ArchiveRows
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
    private let secretFile: String?
    private let environment: [String: String]

    /// Takes the lock and opens the cache, making it where there is none. A damaged or older one is removed first, if nobody
    /// else has it open.
    ///
    /// - Parameter other: another connection to the archive, to use a second thread; nil for one.
    /// - Throws: `archiveInUse` while another process builds it, `cannotCreate` for a foreign file or an unwritable folder.
    package init(
        _ file: CacheFile, of archive: any ArchiveAccess, other: ArchiveReader? = nil, secretFile: String?,
        environment: [String: String]
    ) throws {
        self.file = file
        (self.archive, self.other) = (archive, other)
        (self.secretFile, self.environment) = (secretFile, environment)
        switch try file.state() {
        case .foreign, .newer: throw file.foreign()
        case .absent, .cache, .older: break
        }
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
            queue = try file.openWriter()
            _ = try queue.read { try CacheStore($0).checkLayout() }
        } catch  where error is DatabaseError || (error as? HealthProbeError)?.code == .archiveDamaged {
            guard lock.lock(.use, exclusively: true) else {
                throw HealthProbeError(
                    .archiveInUse, "The cache is damaged, and another process has it open.",
                    hint: "Wait until it has finished, or end it.")
            }
            file.removeFiles()
            do { queue = try file.openWriter() } catch { throw CacheFile.failure("cannot be written") }
        }
        _ = lock.lock(.use, exclusively: false)
        try settleOrigin()
    }

    /// Lets go of the cache.
    package func close() {
        store = nil
        try? queue.close()
    }

    private func write<R>(_ body: (CacheStore) throws -> R) throws -> R {
        do {
            return try queue.write { db in
                let store = self.store ?? CacheStore(db)
                self.store = store
                return try body(store)
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
            try store.clear()
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
        var outcome = Outcome()
        for _ in 0..<3 {
            let state = try readState()
            // Nothing in an empty cache can be of days that were edited; so their digests are computed beside the rest.
            let isEmpty = try write { try $0.entries().isEmpty }
            let digests = other.flatMap { other in
                isEmpty ? ThreadResult { try state.read(other) { try StoredDays.digests($0, state) } } : nil
            }
            do {
                let stored =
                    scope == .all && digests == nil ? try archive.read { try StoredDays.digests($0, state) } : nil
                let (dropped, present) = try settle(state, stored)
                outcome.dropped += dropped
                outcome.kept = present.count
                let missing = state.eager.map(\.key).filter { !present.contains($0) }
                try make(
                    Set(missing.filter { scope == .all || $0.entity != .days }), state, isEnded, &outcome)
                if let digests { try write { try Self.note(digests.get(), state, $0) } }
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
        var outcome = try update(.all, isEnded: isEnded)
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
        try archive.read { try ArchiveState($0, secretFile: secretFile, environment: environment) }
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
    /// - Parameter stored: the digests of the stored days; nil where they are not known.
    private func settle(
        _ state: ArchiveState, _ stored: [ExactText: Digest256]?
    ) throws -> (dropped: Int, present: Set<CacheKey>) {
        let eager = Set(state.eager.map(\.key))
        return try write { store in
            let edited = try stored.map { try Self.editedTypes(store, $0, state) } ?? []
            var present: Set<CacheKey> = []
            let entries = try store.entries()
            for entry in entries {
                let key = entry.key
                let isMadeOnDemand =
                    key.entity.isMadeOnDemand || key.entity == .days || (key.entity == .diffs && key.part == 1)
                let isEdited = edited.contains(key.type) || (key.entity == .diffs && !edited.isEmpty)
                if isEdited || !(isMadeOnDemand || eager.contains(key)) || state.source(of: key) != entry.source {
                    try store.drop(entry)
                } else {
                    present.insert(key)
                }
            }
            try store.setMetadata("stamp", state.stamp)
            if let stored { try Self.note(stored, state, store) } else { try store.setMetadata("days_seal", "") }
            return (entries.count - present.count, present)
        }
    }

    /// Writes of which stored days the cache is made.
    private static func note(_ stored: [ExactText: Digest256], _ state: ArchiveState, _ store: CacheStore) throws {
        try store.setMetadata("days_seal", state.headSeal)
        for (type, digest) in stored { try store.setMetadata("days:" + type.text, digest.hex) }
    }

    /// The types whose stored days are not those that the cache was made of, although nothing was imported since.
    private static func editedTypes(
        _ store: CacheStore, _ stored: [ExactText: Digest256], _ state: ArchiveState
    ) throws -> Set<ExactText> {
        guard try store.metadata("days_seal") == state.headSeal else { return [] }
        return Set(try stored.filter { try store.metadata("days:" + $0.key.text) != $0.value.hex }.keys)
    }

    /// Drops what was not used for longest of what nobody but pages asked for, beyond its share of the disk.
    private func trim(_ state: ArchiveState) throws {
        let eager = Set(state.eager.map(\.key))
        try write { store in
            let others = try store.entries().filter { !eager.contains($0.key) }
            var excess = others.reduce(0) { $0 + $1.byteCount } - max(64 << 20, state.byteCount / 10)
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

/// What a cache says of the archive and the program that it is of.
enum CacheOrigin {
    /// Whether a cache is of an archive, made by the rules of this program.
    static func isOf(_ identity: ArchiveIdentity, _ store: CacheStore) throws -> Bool {
        let found = try store.allMetadata()
        return values(identity).allSatisfy { found[$0.key] == $0.value }
    }

    static func values(_ identity: ArchiveIdentity) -> [(key: String, value: String)] {
        [
            ("archive_uuid", identity.uuid), ("archive_schema_version", "\(identity.schemaVersion)"),
            ("cache_schema_version", "\(CacheVersion.schema)"), ("logic_version", "\(CacheVersion.logic)"),
            ("rules_version", "\(CacheRules.version)"), ("program", HealthModel.program),
        ]
    }
}
