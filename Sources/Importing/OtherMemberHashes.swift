internal import ExportReading
internal import HealthModel
internal import Store

/// Hashes the members that nothing else reads, beside the reading of the main XML.
final class OtherMemberHashes {
    private var hashing: ThreadResult<(members: [SourceMember], unhashed: Int)>?
    private let isCancelled: @Sendable () -> Bool

    init(_ container: ExportContainer, isCancelled: @escaping @Sendable () -> Bool) {
        self.isCancelled = isCancelled
        guard !container.otherMembers.isEmpty else { return }
        let capacity = container.otherMembers.count + container.sideFiles.count + 1
        let hashing = container.otherMemberHashing
        self.hashing = ThreadResult {
            var members: [SourceMember] = []
            members.reserveCapacity(capacity)
            let unhashed = hashing.run(isCancelled: isCancelled) { member, sha256 in
                members.append(
                    SourceMember(path: member.name, role: .other, byteCount: member.byteCount, sha256: sha256))
            }
            return (members, unhashed)
        }
    }

    /// The members, once all are hashed, and a warning about those that were not; handed over once, not copied, because
    /// a zip may have hundreds of thousands.
    ///
    /// - Throws: `interrupted`.
    func take() throws -> (members: [SourceMember], warnings: [String]) {
        let (members, unhashed) = try hashing?.get() ?? ([], 0)
        hashing = nil
        if isCancelled() { throw HealthProbeError.interrupted }
        let warning =
            "\(unhashed) of the zip's other files \(unhashed == 1 ? "was" : "were") not hashed: together they unpack "
            + "to more than \(OtherMemberHashing.mostUnpacking) times its bytes."
        return (members, unhashed > 0 ? [warning] : [])
    }
}
