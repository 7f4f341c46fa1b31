internal import Basics
internal import Foundation
internal import GRDB
internal import HealthModel
package import Store

/// What one cheap query of an archive tells of its state: two with the same stamp are the same, unless somebody edited the
/// archive by hand.
package enum ArchiveStamp {
    /// Reads the stamp.
    ///
    /// - Parameter hasKey: whether the key of pseudonyms is where it belongs.
    /// - Throws: what the archive throws.
    package static func read(_ db: ArchiveDatabase, hasKey: Bool) throws -> String {
        let row = try Row.fetchOne(
            db.cachedStatement(
                sql: """
                    SELECT (SELECT group_concat(key || '=' || value, ';') FROM archive_metadata
                            WHERE key IN ('archive_uuid', 'schema_version', 'failed_check')),
                        (SELECT sequence || lower(hex(seal)) FROM seals ORDER BY sequence DESC LIMIT 1),
                        (SELECT id || lower(hex(row_digest)) FROM run_log ORDER BY id DESC LIMIT 1),
                        (SELECT id || lower(hex(row_digest)) FROM export_manifests ORDER BY id DESC LIMIT 1),
                        (SELECT max(id) FROM analysis_runs),
                        (SELECT group_concat(device_chain_id || '=' || time_zone || origin, ';') FROM chain_zones)
                    """))
        let texts = (row.map { Array($0.databaseValues) } ?? []).map { String.fromDatabaseValue($0) ?? "\($0)" }
        return Digest256(hashing: (texts + [hasKey ? "key" : "no key"]).joined(separator: "|")).hex
    }

    /// Which archive it is, with its stamp: what a cache must say of itself to be used.
    struct Origin: Sendable {
        let stamp: String
        let identity: ArchiveIdentity

        /// Nil where the archive cannot be read.
        init?(_ db: ArchiveDatabase, _ keys: KeySearch) {
            guard let identity = try? ArchiveIdentity.read(db),
                let stamp = try? ArchiveStamp.read(db, hasKey: !keys.place(identity).isMissing)
            else { return nil }
            (self.identity, self.stamp) = (identity, stamp)
        }

        /// Whether a cache with this metadata was made by this program of this state of the archive.
        func matches(_ metadata: [String: String]) -> Bool {
            metadata["stamp"] == stamp && isOfArchive(metadata)
        }

        /// Whether it was made by this program of some state of the archive.
        func isOfArchive(_ metadata: [String: String]) -> Bool {
            CacheContents.origin(identity).allSatisfy { metadata[$0.key] == $0.value }
        }
    }

    /// What the file system says of a database and its write-ahead log: edited by hand, an archive keeps its stamp.
    ///
    /// - Returns: nil for a file that is absent, and for a log that nobody wrote to.
    package static func files(ofDatabase path: String) -> [String?] {
        let log = path + "-wal"
        return [file(path), status(log)?.st_size == 0 ? nil : file(log)]
    }

    /// Inode, size and time of change of a file; nil for one that is absent.
    package static func file(_ path: String) -> String? {
        status(path).map { "\($0.st_ino) \($0.st_size) \($0.st_mtim.tv_sec).\($0.st_mtim.tv_nsec)" }
    }

    /// Whether the key of pseudonyms is where it belongs; it is not read.
    static func hasKey(_ db: ArchiveDatabase, _ keys: KeySearch) throws -> Bool {
        try !keys.place(ArchiveIdentity.read(db)).isMissing
    }
}
