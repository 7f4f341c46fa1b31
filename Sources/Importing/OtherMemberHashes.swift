internal import ArchiveFile
internal import ArchiveRows
internal import ExportReading
internal import Foundation
internal import HealthModel

/// Hashes the members that nothing else reads, beside the reading of the main XML.
///
/// `@unchecked Sendable`: the result is written by one thread and read after it has ended.
final class OtherMemberHashes: @unchecked Sendable {
    private let group = DispatchGroup()
    private var members: [SourceMember] = []
    private var unhashed = 0
    private let isCancelled: @Sendable () -> Bool

    init(_ container: ExportContainer, isCancelled: @escaping @Sendable () -> Bool) {
        self.isCancelled = isCancelled
        guard !container.otherMembers.isEmpty else { return }
        members.reserveCapacity(container.otherMembers.count + container.sideFiles.count + 1)
        group.enter()
        let hashing = container.otherMemberHashing
        let thread = Thread { [self] in
            unhashed = hashing.run(isCancelled: isCancelled) { member, sha256 in
                members.append(
                    SourceMember(path: member.name, role: .other, byteCount: member.byteCount, sha256: sha256))
            }
            group.leave()
        }
        thread.stackSize = 1 << 20
        thread.start()
    }

    /// The members, once all are hashed; handed over, not copied, because a zip may have hundreds of thousands.
    ///
    /// - Throws: `interrupted`.
    func wait() throws -> [SourceMember] {
        group.wait()
        if isCancelled() { throw HealthProbeError.interrupted }
        defer { members = [] }
        return members
    }

    /// The warning about members that were not hashed; valid after `wait`.
    var warnings: [String] {
        guard unhashed > 0 else { return [] }
        return [
            "\(unhashed) of the zip's other files \(unhashed == 1 ? "was" : "were") not hashed: together they unpack to more than "
                + "\(OtherMemberHashing.mostUnpacking) times its bytes."
        ]
    }
}
