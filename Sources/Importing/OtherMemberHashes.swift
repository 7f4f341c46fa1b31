internal import Archive
internal import ExportReading
internal import Foundation

/// Hashes the members that nothing else reads, beside the reading of the main XML.
///
/// `@unchecked Sendable`: the result is written by one thread and read after it has ended.
final class OtherMemberHashes: @unchecked Sendable {
    private let group = DispatchGroup()
    private var members: [SourceMember] = []

    init(_ container: ExportContainer) {
        guard !container.otherMembers.isEmpty else { return }
        group.enter()
        // Nothing that changes is shared: each member is read through a view of its own.
        nonisolated(unsafe) let source = container
        let thread = Thread { [self] in
            members = source.digestsOfOtherMembers().map { member, sha256 in
                SourceMember(path: member.path, role: .other, byteCount: member.byteCount, sha256: sha256)
            }
            group.leave()
        }
        thread.stackSize = 1 << 20
        thread.start()
    }

    /// The members, once all are hashed.
    func wait() -> [SourceMember] {
        group.wait()
        return members
    }
}
