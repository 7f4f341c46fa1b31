package import ArchiveFile

extension ArchiveReader {
    /// Tests the invariants on one state of the archive, whatever is imported meanwhile.
    ///
    /// - Throws: only what makes the check itself impossible; damage is a result.
    /// - Parameter environment: where the archive's last seen head is remembered; nil to leave that out.
    package func check(
        deep: Bool, environment: [String: String]? = nil, progress: (String) -> Void
    ) throws -> CheckResult {
        try readDamaged {
            try ArchiveCheck.run($0, place: environment.map { (path, $0) }, deep: deep, progress: progress)
        }
    }
}
