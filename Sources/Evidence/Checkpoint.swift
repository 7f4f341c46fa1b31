internal import Foundation
package import GRDB
package import HealthModel
internal import Store

/// The archive, how many seals it has and the newest of them: three lines that can be written down or signed.
package struct Checkpoint: Sendable, Equatable {
    /// The archive's UUID.
    package var archive: String
    /// The newest seal's sequence number; 0 where nothing is sealed.
    package var sequence: Int
    /// The newest seal; zeros where nothing is sealed.
    package var head: Digest256

    /// `healthprobe/<uuid>`.
    package var origin: String { Self.prefix + archive }

    /// The head as in the third line.
    package var base64: String { Data(head.data).base64EncodedString() }

    /// The three lines.
    package var text: String { "\(origin)\n\(sequence)\n\(base64)\n" }

    private static let prefix = "healthprobe/"
}

extension Checkpoint {
    package static func present(_ db: Database) throws -> Checkpoint {
        let seal = try Seals.latest(db)
        return Checkpoint(
            archive: try ArchiveIdentity.read(db).uuid, sequence: Int(seal?.sequence ?? 0),
            head: seal?.digest ?? Digest256())
    }

    /// Reads the first three lines that are not empty; what follows, a signature for instance, is not looked at.
    ///
    /// - Throws: `usage` where they are no checkpoint.
    package init(parsing text: String) throws {
        let lines = text.split(whereSeparator: \.isNewline).map { $0.trimmingCharacters(in: .whitespaces) }
            .filter { !$0.isEmpty }
        guard lines.count >= 3, lines[0].hasPrefix(Self.prefix), let sequence = Int(lines[1]), sequence >= 0,
            let bytes = Data(base64Encoded: lines[2]),
            let head = Digest256(bytes: bytes)
        else {
            throw HealthProbeError(
                .usage, "This is not a checkpoint.", hint: "Give the three lines that healthprobe seal printed.")
        }
        self.init(archive: String(lines[0].dropFirst(Self.prefix.count)), sequence: sequence, head: head)
    }

    /// Why the archive does not contain this checkpoint; nil where it does.
    ///
    /// - Throws: `usage` for a checkpoint of another archive.
    package func problem(_ db: Database) throws -> String? {
        let present = try Self.present(db)
        guard archive == present.archive else {
            throw HealthProbeError(
                .usage, "The checkpoint is of archive \(archive), this is \(present.archive).",
                hint: "Name the archive with --archive.")
        }
        if sequence == 0 { return head == Digest256() ? nil : "the checkpoint names no seal" }
        // A seal covers all before it only where the chain leads to it.
        let (last, isBroken) = try Seals.unbroken(db, through: Int64(sequence))
        if isBroken { return "the chain of seals is broken after seal \(last?.sequence ?? 0)" }
        guard let last, last.sequence == Int64(sequence) else {
            return "the archive ends with seal \(last?.sequence ?? 0), the checkpoint names seal \(sequence)"
        }
        return last.digest == head ? nil : "seal \(sequence) of the archive differs from the checkpoint's"
    }
}
