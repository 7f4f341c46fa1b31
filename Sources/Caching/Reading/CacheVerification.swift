package import ArchiveFile
internal import GRDB
internal import HealthModel
package import TextFormats

/// Makes the groups of a cache anew, without writing them, and compares.
package enum CacheVerification {
    /// A group whose rows are not those that the archive gives.
    package struct Difference: Sendable, JSONConvertible {
        let key: CacheKey

        /// A member of `differs` of `cache verify --json`.
        package var json: JSON {
            .row([
                "entity": key.entity.rawValue, "observation": key.observation == 0 ? nil : key.observation,
                "to": key.to == 0 ? nil : key.to,
                "through": [.diffs, .members].contains(key.entity) ? key.through : nil,
                "type": key.type.text.isEmpty ? nil : key.type.text,
            ])
        }

        /// The group for people.
        package var text: String {
            let observations = [key.observation, key.to].filter { $0 != 0 }.map { "\($0)" }
            return ([key.entity.rawValue] + observations + [key.type.text, key.through ? "through" : ""])
                .filter { !$0.isEmpty }.joined(separator: " ")
        }
    }

    /// Compares all groups that the cache would use; absent ones are no difference, nor are those of an earlier state of the
    /// archive, which no page uses.
    ///
    /// - Returns: whether the file could be read, and the groups.
    /// - Throws: what the archive throws, `cannotCreate` for a foreign file.
    package static func run(
        _ file: CacheFile, of archive: ArchiveReader, _ keys: KeySearch
    ) throws -> (isReadable: Bool, differences: [Difference]) {
        try file.requireOwn()
        guard let connection = CacheConnection(file) else {
            return (try file.state() != .cache, [])
        }
        defer { connection.close() }
        let state = try archive.read { try ArchiveState($0, keys) }
        var wrong: Set<CacheKey> = []
        var entries: [CacheKey: CacheEntry] = [:]
        let read: Void? = connection.read { store -> Void in
            guard try CacheOrigin.isOf(state.identity, store) else { return }
            // Of this very state no group may have other sources.
            let isOfThisState = try store.metadata("stamp") == state.stamp
            for entry in try store.entries() {
                if state.source(of: entry.key) != entry.source {
                    if isOfThisState { wrong.insert(entry.key) }
                } else if try store.rows(entry) == nil {
                    wrong.insert(entry.key)
                } else {
                    entries[entry.key] = entry
                }
            }
        }
        guard read != nil else { return (false, []) }
        do {
            try GroupMaker(reader: archive, state: state, isEnded: { false }) { count, group in
                for index in 0..<count {
                    let group = try group(index)
                    guard let entry = entries[group.key], entry.rowsSHA256 != group.rows.sha256 else { continue }
                    wrong.insert(group.key)
                }
            }.make(Set(entries.keys))
        } catch is GroupMaker.Stale {
            throw HealthProbeError(
                .archiveInUse, "The archive has changed meanwhile.", hint: "Run the same command again.")
        }
        return (true, wrong.sorted().map { Difference(key: $0) })
    }
}
