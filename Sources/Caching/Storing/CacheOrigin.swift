internal import Analysis
internal import ArchiveFile
internal import HealthModel

/// The numbers that say whether a cache was made as this program makes it.
enum CacheVersion {
    /// `user_version` of the file.
    static let schema: Int32 = 1
    /// Counted up when the same archive gives other rows, or the views are others.
    static let logic = 3
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
            ("rules_version", "\(Consolidation.rulesVersion)"), ("program", HealthModel.program),
        ]
    }
}
