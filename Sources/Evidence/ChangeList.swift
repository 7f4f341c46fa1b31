package import Basics
package import HealthModel
internal import Store

/// What an observation changed about one row; the raw values are the first bytes of the list's entries.
enum ChangeEvent: UInt8, CaseIterable, Sendable {
    case appeared = 0
    case representationChanged = 1
    case disappeared = 2
    /// No longer visible because another row continues it: the other end of a `representationChanged`.
    case superseded = 3
}

/// The number of an observation's changes and the SHA-256 of their sorted list.
package struct ChangeDigest: Sendable, Equatable {
    var count: Int
    var sha256: Digest256

    /// As a member of a seal's statement.
    package var json: JSON {
        .object([("count", .int(Int64(count))), ("sha256", .string(sha256.hex))])
    }
}

/// Collects the changes of one observation in any order and hashes them sorted, in bounded memory.
///
/// The list is `hp:v2:changes:` and, ascending as bytes, 69 bytes for each change: the event's raw value, identity,
/// version, and the ordinal as four bytes, big-endian.
///
/// `@unchecked Sendable`: after `begin` only its thread touches the sections, until `result` has waited for it.
package final class ChangeList: @unchecked Sendable {
    /// By event.
    private let sections: [ChangeSection]
    private let appeared: ChangeSection
    private let countsOrdinals: Bool
    private lazy var thread = ThreadResult { try self.digest() }

    /// - Parameter countsOrdinals: equal entries are given the ordinals 0, 1, …, whatever they were added with: for
    ///   first exports, whose equal rows get theirs only after they have been written.
    package init(countsOrdinals: Bool, sortedTogether: Int = 1 << 17) {
        self.countsOrdinals = countsOrdinals
        let spill = SpillFile()
        sections = ChangeEvent.allCases.map { _ in ChangeSection(spill, sortedTogether: sortedTogether) }
        appeared = sections[0]
    }

    /// Adds the appearance of a row of a first export.
    @inline(__always)
    package func add(_ identity: Digest256, _ version: Digest256) throws { try appeared.add(identity, version, 0) }

    func add(_ event: ChangeEvent, _ identity: Digest256, _ version: Digest256, ordinal: Int64) throws {
        try sections[Int(event.rawValue)].add(identity, version, UInt32(truncatingIfNeeded: ordinal))
    }

    /// Sorts and hashes on a thread of its own; nothing may be added any more.
    package func begin() {
        _ = thread
    }

    /// The digest of all that was added.
    package func result() throws -> ChangeDigest {
        try thread.get()
    }

    private func digest() throws -> ChangeDigest {
        var hash = SHA256()
        let out = ByteBuffer(capacity: 1 << 16)
        out.append("hp:v2:changes:")
        var count = 0
        for (event, section) in sections.enumerated() {
            var last: (Digest256?, Digest256?) = (nil, nil)
            var next: UInt32 = 0
            try section.drain { entry, given in
                var ordinal = given
                if countsOrdinals {
                    let key = (Digest256(bytes: entry[0..<32]), Digest256(bytes: entry[32...]))
                    next = key == last ? next + 1 : 0
                    last = key
                    ordinal = next
                }
                out.append(UInt8(event))
                out.append(entry)
                out.append(word: ordinal.byteSwapped)
                count += 1
                if out.count > 60_000 {
                    hash.update(out.view)
                    out.removeAll()
                }
            }
        }
        hash.update(out.view)
        return ChangeDigest(count: count, sha256: hash.finalize())
    }
}
