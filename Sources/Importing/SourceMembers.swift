internal import ArchiveFile
internal import ArchiveRows
internal import ExportReading
internal import HealthModel

/// The members of a container that has been imported already.
enum SourceMembers {
    /// Hashes all members but the main XML, whose hash is the observation's.
    ///
    /// - Complexity: one reading of everything in the container but the XML.
    /// - Throws: `interrupted`.
    static func read(
        _ container: ExportContainer, of observation: Observation, isCancelled: @escaping @Sendable () -> Bool
    ) throws -> [SourceMember] {
        let others = OtherMemberHashes(container, isCancelled: isCancelled)
        let main = SourceMember(
            path: container.mainName, role: .main, byteCount: container.mainByteCount, sha256: observation.xmlSHA256)
        let sideFiles = try container.sideFiles.map { file in
            var hash = SHA256()
            let isWhole = (try? container.read(file) { hash.update($0) }) != nil
            if isCancelled() { throw HealthProbeError.interrupted }
            return SourceMember(
                path: container.memberPrefix + file.path, role: .sideFile, byteCount: file.byteCount,
                sha256: isWhole ? hash.finalize() : nil)
        }
        return try [main] + sideFiles + others.wait()
    }
}
