package import ArchiveFile
internal import GRDB

extension ArchiveReader {
    /// Tests the invariants on one state of the archive, whatever is imported meanwhile.
    ///
    /// - Throws: only what makes the check itself impossible; damage is a result.
    /// - Parameter environment: where the archive's last seen head is remembered; nil to leave that out.
    package func check(
        deep: Bool, environment: [String: String]? = nil, progress: (String) -> Void
    ) throws -> CheckResult {
        try ArchiveConnection.mapped {
            try queue.writeWithoutTransaction { db in
                try db.beginTransaction(.deferred)
                // A damaged page can make a commit fail, although nothing was written.
                defer { try? db.rollback() }
                return try ArchiveCheck.run(
                    db, place: environment.map { (path, $0) }, deep: deep, progress: progress)
            }
        }
    }
}
