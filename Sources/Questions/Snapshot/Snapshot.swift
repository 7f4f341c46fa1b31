package import GRDB
package import Store

/// The archive as one read-only access sees it, with the chain that is asked about.
///
/// Its questions are methods in files of their own beside this one. Not for use beyond the access that made it.
package struct Snapshot {
    /// For the readers of this package that take the access itself.
    package let db: Database
    package let chain: Chain
    /// What rows refer to by id.
    package let names: ArchiveNames

    /// - Throws: `unknownChain`.
    package init(_ db: Database, chain name: String) throws {
        self.db = db
        chain = try ObservationResolver.chain(db, name: name)
        names = ArchiveNames(db)
    }

    /// The observation that an id, a name as `latest` or a date names.
    ///
    /// - Throws: `unknownObservation`, `usage`.
    package func observation(_ name: String) throws -> Observation {
        try ObservationResolver.resolve(name, in: chain)
    }

    /// The path of the archive's file; empty where it has none.
    package func archivePath() throws -> String {
        try String.fetchOne(db, sql: "SELECT file FROM pragma_database_list WHERE name = 'main'") ?? ""
    }

    /// Which archive it is.
    package func identity() throws -> ArchiveIdentity { try ArchiveIdentity.read(db) }

    /// The pseudonym of the chain's name; nil where it has none.
    package func chainHash() throws -> String? {
        try String.fetchOne(db, sql: "SELECT device_chain_hash FROM device_chains WHERE id = ?", arguments: [chain.id])
    }

    /// The ids of the archive's sample types.
    package func sampleTypeIDs() throws -> [String: Int64] {
        Dictionary(try SampleTypeNames.sorted(db).map { ($0.identifier, $0.id) }) { first, _ in first }
    }
}
