internal import Basics
internal import Evidence
internal import Foundation
internal import GRDB
internal import HealthModel
internal import Store

/// Makes a new archive from what can be read of a damaged one; the old file stays as it is.
package enum ArchiveRepair {
    /// What became of it.
    package struct Report: Sendable {
        /// What could not be read, table by table, for people.
        package var lost: [String]
        /// Rows dropped because what they name is lost, by table.
        package var dropped: [(table: String, count: Int)]
        /// Observations that are not as they were sealed.
        package var rederived: [Int64]
        /// The check of the new file.
        package var check: CheckResult
    }

    /// Repairs the archive at a path into a new file.
    ///
    /// Rows are saved page by page; identity index, spans, counts, sums and digests are made again from them, and so is
    /// `superseded`. The new archive's log and newest seal say what was done.
    /// - Parameter isCancelled: ends the repair where it returns true.
    /// - Throws: `cannotCreate` where something is at the destination, `archiveDamaged` where not even the schema can
    ///   be read, `newerArchive`, `olderArchive`, `diskFull`, `inputOutput`, `interrupted`.
    package static func run(
        archive given: String, to destination: String, isCancelled: @escaping @Sendable () -> Bool = { false },
        progress: (String) -> Void
    ) throws -> Report {
        let path = URL(fileURLWithPath: given).path
        let new = URL(fileURLWithPath: destination).path
        try ArchiveConnection.requireArchive(at: path)
        // No version at all is damage.
        if let version = try Migration.version(path), version > 0 { try ArchiveConnection.require(version: version) }
        try NewFile.requireNothing(at: new, given: destination)
        TemporaryFolder.prepare(forArchive: new)
        return try NewFile.make(new, failure: "The repaired archive cannot be made") { temporary in
            var dropped: [(table: String, count: Int)] = []
            var rederived: [Int64] = []
            let losses = try RebuiltFile.make(
                temporary, from: path, salvages: true, isCancelled: isCancelled, progress: progress
            ) { db in
                progress("references")
                dropped = try DanglingRows.remove(db)
                progress("derived tables")
                try DerivedTables.rebuild(db)
                try sealRepair(db, &rederived, dropped: dropped.reduce(0) { $0 + $1.count })
            }
            progress("check")
            let queue = try ArchiveConnection.open(temporary, readonly: true)
            let result = try queue.read {
                try ArchiveCheck.run($0, deep: true, isCancelled: isCancelled, progress: progress)
            }
            // A statement that was ended may look like damage.
            if isCancelled() { throw HealthProbeError.interrupted }
            try queue.close()
            return Report(
                lost: losses.map { "\($0.table): \($0.what)" }, dropped: dropped, rederived: rederived, check: result)
        }
    }

    private static func sealRepair(_ db: Database, _ rederived: inout [Int64], dropped: Int) throws {
        try db.execute(sql: "DELETE FROM archive_metadata WHERE key = 'failed_check'")
        try KeptChains.run(db)
        let sealed = try Seals.effective(db)
        for id in try Observation.finishedIDs(db) {
            let statement = sealed[id]
            let facts = try SealFacts.read(db, observation: id).canonicalText
            let changes = try StoredChanges.digest(db, observation: id).json.canonicalText
            if statement?.facts != facts || statement?.changes != changes { rederived.append(id) }
        }
        try RunLog.append(
            db, .repair, outcome: rederived.isEmpty ? "complete" : "incomplete",
            details: [
                ("droppedRows", "\(dropped)"),
                ("rederivedObservations", rederived.map(String.init).joined(separator: ",")),
            ])
        try Seals.writeRepair(db, rederived: rederived)
    }

    /// What an archive lacks that it had when it was last used at its path; nil where it lacks nothing or is too damaged
    /// to say. Leaves nothing beside the archive.
    package static func olderCopy(archive given: String, environment: [String: String]) -> String? {
        let path = URL(fileURLWithPath: given).path
        let place = RebuiltFile.untouchedPlace(path)
        let queue = try? ArchiveConnection.open(place.uri, readonly: true, exclusive: place.exclusive)
        defer { try? queue?.close() }
        return try? queue?.read { try RememberedHead.compare($0, path: path, environment: environment).missing }
    }
}
